import { wholeJournal } from '../../store/audit/last-sequence.js'
import type { Database } from '../../store/database.js'
import type { Check } from './check.js'
import { ok, warn } from './check.js'
import { sizeText } from '../../api/size-text.js'

const DAY_MS = 86_400_000
const WINDOW_DAYS = 7
/** Less history than this says nothing about a day. */
const WINDOW_MS_MIN = 3_600_000
const BATCHES_MIN = 100
const DAYS_LEFT_MIN = 30
const DAYS_SHOWN_MAX = 3650
const MEGABYTE = 1_000_000

/** The growth of the files over the last days. */
export interface Growth {
  readonly bytesPerDay: number
  /** The days that it was measured over. */
  readonly days: number
}

/**
 * Measures how fast the files grow: by the journal's batches of the last days, each with the average size of
 * all. Returns undefined if there is too little history.
 *
 * @param bytes the sizes of tables and journal together
 */
export function growthOf(database: Database, bytes: number, now: number): Growth | undefined {
  const journal = wholeJournal(database)
  if (journal === undefined) return undefined
  const batch = database.prepare<[number], Batch>(
    `SELECT sequence, at FROM ${journal} WHERE sequence >= ? ORDER BY sequence LIMIT 1`,
  )
  const last = database
    .prepare<unknown[], Batch>(`SELECT sequence, at FROM ${journal} ORDER BY sequence DESC LIMIT 1`)
    .get()
  const first = batch.get(0)
  if (first === undefined || last === undefined) return undefined
  const start = firstSince(batch, first, last, now - WINDOW_DAYS * DAY_MS)
  const batches = last.sequence - start.sequence + 1
  const elapsedMs = now - start.at
  if (batches < BATCHES_MIN || elapsedMs < WINDOW_MS_MIN) return undefined
  const bytesPerBatch = bytes / (last.sequence - first.sequence + 1)
  const days = elapsedMs / DAY_MS
  return { bytesPerDay: (batches * bytesPerBatch) / days, days }
}

interface Batch {
  readonly sequence: number
  readonly at: number
}

/** Returns the first batch since a moment; the journal's time never goes back. */
function firstSince(
  batch: { get(sequence: number): Batch | undefined },
  first: Batch,
  last: Batch,
  since: number,
): Batch {
  let [low, high] = [first, last]
  while (low.at < since && low.sequence < high.sequence) {
    const middle = batch.get(Math.floor((low.sequence + high.sequence + 1) / 2)) ?? high
    if (middle.at >= since && middle.sequence < high.sequence) high = middle
    else if (middle.at >= since) return high
    else low = middle
  }
  return low
}

/** Says when the disk will be full at the present rate. */
export function growthCheck(growth: Growth | undefined, freeBytes: number): Check {
  if (growth === undefined) return ok('growth', 'too little history to tell')
  const { bytesPerDay, days } = growth
  const left = freeBytes / bytesPerDay
  const when = left > DAYS_SHOWN_MAX ? 'more than ten years' : `${Math.floor(left)} days`
  const found = `${rateText(bytesPerDay)} a day over the last ${spanText(days)}: full in ${when}`
  const advice = 'make room, archive settled events with raay archive, or move old backups elsewhere'
  return left < DAYS_LEFT_MIN ? warn('growth', found, advice) : ok('growth', found)
}

function rateText(bytes: number): string {
  return bytes < MEGABYTE ? 'less than 1 MB' : `about ${sizeText(bytes)}`
}

function spanText(days: number): string {
  return days < 2 ? `${Math.round(days * 24)} hours` : `${Math.round(days)} days`
}
