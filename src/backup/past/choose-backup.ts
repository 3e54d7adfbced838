import type { StoredBackup } from '../backup-list.js'
import type { HistoryPoint } from './history-point.js'

/**
 * Returns the earliest backup whose history contains a point, by the manifests. Throws with a message for the
 * operator if there is none, or if the backups are of several exchanges.
 */
export function chooseBackup(
  backups: readonly StoredBackup[],
  point: HistoryPoint,
  place: string,
): StoredBackup {
  const finished = backups.filter(({ manifest }) => manifest !== undefined)
  if (new Set(finished.map(({ manifest }) => manifest?.exchange)).size > 1) {
    throw new Error(`${place} has backups of several exchanges: name one of them`)
  }
  const earliest = finished
    .filter(({ at, manifest }) =>
      'moment' in point ? at >= point.moment : (manifest?.sequence ?? 0) >= point.sequence,
    )
    .at(-1)
  if (earliest !== undefined) return earliest
  const [newest] = finished
  if (newest === undefined) throw new Error(`there is no finished backup in ${place}: see raay backup list`)
  const end = 'moment' in point ? new Date(newest.at).toISOString() : `batch ${newest.manifest?.sequence}`
  const advice = 'choose an earlier point, or take the history of a data directory with --from'
  throw new Error(`the newest backup in ${place} ends at ${end}: ${advice}`)
}
