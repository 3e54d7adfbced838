import type { CopyFacts } from '../../backup/backup-copy.js'
import { copyExchange } from '../../backup/backup-copy.js'
import { plainError } from '../../shard/plain-error.js'

/** The source and target of a copy. */
export interface BackupTask {
  readonly file: string
  readonly target: string
}

/** The entry point that Piscina calls. */
export default function work({ file, target }: BackupTask): CopyFacts {
  try {
    return copyExchange(file, target)
  } catch (error) {
    throw plainError(error)
  }
}
