import type { Sequence, TimeMs } from '../../core/units.js'
import type { Database } from '../database.js'
import type { BatchPlace } from '../journal.js'

/**
 * Returns the name by which a connection reads the whole journal, beyond what the tables include; undefined
 * for a new file.
 */
export function wholeJournal(database: Database): string | undefined {
  const named = (schema: string, name: string) =>
    database.prepare(`SELECT 1 FROM ${schema} WHERE name = ?`).get(name) !== undefined
  if (named('sqlite_temp_schema', 'whole_journal')) return 'whole_journal'
  return named('main.sqlite_schema', 'journal') ? 'main.journal' : undefined
}

/** Returns the journal's last batch, with zeros where the journal is empty. */
export function lastBatch(database: Database): BatchPlace {
  const journal = wholeJournal(database)
  const last =
    journal === undefined
      ? undefined
      : database
          .prepare<unknown[], BatchPlace>(
            `SELECT sequence, at FROM ${journal} ORDER BY sequence DESC LIMIT 1`,
          )
          .get()
  return last ?? { sequence: 0 as Sequence, at: 0 as TimeMs }
}

/**
 * Returns the last batch that the tables mention. It may be behind the journal's last, because not every
 * batch writes such a row; if it is ahead, the journal has lost its end.
 */
export function lastSequenceInTables(database: Database): Sequence {
  const select = database.prepare(
    `SELECT max(
      ifnull((SELECT sequence FROM entries ORDER BY id DESC LIMIT 1), 0),
      ifnull((SELECT sequence FROM updates ORDER BY id DESC LIMIT 1), 0),
      ifnull((SELECT max(sequence) FROM admin_actions), 0))`,
  )
  const [sequence] = select.raw().get() as [Sequence]
  return sequence
}
