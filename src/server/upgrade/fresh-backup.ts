import { statSync } from 'node:fs'
import type { StoredBackup } from '../../backup/backup-list.js'
import { COMPANIONS, companionPath } from '../../store/files/companion-files.js'

/** The state of an exchange before its upgrade. */
export interface StateBefore {
  readonly file: string
  readonly sequence: number
  /** The version of its tables. */
  readonly schema: number
}

/**
 * Returns a verified backup of exactly this state, such as an interrupted start has left. Companions have no
 * batches: they must not have been written since.
 */
export function freshBackup(
  backups: readonly StoredBackup[],
  { file, sequence, schema }: StateBefore,
): StoredBackup | undefined {
  const changes = COMPANIONS.map(companion => {
    const path = companionPath(file, companion)
    return { companion, changedAt: Math.max(writtenAt(path), writtenAt(`${path}-wal`)) }
  })
  return backups.find(({ at, manifest, companions }) => {
    if (manifest?.verification?.ok !== true) return false
    const isSameState = manifest.sequence === sequence && manifest.schema === schema
    const isCopied = changes.every(({ companion, changedAt }) => {
      return changedAt === 0 || (companions.includes(companion) && changedAt < at)
    })
    return isSameState && isCopied
  })
}

/** Returns when a file was last written; 0 if it is missing. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
