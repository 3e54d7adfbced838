import type { Health } from '../../../client/client.js'

/** `look`: have a look today; `act`: now. */
export type Grade = 'good' | 'look' | 'act'

/** The subject of a verdict; the first three are the figures that decide it. */
export type Concern = 'speed' | 'disk' | 'backup' | 'file' | 'clock' | 'tables'

export interface Verdict {
  readonly grade: Grade
  /** Those that are not good, the worst first. */
  readonly concerns: readonly (readonly [concern: Concern, grade: Grade])[]
}

type Judged = Pick<
  Health,
  'orders' | 'disk' | 'backups' | 'last_verification' | 'clock' | 'tables' | 'last_backup'
>

// The bounds are those of the alarms that `raay init alerts` prints.
const LATENCY_MAX_MS = 500
const BACKUP_AGE_MAX_MS = 1.5 * 86_400_000
const BEHIND_MAX = 25_000
const RANK: Readonly<Record<Grade, number>> = { act: 0, look: 1, good: 2 }

/** Judges the health of an exchange. */
export function verdictOf(health: Judged, nowMs: number): Verdict {
  const { orders, disk, last_verification: file, clock, tables } = health
  const grades: readonly (readonly [Concern, Grade])[] = [
    ['speed', (orders.latency_p99 ?? 0) > LATENCY_MAX_MS ? 'look' : 'good'],
    ['disk', ({ ok: 'good', low: 'look', full: 'act' } as const)[disk.state]],
    ['backup', backupGrade(health, nowMs)],
    ['file', file === null || file.result === 'ok' ? 'good' : 'act'],
    ['clock', clock.trusted ? 'good' : 'act'],
    ['tables', tables.commands_behind > BEHIND_MAX ? 'look' : 'good'],
  ]
  const concerns = grades.filter(([, grade]) => grade !== 'good').sort(([, a], [, b]) => RANK[a] - RANK[b])
  return { grade: concerns[0]?.[1] ?? 'good', concerns }
}

/** A failure counts until a later backup is in order; then its age does. */
function backupGrade({ backups: { last_verified, last_failure } }: Judged, nowMs: number): Grade {
  if (last_failure !== null && (last_verified === null || last_failure.createdAt > last_verified.createdAt)) {
    return 'act'
  }
  if (last_verified === null) return 'look'
  return nowMs - Date.parse(last_verified.createdAt) > BACKUP_AGE_MAX_MS ? 'look' : 'good'
}
