import type { Command, CommandBatch } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import type { Database } from '../store/database.js'
import type { Watched } from './expected-rows.js'
import { ExpectedRows } from './expected-rows.js'
import type { ReplayFindings } from './replay.js'
import { Replay } from './replay.js'
import { writeStateRows } from './state-rows.js'

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
  const broughtForward = readBroughtForward(database)
  const untold = readUntold(database)
  const rows = new ExpectedRows(broughtForward, watched)
  const replay = new Replay(rows, findings, untold)
  let last = 0
  let commandsCount = 0
  let stopped: string | undefined
  const journal = database.prepare('SELECT sequence, at, commands FROM journal ORDER BY sequence')
  for (const row of journal.raw().iterate() as Iterable<[number, TimeMs, string]>) {
    const [sequence, at, text] = row
    last = sequence
    if (stopped !== undefined) continue
    try {
      const commands = JSON.parse(text) as Command[]
      commandsCount += commands.length
      const batch = { at, commands }
      replay.apply(sequence, sequence <= broughtForward ? asDecidedThen(batch) : batch)
      if (sequence === broughtForward) bringForward(replay, rows, sequence, at)
      if (sequence === untold) beginChannels(replay, sequence, at)
      played(sequence, replay.ordersCount)
    } catch (error) {
      stopped = `batch ${sequence} cannot be decided again: ${error instanceof Error ? error.message : error}`
    }
  }
  if (stopped === undefined) writeStateRows(replay, rows)
  return { replay, rows, sequence: last, commandsCount, stopped }
}

/**
 * The last batch of a file's first version, which kept no statements: the migration began each with one line.
 * 0 where the file is of a later version, or no user had money then.
 */
function readBroughtForward(database: Database): number {
  const sql = "SELECT ifnull(max(sequence), 0) FROM entries WHERE kind = 'brought_forward'"
  const [sequence] = database.prepare(sql).raw().get() as [number]
  return sequence
}

/** The last batch of a file from before there were private channels: the migration began each with a row. */
function readUntold(database: Database): number {
  const sql = 'SELECT ifnull(max(sequence), 0) FROM updates WHERE fills IS NULL'
  const [sequence] = database.prepare(sql).raw().get() as [number]
  return sequence
}

function beginChannels(replay: Replay, sequence: number, at: number): void {
  for (const [number, { owner, cash, held }] of [...replay.accounts].sort(([a], [b]) => a - b)) {
    if (owner.startsWith('user:')) replay.updates.bringForward(number, sequence, at, cash, held)
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

function bringForward(replay: Replay, rows: ExpectedRows, sequence: number, at: number): void {
  for (const [number, { owner, cash }] of replay.accounts) {
    if (owner.startsWith('user:') && cash !== 0) rows.broughtForward(number, sequence, at, cash)
  }
}
