import type { StoredBackup } from './backup-list.js'
import { lastMadeFirst } from './making-order.js'

const UNITS = ['hourly', 'daily', 'weekly', 'monthly'] as const

/** The number of hours, days, weeks and months of which the newest backup is kept. All in UTC. */
export type KeepRules = Readonly<Record<(typeof UNITS)[number], number>>

const COUNT_MAX = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Weeks begin on Monday; 1970 began on a Thursday. */
const MONDAY_MS = 3 * DAY_MS

const PERIODS: Readonly<Record<keyof KeepRules, (at: number) => string>> = {
  hourly: at => String(Math.floor(at / HOUR_MS)),
  daily: at => String(Math.floor(at / DAY_MS)),
  weekly: at => String(Math.floor((at + MONDAY_MS) / (7 * DAY_MS))),
  monthly: at => new Date(at).toISOString().slice(0, 7),
}

/** Reads rules such as `hourly=24,daily=7`; undefined for any other text, and for rules that keep nothing. */
export function readKeepRules(text: string): KeepRules | undefined {
  const rules = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
  const seen = new Set<string>()
  for (const part of text.split(',')) {
    const [, unit = '', count = ''] = /^\s*([a-z]+)=(\d{1,4})\s*$/.exec(part) ?? []
    const known = UNITS.find(name => name === unit)
    if (known === undefined || seen.has(unit) || Number(count) > COUNT_MAX) return undefined
    seen.add(unit)
    rules[known] = Number(count)
  }
  return UNITS.some(unit => rules[unit] > 0) ? rules : undefined
}

/**
 * Returns the backups that the rules keep, of those of one exchange: for each of the last hours, days, weeks
 * and months with a backup, the newest verified one, or else the newest. Also keeps the newest verified one
 * of all, whatever the rules say; and everything while no backup is verified.
 */
export function keptBackups(backups: readonly StoredBackup[], rules: KeepRules): ReadonlySet<StoredBackup> {
  const newestFirst = lastMadeFirst(backups)
  const verified = newestFirst.find(isVerified)
  if (verified === undefined) return new Set(newestFirst)
  const kept = new Set([verified])
  for (const unit of UNITS) {
    const best = new Map<string, StoredBackup>()
    for (const backup of newestFirst) {
      const period = PERIODS[unit](backup.at)
      const other = best.get(period)
      if (other === undefined && best.size === rules[unit]) break
      if (other === undefined || (isVerified(backup) && !isVerified(other))) best.set(period, backup)
    }
    for (const backup of best.values()) kept.add(backup)
  }
  return kept
}

function isVerified({ manifest }: StoredBackup): boolean {
  return manifest?.verification?.ok === true
}
