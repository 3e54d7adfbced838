import type { Database } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { BEGINNING, chainHash } from '../journal.js'

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
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").get() === undefined) {
    return undefined
  }
  const select = database.prepare<unknown[], JournalRow>(
    'SELECT sequence, shard, at, commands, hash FROM journal ORDER BY sequence DESC LIMIT ?',
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

function linkFault(before: JournalEnd, row: JournalRow): string | undefined {
  const { sequence, at, hash } = row
  if (sequence !== before.sequence + 1) return `batch ${before.sequence + 1} of the journal is missing`
  if (at < before.at) return `the time of batch ${sequence} is before that of the batch before it`
  if (chainHash(before.hash, row).equals(hash)) return undefined
  return `batch ${sequence} of the journal does not follow from batch ${before.sequence}`
}
