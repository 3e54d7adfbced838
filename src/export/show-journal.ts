import type { Command } from '../core/command.js'
import type { Sequence } from '../core/units.js'
import { readCommands } from '../store/command-text.js'
import { openReadOnly } from '../store/database.js'
import type { JournalEnd, JournalRow } from '../store/journal.js'
import { BEGINNING, linkFault } from '../store/journal.js'

/** The length of the commands read at once; a batch may be longer. */
const PART_LENGTH = 1_000_000

/** A batch of the journal, with the queue messages of specification 2.6. */
export interface ShownBatch {
  readonly sequence: Sequence
  readonly shard: number
  readonly at: string
  readonly hash: string
  readonly commands: readonly Command[]
  /** Why it does not follow from the batch before it, if that is so. */
  readonly fault?: string
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
    let next = from ?? (end.get()?.sequence ?? 0) - limit + 1
    let left = limit
    const rows = database.prepare<[number, number], JournalRow>(
      `SELECT ${columns} FROM whole_journal WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
    )
    const rowBefore = database.prepare<[number], JournalRow>(
      `SELECT ${columns} FROM whole_journal WHERE sequence < ? ORDER BY sequence DESC LIMIT 1`,
    )
    let before: JournalEnd = rowBefore.get(next) ?? BEGINNING
    // An open query keeps the exchange from emptying its log: none is while the reader takes its time.
    for (let part = partOf(rows.iterate(next, left)); part.length > 0; ) {
      for (const row of part) {
        yield shown(row, linkFault(before, row))
        before = row
        next = row.sequence + 1
      }
      left -= part.length
      part = partOf(rows.iterate(next, left))
    }
  } finally {
    database.close()
  }
}

function shown(row: JournalRow, fault: string | undefined): ShownBatch {
  const { sequence, shard, at, hash } = row
  const place = { sequence, shard, at: new Date(at).toISOString(), hash: hash.toString('hex') }
  try {
    const commands = readCommands(row.commands, sequence)
    return { ...place, commands, ...(fault !== undefined && { fault }) }
  } catch (error) {
    if (fault === undefined) throw error
    throw new Error(`${fault}; ${error instanceof Error ? error.message : String(error)}`)
  }
}

function partOf(rows: Iterable<JournalRow>): JournalRow[] {
  const part: JournalRow[] = []
  let length = 0
  for (const row of rows) {
    part.push(row)
    length += row.commands.length
    if (length >= PART_LENGTH) break
  }
  return part
}
