import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPrivateDirectory, createPrivateFile } from '../store/files/private-files.js'
import { syncPath } from '../store/files/sync-path.js'
import { archiveOf } from './backup-copy.js'
import type { StoredBackup } from './backup-list.js'
import { filesOf } from './backup-name.js'
import type { BackupStore } from './backup-store.js'

/**
 * Copies the files of a backup from its store into a directory, durably; returns the path of the exchange,
 * with its companions and the archive beside it. If that fails, nothing is left of them.
 */
export async function fetchBackup(
  store: BackupStore,
  { name, companions, manifest }: StoredBackup,
  directory: string,
): Promise<string> {
  const { exchange, companions: named } = filesOf(name)
  const names = [...companions.map(companion => named[companion]), exchange]
  createPrivateDirectory(directory)
  try {
    for (const file of names) await fetchFile(store, file, join(directory, file))
    const archive = archiveIn(join(directory, exchange))
    if (archive !== undefined) {
      names.push(archive)
      const described = manifest?.files.find(({ part }) => part === 'archive')
      await fetchFile(store, described?.stored ?? archive, join(directory, archive))
    }
    syncPath(directory)
    return join(directory, exchange)
  } catch (error) {
    for (const file of names) rmSync(join(directory, file), { force: true })
    throw error
  }
}

/** Returns the path of a backup's exchange on this machine; undefined if it must be fetched. */
export function pathInPlace({ directory }: BackupStore, { name }: StoredBackup): string | undefined {
  const path = directory && join(directory, filesOf(name).exchange)
  // An encrypted file is not there under this name.
  return path !== undefined && existsSync(path) ? path : undefined
}

/** Returns the archive that a copy names; undefined for a damaged copy, which its examination reports. */
function archiveIn(copy: string): string | undefined {
  try {
    return archiveOf(copy)
  } catch {
    return undefined
  }
}

async function fetchFile(store: BackupStore, name: string, target: string): Promise<void> {
  const contents = await store.get(name)
  if (contents === undefined) throw new Error(`${store.pathOf(name)} is missing`)
  rmSync(target, { force: true })
  createPrivateFile(target)
  await pipeline(Readable.from(contents), createWriteStream(target, { flags: 'r+' }))
  syncPath(target)
}
