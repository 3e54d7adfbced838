import type { Sequence } from '../../core/units.js'
import type { Database } from '../database.js'

/** Returns the sequence of the journal's last batch; 0 if it is empty. */
export function lastSequence(database: Database): Sequence {
  return sequenceOf(database, 'SELECT ifnull(max(sequence), 0) FROM journal')
}

/**
 * Returns the last batch that the tables mention. It may be behind the journal's last, because not every
 * batch writes such a row; if it is ahead, the journal has lost its end.
 */
export function lastSequenceInTables(database: Database): Sequence {
  return sequenceOf(
    database,
    `SELECT max(
      ifnull((SELECT sequence FROM entries ORDER BY id DESC LIMIT 1), 0),
      ifnull((SELECT sequence FROM updates ORDER BY id DESC LIMIT 1), 0),
      ifnull((SELECT max(sequence) FROM admin_actions), 0))`,
  )
}

function sequenceOf(database: Database, sql: string): Sequence {
  const [sequence] = database.prepare(sql).raw().get() as [Sequence]
  return sequence
}
