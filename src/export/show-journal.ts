import type { Command } from '../core/command.js'
import type { Sequence } from '../core/units.js'
import { readCommands } from '../store/command-text.js'
import { openReadOnly } from '../store/database.js'
import type { JournalRow } from '../store/journal.js'

/** A batch of the journal, with the queue messages of specification 2.6. */
export interface ShownBatch {
  readonly sequence: Sequence
  readonly shard: number
  readonly at: string
  readonly hash: string
  readonly commands: readonly Command[]
}

export interface JournalRange {
  /** The first batch; by default the range ends with the last one. */
  readonly from: number | undefined
  readonly limit: number
}

/**
 * Reads some batches of an exchange, running or not, or of a backup, archived ones among them.
 *
 * @param file of the tables
 */
export function* shownBatches(file: string, { from, limit }: JournalRange): Generator<ShownBatch> {
  const database = openReadOnly(file)
  try {
    const columns = 'sequence, shard, at, commands, hash'
    const end = database.prepare<[], { sequence: number }>(
      'SELECT sequence FROM whole_journal ORDER BY sequence DESC LIMIT 1',
    )
    const first = from ?? (end.get()?.sequence ?? 0) - limit + 1
    const rows = database.prepare<[number, number], JournalRow>(
      `SELECT ${columns} FROM whole_journal WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
    )
    for (const { sequence, shard, at, commands, hash } of rows.iterate(first, limit)) {
      const when = new Date(at).toISOString()
      const read = readCommands(commands, sequence)
      yield { sequence, shard, at: when, hash: hash.toString('hex'), commands: read }
    }
  } finally {
    database.close()
  }
}
