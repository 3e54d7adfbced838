import type { Sequence, TimeMs } from '../../core/units.js'
import type { Database } from '../database.js'

/** Number and time of a batch in the journal. */
export interface LastBatch {
  readonly sequence: Sequence
  readonly at: TimeMs
}

/** Returns the journal's last batch, with zeros where the journal is empty. */
export function lastBatch(database: Database): LastBatch {
  const last = database.prepare<unknown[], LastBatch>(
    'SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1',
  )
  return last.get() ?? { sequence: 0 as Sequence, at: 0 as TimeMs }
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
