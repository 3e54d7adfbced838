import { assert } from '../../core/assert.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import { beginningOf } from '../audit/journal-batches.js'
import type { Database } from '../database.js'
import type { BatchPlace } from '../journal.js'

/** The end of an archive: a batch, and the time before which its rows last changed. */
export interface ArchiveCut {
  /** The last batch that moves. */
  readonly sequence: Sequence
  /** The time of the first batch that stays. */
  readonly before: TimeMs
}

/**
 * Returns where to cut so that everything before a limit can move; undefined if nothing is that old. The last
 * batch always stays: the journal goes on from it.
 *
 * @param database a connection to the tables of a stopped exchange, which include the whole journal
 */
export function cutBefore(database: Database, limit: TimeMs): ArchiveCut | undefined {
  const select = database.prepare<unknown[], BatchPlace>(
    'SELECT sequence, at FROM live_journal WHERE sequence >= ? ORDER BY sequence LIMIT 1',
  )
  const placeOf = (sequence: number) => {
    const place = select.get(sequence)
    assert(place !== undefined, 'the journal has every batch')
    return place
  }
  const newest = 'SELECT sequence FROM live_journal ORDER BY sequence DESC LIMIT 1'
  const last = database.prepare<unknown[], Sequence>(newest).pluck().get() ?? 0
  const begin = beginningOf(database).sequence
  if (last <= begin) return undefined
  // Bisection: the time of the journal never goes back.
  let first = begin + 1
  for (let end = last; first < end; ) {
    const middle = Math.floor((first + end) / 2)
    if (placeOf(middle).at < limit) first = middle + 1
    else end = middle
  }
  const { at } = placeOf(first)
  return first - 1 > begin ? { sequence: (first - 1) as Sequence, before: at } : undefined
}
