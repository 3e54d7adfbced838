import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { archivesIn } from '../store/archive/archive-path.js'
import { freeBytesIn } from '../store/disk-room.js'
import { companionBackupPath, companionName, companionsOfBackup } from '../store/files/companion-files.js'
import { openDataDirectory } from '../store/files/data-directory.js'
import { TABLES_FILE } from '../store/files/journal-path.js'
import { exchangeFilesIn, replaceExchange } from '../store/files/pending-restore.js'
import { syncPath } from '../store/files/sync-path.js'
import type { StoredBackup } from './backup-list.js'
import type { BackupStore } from './backup-store.js'
import type { Examination } from './examination.js'
import { fetchBackup } from './fetch-backup.js'
import type { BackupVerification } from './manifest.js'
import { assertRoom } from './restore-room.js'
import { judged } from './verdict.js'

export interface RestoreOptions {
  /** The data directory. */
  readonly directory: string
  /** Replaces an exchange that is there. */
  readonly overwrite: boolean
  readonly now: () => number
  readonly examine: (copy: string) => Promise<Examination>
  /** Called after each change on disk, for tests. */
  readonly did?: () => void
  /** Returns how many bytes are free, for tests. */
  readonly free?: (directory: string) => number
}

export interface RestoredBackup {
  readonly backup: StoredBackup
  readonly verification: BackupVerification
  /** The directory with the files of the replaced exchange; undefined if there was none. */
  readonly aside: string | undefined
}

/**
 * Puts a backup into a data directory in which no exchange runs. The files are fetched and verified beside
 * the old ones, which are moved aside at the end. Killed at any point, the directory opens with the old or
 * the new exchange. Throws with a message for the operator, and then the old one is untouched, or the next
 * start finishes.
 */
export async function restoreBackup(
  store: BackupStore,
  backup: StoredBackup,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  // Finishes or clears away what an interrupted restore has left.
  const { path, release } = openDataDirectory(options.directory)
  try {
    return await restoreInto(path, store, backup, options)
  } finally {
    release()
  }
}

async function restoreInto(
  path: string,
  store: BackupStore,
  backup: StoredBackup,
  { overwrite, now, examine, did = () => undefined, free = freeBytesIn }: RestoreOptions,
): Promise<RestoredBackup> {
  const isReplacing = exchangeFilesIn(path).length > 0
  if (isReplacing && !overwrite) {
    throw new Error(
      `${path} holds an exchange: add --overwrite to set its files aside, or name another --data`,
    )
  }
  const archive = backup.manifest?.files.find(({ part }) => part === 'archive')
  assertRoom(path, free(path), backup.bytes + (archive?.bytes ?? 0))
  const aside = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, '')}`
  const gather = async (folder: string) => {
    const copy = await fetchBackup(store, backup, folder)
    did()
    const { verification } = judged(backup, await examine(copy), now())
    if (verification.ok) return { verification, files: renameInto(folder, copy, did) }
    throw new Error(`${backup.name} is not in order, so nothing was changed: ${verification.findings[0]}`)
  }
  const { verification } = await replaceExchange(path, aside, gather, did)
  return { backup, verification, aside: isReplacing ? join(path, aside) : undefined }
}

/** Gives the fetched files their final names; returns these. */
function renameInto(folder: string, copy: string, did: () => void): string[] {
  const named: [from: string, name: string][] = [[copy, TABLES_FILE]]
  for (const companion of companionsOfBackup(copy)) {
    named.push([companionBackupPath(copy, companion), companionName(companion)])
  }
  for (const [from, name] of named) {
    renameSync(from, join(folder, name))
    did()
  }
  syncPath(folder)
  return [...named.map(([, name]) => name), ...archivesIn(folder)]
}
