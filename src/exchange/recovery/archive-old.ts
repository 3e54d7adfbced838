import type { TimeMs } from '../../core/units.js'
import { compactFiles } from '../../store/archive/compact-files.js'
import type { Moved } from '../../store/archive/move-to-archive.js'
import { countMoving, moveToArchive } from '../../store/archive/move-to-archive.js'
import { openDataDirectory } from '../../store/files/data-directory.js'
import { prepareFile } from './recovery.js'
import { withAdvice } from './with-database.js'

/** The stages of an archiving, for progress. */
export type ArchivingStage = 'prepare' | 'copy' | 'remove' | 'compact'

export interface ArchivingOptions {
  /** Everything before this time moves. */
  readonly limit: TimeMs
  /** Only counts what would move. */
  readonly isDryRun: boolean
  readonly told: (stage: ArchivingStage) => void
}

/**
 * Moves what is old in a stopped exchange into its archive, after the first step of a start, which completes
 * an interrupted archiving, too. Returns what was moved, or would be; undefined if nothing is that old.
 * Throws DataDirectoryError if the exchange runs, RecoveryError if its files are not in order.
 */
export function archiveOld(data: string, { limit, isDryRun, told }: ArchivingOptions): Moved | undefined {
  const directory = openDataDirectory(data)
  try {
    const { file } = directory
    told('prepare')
    prepareFile(file)
    return withAdvice(() => {
      if (isDryRun) return countMoving(file, limit)
      const moved = moveToArchive(file, limit, told)
      told('compact')
      compactFiles(file)
      return moved
    })
  } finally {
    directory.release()
  }
}
