import type { Backup } from '../../exchange/operations/backups.js'
import type { BackupAnswer } from './admin-answer.js'

/** Shows a backup to operators. */
export function backupView({ file, bytes, at }: Backup): BackupAnswer {
  return { file, bytes, createdAt: new Date(at).toISOString() }
}
