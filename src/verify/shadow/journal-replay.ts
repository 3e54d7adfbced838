import type { Command, CommandBatch } from '../../core/command.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { Watched } from '../stored/expected-rows.js'
import { ExpectedRows } from '../stored/expected-rows.js'
import { writeStateRows } from '../stored/state-rows.js'
import type { ReplayFindings } from './replay.js'
import { Replay } from './replay.js'
import type { Began } from './shadow-account.js'

/** What the whole journal came to. */
export interface ReplayedJournal {
  readonly replay: Replay
  readonly rows: ExpectedRows
  readonly sequence: number
  readonly commandsCount: number
  /** Why it could not be played to its end; its rows say nothing then. */
  readonly stopped: string | undefined
}

/** Called for every batch, with how many orders the journal has told of so far. */
export type BatchPlayed = (sequence: number, orders: number) => void

/** Plays the journal into an empty state, as far as it can be played. */
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
      stopped = `batch ${sequence} cannot be decided again: ${error instanceof Error ? error.message : error}`
    }
  }
  if (stopped === undefined) writeStateRows(replay, rows)
  return { replay, rows, sequence: last, commandsCount, stopped }
}

/**
 * Up to where an older file had no statements, or no private channels: its migrations began each with a row.
 * 0 where the file always had them, or no user had money then.
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

/** In the first version a market that closed cleared its book at once, however many orders rested. */
function asDecidedThen({ at, commands }: CommandBatch): CommandBatch {
  const decided = commands.flatMap((command): Command[] => {
    if (command.type !== 'MOVE_MARKET' || command.to !== 'closed') return [command]
    const { id, market } = command
    return [command, { type: 'CLEAR_BOOK', id, market, length: Number.POSITIVE_INFINITY }]
  })
  return { at, commands: decided }
}
