import type { Database } from '../database.js'
import type { JournalRow } from '../journal.js'
import { BEGINNING, linkFault } from '../journal.js'
import { Reached } from '../reached.js'
import { wholeJournal } from './last-sequence.js'

/** Rows checked beyond the required ones; fewer if their text is long. */
const ROWS_MORE = 64
const TEXT_LENGTH_MAX = 8_000_000

/**
 * Returns what breaks the hash chain within the journal's last rows; undefined if it is intact or the file
 * has no journal yet.
 *
 * @param rows the number of rows to check at least
 */
export function journalEndFault(database: Database, rows: number): string | undefined {
  const journal = wholeJournal(database)
  if (journal === undefined) return undefined
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
  const isFirst = later !== undefined && later.sequence <= 1
  return isFirst ? linkFault(BEGINNING, later as JournalRow) : undefined
}

/**
 * Returns why the tables and the journal are not of one history: the journal is missing, or it has no batch
 * like the last one that the tables include.
 *
 * @param journal the path of the journal's file
 */
export function reachedFault(database: Database, journal: string): string | undefined {
  const version = "SELECT 1 FROM main.sqlite_schema WHERE name = 'reached'"
  if (database.prepare(version).get() === undefined) return undefined
  const whole = wholeJournal(database)
  if (whole === undefined) return `its journal ${journal} is missing`
  const reached = new Reached(database).read()
  if (reached.sequence === 0) return undefined
  const same = database.prepare(`SELECT 1 FROM ${whole} WHERE sequence = ? AND hash = ?`)
  if (same.get(reached.sequence, reached.hash) !== undefined) return undefined
  return `the tables are at batch ${reached.sequence}, which the journal does not have as they know it`
}
