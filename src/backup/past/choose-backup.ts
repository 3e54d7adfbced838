import type { StoredBackup } from '../backup-list.js'
import { lastMadeFirst } from '../making-order.js'
import type { HistoryPoint } from './history-point.js'

/**
 * Returns the earliest backup whose history contains a point, by the manifests, of those that no verification
 * has found broken. Throws with a message for the operator if there is none, or if the backups are of
 * several exchanges.
 */
export function chooseBackup(
  backups: readonly StoredBackup[],
  point: HistoryPoint,
  place: string,
): StoredBackup {
  const finished = lastMadeFirst(backups.filter(({ manifest }) => manifest !== undefined))
  if (new Set(finished.map(({ manifest }) => manifest?.exchange)).size > 1) {
    throw new Error(`${place} has backups of several exchanges: name one of them`)
  }
  const whole = finished.filter(({ manifest }) => manifest?.verification?.ok !== false)
  const [newest] = whole
  const earliest = whole.filter(backup => isBefore(point, backup)).at(-1)
  if (earliest !== undefined) return earliest
  // No batch follows in any backup: the last one may still be known to be complete up to there.
  if (newest !== undefined && 'moment' in point && newest.at >= point.moment) return newest
  const broken = finished.find(backup => !whole.includes(backup) && isBefore(point, backup))
  if (broken !== undefined) {
    throw new Error(`only ${broken.name} in ${place} contains it, and it is not in order: name it to try it`)
  }
  if (newest === undefined) throw new Error(`there is no finished backup in ${place}: see raay backup list`)
  const end = 'moment' in point ? new Date(newest.at).toISOString() : `batch ${newest.manifest?.sequence}`
  const advice = 'choose an earlier point, or take the history of a data directory with --from'
  throw new Error(`the newest backup in ${place} ends at ${end}: ${advice}`)
}

/**
 * Returns whether a point is certainly in the history of a backup. A moment is if a later batch is there, by
 * the time of the exchange, because the clock that names backups may have been set back, or held.
 */
function isBefore(point: HistoryPoint, { at, manifest }: StoredBackup): boolean {
  if ('sequence' in point) return (manifest?.sequence ?? 0) >= point.sequence
  const last = manifest?.journal?.last.at
  return last === undefined ? at >= point.moment : Date.parse(last) > point.moment
}
