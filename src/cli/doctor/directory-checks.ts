import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Check } from './check.js'
import { fail, ok } from './check.js'

/** The data directory, or the one in which it is going to be made. */
export function standingDirectory(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : standingDirectory(dirname(path))
}

export function directoryCheck(path: string): Check {
  const standing = standingDirectory(path)
  const advice = 'choose another with --data, or let the user that runs Raay write there'
  if (!statSync(standing).isDirectory()) return fail('directory', `${standing} is no directory`, advice)
  try {
    accessSync(standing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return fail('directory', `${standing} cannot be written`, advice)
  }
  return ok('directory', standing === path ? path : `${path}, which the first start will make`)
}
