import type { StoredBackup } from '../../backup/backup-list.js'
import { lastMadeFirst } from '../../backup/making-order.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

const DAY_MS = 86_400_000
const AGE_DAYS_MAX = 7

/** Says that the place for backups does not answer. */
export function backupsUnreadable(error: unknown): Check {
  const reason = error instanceof Error ? error.message : String(error)
  return fail('backups', `cannot be listed: ${reason}`, 'check --backup-to, its keys and its network')
}

/**
 * Checks the age of the newest backup, and how its verification went.
 *
 * @param isUsed if the exchange has something to lose
 */
export function backupCheck(backups: readonly StoredBackup[], isUsed: boolean, now: number): Check {
  const [last] = lastMadeFirst(backups.filter(({ manifest }) => manifest !== undefined))
  if (last === undefined) {
    if (!isUsed) return ok('backups', 'none yet, and nothing to back up')
    return warn(
      'backups',
      'none with a manifest',
      'make one with raay backup, and copy it to another machine',
    )
  }
  const days = Math.floor((now - last.at) / DAY_MS)
  const { verification = null } = last.manifest ?? {}
  const age = days < 1 ? 'less than a day' : `${days} ${days === 1 ? 'day' : 'days'}`
  const found = `${last.name}, ${age} old`
  if (verification !== null && !verification.ok) {
    const [finding = 'no reason was noted'] = verification.findings
    return fail(
      'backups',
      `${found}, is not in order: ${finding}`,
      'make another with raay backup, and verify it',
    )
  }
  if (days >= AGE_DAYS_MAX) return warn('backups', found, 'make one more often: raay backup, from a timer')
  if (verification === null) return warn('backups', `${found}, not verified`, 'raay backup verify')
  return ok('backups', `${found}, verified ${verification.at.slice(0, 10)}`)
}
