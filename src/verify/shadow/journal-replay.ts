import type { Command, CommandBatch } from '../../core/command.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { isPassing } from '../../store/database.js'
import type { Watched } from '../stored/expected-rows.js'
import { ExpectedRows } from '../stored/expected-rows.js'
import { writeStateRows } from '../stored/state-rows.js'
import type { ReplayFindings } from './replay.js'
import { Replay } from './replay.js'
import type { Began } from './shadow-account.js'

/** Result of replaying the journal up to the batch that the tables include. */
export interface ReplayedJournal {
  readonly replay: Replay
  readonly rows: ExpectedRows
  readonly sequence: number
  readonly commandsCount: number
  /** Reason why the replay stopped early; its rows mean nothing then. */
  readonly stopped: string | undefined
}

/** Called for every batch, with the number of orders in the journal so far. */
export type BatchPlayed = (sequence: number, orders: number) => void

/** Plays the journal into an empty state, up to the batch that the tables include, as far as possible. */
export function replayJournal(
  database: Database,
  findings: ReplayFindings,
  played: BatchPlayed,
  watched?: Watched,
): ReplayedJournal {
  const began = readBegan(database)
  const rows = new ExpectedRows(watched)
  const replay = new Replay(rows, findings, began)
  let last = 0
  let commandsCount = 0
  let stopped: string | undefined
  const journal = database.prepare('SELECT sequence, at, commands FROM journal ORDER BY sequence')
  for (const row of journal.raw().iterate() as Iterable<[Sequence, TimeMs, string]>) {
    const [sequence, at, text] = row
    last = sequence
    if (stopped !== undefined) continue
    try {
      const commands = JSON.parse(text) as Command[]
      commandsCount += commands.length
      const batch = { at, commands }
      replay.apply(sequence, sequence <= began.statements ? asDecidedThen(batch) : batch)
      if (sequence === began.statements || sequence === began.channels) replay.begin(sequence, at)
      played(sequence, replay.ordersCount)
    } catch (error) {
      if (isPassing(error)) throw error
      stopped = undecided(sequence, error)
    }
  }
  if (stopped === undefined) writeStateRows(replay, rows)
  return { replay, rows, sequence: last, commandsCount, stopped }
}

/**
 * Plays what the journal has beyond the tables, which the next start will add to them: it must be decidable,
 * too. Returns the batch that is not.
 */
export function replayTail(
  database: Database,
  { replay, sequence: last }: ReplayedJournal,
): string | undefined {
  const tail = database.prepare(
    'SELECT sequence, at, commands FROM whole_journal WHERE sequence > ? ORDER BY sequence',
  )
  for (const row of tail.raw().iterate(last) as Iterable<[Sequence, TimeMs, string]>) {
    const [sequence, at, text] = row
    try {
      replay.apply(sequence, { at, commands: JSON.parse(text) as Command[] })
    } catch (error) {
      if (isPassing(error)) throw error
      return undecided(sequence, error)
    }
  }
  return undefined
}

function undecided(sequence: Sequence, error: unknown): string {
  return `batch ${sequence} cannot be decided again: ${error instanceof Error ? error.message : error}`
}

/**
 * Returns the batch up to which an older file had no statements, or no private channels: the migration began
 * each of them with a row. Returns 0 if the file always had them, or if no user had money then.
 */
function readBegan(database: Database): Began {
  const read = (sql: string) => {
    const [sequence] = database.prepare(`SELECT ifnull(max(sequence), 0) FROM ${sql}`).raw().get() as [number]
    return sequence
  }
  return {
    statements: read("entries WHERE kind = 'brought_forward'"),
    channels: read('updates WHERE fills IS NULL'),
  }
}

/** Restores a rule of the first version: closing a market cleared its book at once, however large. */
function asDecidedThen({ at, commands }: CommandBatch): CommandBatch {
  const decided = commands.flatMap((command): Command[] => {
    if (command.type !== 'MOVE_MARKET' || command.to !== 'closed') return [command]
    const { id, market } = command
    return [command, { type: 'CLEAR_BOOK', id, market, length: Number.POSITIVE_INFINITY }]
  })
  return { at, commands: decided }
}
