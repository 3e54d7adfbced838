import { plainError } from '../../shard/plain-error.js'
import type { CopiedFile } from '../../store/files/backup-file.js'
import { backUp } from '../../store/files/backup-file.js'

/** The source and target of a copy. */
export interface BackupTask {
  readonly file: string
  readonly target: string
}

/** The entry point that Piscina calls. */
export default function work({ file, target }: BackupTask): CopiedFile {
  try {
    return backUp(file, target)
  } catch (error) {
    throw plainError(error)
  }
}
