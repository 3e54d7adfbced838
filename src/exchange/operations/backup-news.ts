import type { BackupName } from '../../backup/backup-name.js'
import type { FinishedBackup } from '../../backup/make-backup.js'
import type { Checked } from './backup-checks.js'

/** An event in the life of backups, for the log and the health report. */
export type BackupNews =
  | { readonly kind: 'made'; readonly backup: FinishedBackup }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'verified'; readonly name: BackupName; readonly checked: Checked }
  | { readonly kind: 'pruned'; readonly names: readonly BackupName[] }

/** Returns why something failed, in words; undefined for good news. */
export function failureIn(news: BackupNews): string | undefined {
  if (news.kind === 'failed') return `the backup failed: ${news.reason}`
  if (news.kind !== 'verified') return undefined
  const { name, checked } = news
  if ('failed' in checked) return `${name} could not be verified: ${checked.failed}`
  return checked.ok ? undefined : `${name} is NOT in order: ${checked.findings[0] ?? ''}`
}
