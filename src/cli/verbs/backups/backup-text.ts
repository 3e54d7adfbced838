import type { BackupVerification } from '../../../backup/manifest.js'
import type { Backup } from '../../../client/node-client.js'
import { printable } from '../../terminal/printable.js'
import { table } from '../../terminal/table.js'

const BYTES_PER_MB = 1_000_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Formats backups as a table with one line each. */
export function backupTable(backups: readonly Backup[], now: number): string {
  const rows = backups.map(({ name, createdAt, bytes, sequence, verification, reason }) => [
    name,
    age(now - Date.parse(createdAt)),
    megabytes(bytes),
    sequence === null ? '' : String(sequence),
    verifiedWord(reason, verification),
    reason ?? '',
  ])
  const head = ['name', 'age', 'size', 'batch', 'verified', 'reason']
  return table([head, ...rows], [undefined, 'right', 'right', 'right'])
}

/** The result of verifying a backup, or why it could not be verified. */
export interface Verified {
  readonly name: string
  readonly verification?: BackupVerification
  readonly failed?: string
}

/** Formats the result of a verification, with a line for each finding. */
export function verificationText({ name, verification, failed = '' }: Verified): string {
  if (verification === undefined) return `${name}: not verified: ${printable(failed)}\n`
  const { ok, checked, findings } = verification
  const lines = findings.map(finding => `  ${printable(finding)}\n`)
  const result = ok ? `in order (${checked.length} checks)` : 'NOT in order'
  return `${name}: ${result}\n${lines.join('')}`
}

/** Formats a size, such as `1.5 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`
}

function verifiedWord(reason: Backup['reason'], verification: Backup['verification']): string {
  if (reason === null) return 'unfinished'
  if (verification === null) return 'not yet'
  return verification.ok ? 'ok' : 'BROKEN'
}

function age(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.floor(ms / 60_000))} min`
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} days`
}
