import { statSync } from 'node:fs'
import type { StoredBackup } from '../../backup/backup-list.js'
import { accessPath } from '../../store/files/access-path.js'

/** The state of an exchange before its upgrade. */
export interface StateBefore {
  readonly file: string
  readonly sequence: number
  /** The version of its tables. */
  readonly schema: number
}

/**
 * Returns a verified backup of exactly this state, such as an interrupted start has left. The accounts have
 * no batches: they must not have been written since.
 */
export function freshBackup(
  backups: readonly StoredBackup[],
  { file, sequence, schema }: StateBefore,
): StoredBackup | undefined {
  const access = accessPath(file)
  const changedAt = Math.max(...[access, `${access}-wal`].map(writtenAt))
  return backups.find(({ at, manifest, hasAccounts }) => {
    if (manifest?.verification?.ok !== true) return false
    const isSameState = manifest.sequence === sequence && manifest.schema === schema
    return isSameState && (changedAt === 0 || (hasAccounts && changedAt < at))
  })
}

/** Returns when a file was last written; 0 if it is missing. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
