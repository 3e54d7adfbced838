import type { Sequence, TimeMs } from '../../core/units.js'
import { endOfJournal } from '../../store/audit/journal-batches.js'
import type { BatchPlace } from '../../store/journal.js'
import type { HistorySource } from './history-source.js'
import { RestoreError } from './restore-error.js'

/** The batch after which a history is cut: by its number, or as the last one at or before a moment. */
export type HistoryPoint = { readonly sequence: number } | { readonly moment: TimeMs }

/** A point, or the last batch there is. */
export type PointOrEnd = HistoryPoint | 'end'

/** The batch found, and the last one of the history that it was found in. */
export interface FoundPoint extends BatchPlace {
  readonly end: BatchPlace
}

/**
 * Finds the batch of a point. Throws RestoreError if the history does not contain it, or ends before it is
 * certain that no later batch belongs to it.
 *
 * @param coveredUntil the time up to which the history is known to be complete; undefined if its end is the
 *   end of all
 */
export function findPoint(source: HistorySource, point: PointOrEnd, coveredUntil?: TimeMs): FoundPoint {
  const { database, journal, logDamage } = source
  const end = endOfJournal(database, journal)
  if (end.sequence === 0) throw new RestoreError(`${source.name} has no history: its journal is empty`)
  if (point === 'end')
    return { sequence: end.sequence, at: end.at, end: { sequence: end.sequence, at: end.at } }
  const found = 'sequence' in point ? bySequence(source, point.sequence, end) : byMoment(source, point.moment)
  const isEnd = found.sequence === end.sequence
  if (isEnd && 'moment' in point && coveredUntil !== undefined && point.moment > coveredUntil) {
    const [made, wanted] = [textOf(coveredUntil), textOf(point.moment)]
    throw new RestoreError(`${source.name} is as of ${made}, before ${wanted}: choose a later backup`)
  }
  if (isEnd && logDamage !== undefined && 'moment' in point) {
    throw new RestoreError(
      `the write-ahead log of ${source.name} is damaged behind batch ${end.sequence} of ${textOf(end.at)}, ` +
        `so it is unknown what else happened until ${textOf(point.moment)}: choose an earlier moment, ` +
        `or name that batch with --to-sequence ${end.sequence}`,
    )
  }
  return { ...found, end: { sequence: end.sequence, at: end.at } }
}

function bySequence(
  { database, journal, name }: HistorySource,
  sequence: number,
  end: BatchPlace,
): BatchPlace {
  const select = database.prepare<unknown[], BatchPlace>(
    `SELECT sequence, at FROM ${journal} WHERE sequence = ?`,
  )
  const found = select.get(sequence)
  if (found !== undefined) return found
  const has = `${name} has the batches 1 to ${end.sequence} (${textOf(end.at)})`
  throw new RestoreError(`${has}, not batch ${sequence}`)
}

/** Searches by halves: the time of the journal never goes back, and has no index. */
function byMoment(source: HistorySource, moment: TimeMs): BatchPlace {
  const { database, journal, name } = source
  const select = database.prepare<unknown[], BatchPlace>(
    `SELECT sequence, at FROM ${journal} WHERE sequence >= ? ORDER BY sequence LIMIT 1`,
  )
  const first = select.get(1)
  if (first === undefined || first.at > moment) {
    const began = first === undefined ? 'never' : textOf(first.at)
    throw new RestoreError(`the history of ${name} begins at ${began}, after ${textOf(moment)}`)
  }
  let found = first
  let [low, high] = [first.sequence as number, endOfJournal(database, journal).sequence as number]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const batch = select.get(middle)
    if (batch !== undefined && batch.at <= moment) {
      found = batch
      low = batch.sequence + 1
    } else high = middle - 1
  }
  return { sequence: found.sequence as Sequence, at: found.at }
}

const textOf = (at: TimeMs) => new Date(at).toISOString()
