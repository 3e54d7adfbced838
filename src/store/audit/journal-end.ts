import type { Database } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { BEGINNING, linkFault } from '../journal.js'
import type { ReachedBatch } from '../reached.js'
import { beginningOf, endOfJournal, hasBatch } from './journal-batches.js'
import { lastSequenceInTables } from './last-sequence.js'

/** Rows checked beyond the required ones; fewer if their text is long. */
const ROWS_MORE = 64
const TEXT_LENGTH_MAX = 8_000_000

/**
 * Returns what breaks the hash chain within a journal's last rows; undefined if it is intact. A journal
 * without its archive begins where that ends.
 *
 * @param journal the table's name on this connection, with its database
 * @param rows the number of rows to check at least
 */
export function journalEndFault(database: Database, journal: string, rows: number): string | undefined {
  const select = database.prepare<unknown[], JournalRow>(
    `SELECT sequence, shard, at, commands, hash FROM ${journal} ORDER BY sequence DESC LIMIT ?`,
  )
  let later: JournalRow | undefined
  let count = 0
  let length = 0
  for (const row of select.iterate(rows + ROWS_MORE + 1)) {
    const fault = later && linkFault(row, later)
    if (fault !== undefined) return fault
    later = row
    count++
    length += row.commands.length
    if (count > rows + 1 && length > TEXT_LENGTH_MAX) return undefined
  }
  return later && startFault(beginningOf(database), later)
}

/** Returns why the oldest row read is not where the journal may begin; undefined for one after that. */
function startFault(beginning: JournalEnd, row: JournalRow): string | undefined {
  if (row.sequence <= 1) return linkFault(BEGINNING, row)
  return row.sequence === beginning.sequence + 1 ? linkFault(beginning, row) : undefined
}

/** Returns why the tables and their journal are not of one history; undefined if they are. */
export function reachedFault(database: Database, journal: string, reached: ReachedBatch): string | undefined {
  const { sequence } = endOfJournal(database, journal)
  const inTables = Math.max(reached.sequence, lastSequenceInTables(database))
  if (sequence < inTables) return `the journal ends at batch ${sequence}, the tables at batch ${inTables}`
  if (reached.sequence < inTables) {
    return `the tables mention batch ${inTables}, but are marked as of batch ${reached.sequence}`
  }
  if (hasBatch(database, journal, reached)) return undefined
  return `batch ${reached.sequence} of the journal is not the one that the tables include`
}
