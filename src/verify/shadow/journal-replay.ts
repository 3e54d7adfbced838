import type { Sequence, TimeMs } from '../../core/units.js'
import { readCommands } from '../../store/command-text.js'
import type { Database } from '../../store/database.js'
import { isPassing } from '../../store/database.js'
import type { Watched } from '../stored/expected-rows.js'
import { ExpectedRows } from '../stored/expected-rows.js'
import { writeStateRows } from '../stored/state-rows.js'
import type { ReplayFindings } from './replay.js'
import { Replay } from './replay.js'

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
  const rows = new ExpectedRows(watched)
  const replay = new Replay(rows, findings)
  let last = 0
  let commandsCount = 0
  let stopped: string | undefined
  const journal = database.prepare('SELECT sequence, at, commands FROM journal ORDER BY sequence')
  for (const row of journal.raw().iterate() as Iterable<[Sequence, TimeMs, string]>) {
    const [sequence, at, text] = row
    last = sequence
    if (stopped !== undefined) continue
    try {
      const commands = readCommands(text, sequence)
      commandsCount += commands.length
      replay.apply(sequence, { at, commands })
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
      replay.apply(sequence, { at, commands: readCommands(text, sequence) })
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
