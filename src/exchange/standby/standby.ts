import { assert } from '../../core/assert.js'
import type { By, Command } from '../../core/command.js'
import { RULES } from '../../core/epoch.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { Sequence, TimeMs } from '../../core/units.js'
import type { Following } from '../../follower/following.js'
import type { BatchResult } from '../../shard/batch-runner.js'
import { readCommands, writeCommands } from '../../store/command-text.js'
import type { JournalEnd, JournalRow } from '../../store/journal.js'
import { chainHash } from '../../store/journal.js'
import type { BatchEffects } from '../batch-effects.js'
import type { CommandParts } from '../command-parts.js'
import { takeCommands } from './take-commands.js'

/** The rows of another exchange's journal do not follow from this one's: none of them was taken. */
export class RowsRefusedError extends Error {
  override readonly name = 'RowsRefusedError'
}

/** The most rows of a transaction, and of their text together: about 100 ms of work. */
const ROWS_MAX = 256
const TEXT_MAX = 512 * 1024

/** The log that an exchange goes on from. */
export interface EpochLog {
  /** The last row that the exchange has taken from it. */
  readonly end: JournalEnd
  /** Puts the next row, on the condition that it is the next one; rejects if it is not. */
  put(row: JournalRow): Promise<void>
}

interface StandbyParts extends CommandParts {
  readonly following: Following
  readonly effects: BatchEffects
  /** The time of the last batch. */
  readonly endedAt: TimeMs
  readonly fail: (error: Error) => void
}

/** Rows that a shard has, and what it makes of them: why it refuses them, or the results. */
interface Sent {
  readonly rows: readonly JournalRow[]
  readonly decided: Promise<readonly BatchResult[] | string>
}

/**
 * Follows the journal of another exchange: one shard decides its rows again and commits them as they are, and
 * the desk takes them. Nothing else changes anything until this exchange leads.
 */
export class Standby {
  readonly #parts: StandbyParts
  /** The rows that are followed, one call after the other. */
  #last: Promise<void> = Promise.resolve()
  #isEnding = false
  #endedAt: TimeMs

  constructor(parts: StandbyParts) {
    this.#parts = parts
    this.#endedAt = parts.endedAt
  }

  /** Takes rows that follow from the last one; resolves when they are committed and applied. */
  follow(rows: readonly JournalRow[]): Promise<void> {
    const followed = this.#last.then(() => this.#follow(rows))
    this.#last = followed.catch(() => undefined)
    return followed
  }

  /** Waits until the rows that it was given are applied, or refused. */
  drain(): Promise<void> {
    return this.#last
  }

  /**
   * Ends following: commits the line that begins an epoch, right behind the last row. Then starts what a
   * start starts, and takes requests. With a log, that must take the line first; if it does not, this rejects
   * with the reason, and the exchange goes on following.
   */
  async lead(by: Omit<By, 'fields'>, log?: EpochLog): Promise<void> {
    const { desk, shards, following, sources, effects } = this.#parts
    assert(!desk.leads && !this.#isEnding, 'an exchange begins to lead once')
    this.#isEnding = true
    await this.#last
    const endedAt = this.#endedAt
    const next = { epoch: desk.epochs.last.epoch + 1, rules: RULES }
    const id = sources.messageId()
    const command = { type: 'BEGIN_EPOCH', id, ...next, by: { ...by, fields: next } } as const
    if (log === undefined) {
      await following.drain()
      await shards.lead()
      await shards.submit(EXTERNAL, command)
    } else {
      const row = rowAfter(log.end, sources.now(), [command])
      try {
        await log.put(row)
      } catch (error) {
        this.#isEnding = false
        throw error
      }
      await this.#take([row])
      await following.drain()
      await shards.lead()
    }
    desk.leads = true
    await effects.begin(endedAt)
  }

  async #follow(rows: readonly JournalRow[]): Promise<void> {
    assert(!this.#parts.desk.leads && !this.#isEnding, 'an exchange that leads follows no other')
    await this.#take(rows)
  }

  async #take(rows: readonly JournalRow[]): Promise<void> {
    const { shards, following } = this.#parts
    // The shard decides the next rows while the desk applies those before.
    let before: Sent | undefined
    for (const part of partsOf(rows)) {
      await following.whenRoom()
      const sent = { rows: part, decided: shards.follow(part) }
      sent.decided.catch(() => undefined)
      if (before !== undefined) await this.#apply(before)
      before = sent
    }
    if (before !== undefined) await this.#apply(before)
  }

  async #apply({ rows, decided }: Sent): Promise<void> {
    const results = await decided
    if (typeof results === 'string') throw new RowsRefusedError(results)
    const { desk, effects, fail } = this.#parts
    try {
      for (const [index, result] of results.entries()) {
        const row = rows[index] as JournalRow
        const commands = readCommands(row.commands, row.sequence)
        takeCommands(desk, commands, result.at)
        effects.followed(commands, result)
        this.#endedAt = result.at
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
}

/** Returns the row that follows another. */
function rowAfter(end: JournalEnd, now: TimeMs, commands: readonly Command[]): JournalRow {
  const at = Math.max(now, end.at) as TimeMs
  const row = { sequence: (end.sequence + 1) as Sequence, shard: 0, at, commands: writeCommands(commands) }
  return { ...row, hash: chainHash(end.hash, row) }
}

/** Splits rows into parts of one transaction each. */
function* partsOf(rows: readonly JournalRow[]): Generator<readonly JournalRow[]> {
  let part: JournalRow[] = []
  let length = 0
  for (const row of rows) {
    if (part.length === ROWS_MAX || (part.length > 0 && length + row.commands.length > TEXT_MAX)) {
      yield part
      part = []
      length = 0
    }
    part.push(row)
    length += row.commands.length
  }
  if (part.length > 0) yield part
}
