import type { TimeMs } from '../../core/units.js'
import type { BackupAnswer } from './admin-answer.js'

/** A whole copy of the data file. */
export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly at: TimeMs
}

/** Shows a backup to operators. */
export function backupView({ file, bytes, at }: Backup): BackupAnswer {
  return { file, bytes, createdAt: new Date(at).toISOString() }
}
