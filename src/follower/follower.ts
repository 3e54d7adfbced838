import { assert } from '../core/assert.js'
import type { Command } from '../core/command.js'
import { isOver } from '../core/market.js'
import type { MarketCode, Sequence } from '../core/units.js'
import { Engine } from '../engine/engine.js'
import { StoredMarkets } from '../shard/stored-markets.js'
import type { Database, Statement } from '../store/database.js'
import { openServed, relaxSync, truncateIdleLog } from '../store/database.js'
import type { JournalRow } from '../store/journal.js'
import { MergedTables } from '../store/merge/merged-tables.js'
import { Reached } from '../store/reached.js'

/**
 * About 50 ms of work, counted in commands: the follower holds no core, and no reader waits, for longer than
 * this and one batch.
 */
const WORK_MAX = 2000
/** The statement lines that are as much work as a command. */
const LINES_PER_COMMAND = 4

/**
 * The only writer of the tables. Replays the journal through an engine of its own, in journal order, and
 * writes the rows of many batches in one transaction, with the mark of the last of them. A failure is a bug
 * or a broken disk, and fatal: the tables can then only be brought on by another start.
 */
export class Follower {
  readonly #database: Database
  readonly #engine = new Engine()
  readonly #tables: MergedTables
  readonly #stored: StoredMarkets
  readonly #reached: Reached
  readonly #select: Statement<JournalRow>
  #at: Sequence

  /** @param database a writing connection to the tables, which shows the journal */
  constructor(database: Database) {
    this.#database = database
    relaxSync(database)
    this.#tables = new MergedTables(database)
    this.#stored = new StoredMarkets(this.#engine, database)
    this.#reached = new Reached(database)
    this.#select = database.prepare(
      `SELECT sequence, shard, at, commands, hash FROM whole_journal
       WHERE sequence > ? AND sequence <= ? ORDER BY sequence`,
    )
    this.#at = this.#reached.read().sequence
  }

  /** The last batch that the tables include. */
  get reached(): Sequence {
    return this.#at
  }

  /**
   * Writes the rows of the next batches, up to one of them, in one transaction; returns the batch reached.
   */
  follow(upTo: Sequence): Sequence {
    if (upTo <= this.#at) return this.#at
    // Deferred: an immediate transaction would take the write lock of the journal, too.
    this.#at = this.#database.transaction(() => this.#write(upTo)).deferred()
    return this.#at
  }

  /** Empties the write-ahead log of the tables, unless a reader is using it. */
  truncateLog(): void {
    truncateIdleLog(this.#database)
  }

  #write(upTo: Sequence): Sequence {
    this.#reached.begin()
    let last: JournalRow | undefined
    let work = 0
    const over = new Set<MarketCode>()
    // Nothing is written while the cursor is open.
    for (const row of this.#select.iterate(this.#at, upTo)) {
      assert(row.sequence === (last?.sequence ?? this.#at) + 1, 'the journal has every batch')
      const commands = JSON.parse(row.commands) as Command[]
      this.#stored.restoreFor(commands)
      const { sequence, at } = row
      const outcome = this.#engine.apply({ at, commands })
      this.#tables.take(commands, outcome, { sequence, at })
      for (const { code, status } of outcome.markets) if (isOver(status)) over.add(code)
      last = row
      work += commands.length + outcome.entries.length / LINES_PER_COMMAND
      if (work >= WORK_MAX) break
    }
    assert(last !== undefined, 'a batch that was committed is in the journal')
    this.#tables.flush()
    for (const code of over) this.#forget(code)
    this.#reached.move(last.sequence, last.hash)
    return last.sequence
  }

  /**
   * Forgets a market that is over, a group once all its markets are: the few commands that still come restore
   * it.
   */
  #forget(code: MarketCode): void {
    const group = this.#engine.groupOf(code)
    const markets = group?.markets ?? []
    if (markets.some(({ progress }) => !isOver(progress.status))) return
    this.#engine.forget(group?.terms.code ?? code)
  }
}

/**
 * Brings the tables of a stopped exchange to the end of its journal; the last part of a recovery.
 *
 * @param reached called with each batch at which the tables were committed
 */
export function followToEnd(
  file: string,
  end: Sequence,
  reached: (sequence: Sequence) => void = () => undefined,
): void {
  const database = openServed(file)
  try {
    const follower = new Follower(database)
    while (follower.reached < end) reached(follower.follow(end))
  } finally {
    database.close()
  }
}
