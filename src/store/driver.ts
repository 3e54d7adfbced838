import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type SqliteDatabase from 'better-sqlite3'

/**
 * Loads the database driver. Node does not follow the symlink of a package if the last file that its `fs`
 * has looked at was a pipe or a socket, such as the standard error of a service: a driver that pnpm has
 * linked then misses the packages beside it. So an ordinary directory is looked at first.
 */
function loadDriver(): typeof SqliteDatabase {
  statSync('.', { throwIfNoEntry: false })
  return createRequire(import.meta.url)('better-sqlite3') as typeof SqliteDatabase
}

export const Driver = loadDriver()
