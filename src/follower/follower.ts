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
import type { ReachedBatch } from '../store/reached.js'
import { Reached } from '../store/reached.js'

/** The work of one call, counted in commands: about 30 ms, and one batch. */
const TAKEN_MAX = 2000
/** The work whose rows are written without being asked for: about 100 ms of writing. */
const UNWRITTEN_MAX = 8000
/** The statement lines that are as much work as a command. */
const LINES_PER_COMMAND = 4

/** How far the follower has come. */
export interface Followed {
  /** The last batch that it has decided: its rows are in the tables, or in memory until they are written. */
  readonly taken: Sequence
  /** The last batch that the tables include. */
  readonly reached: Sequence
}

/**
 * The only writer of the tables. Replays the journal through an engine of its own, in journal order, and
 * writes the rows of many batches in one transaction, with the mark of the last of them. A page of a table
 * costs the same whether one of its rows changed or all, so rows wait in memory for others. A failure is a
 * bug or a broken disk, and fatal: the tables can then only be brought on by another start.
 */
export class Follower {
  readonly #database: Database
  readonly #engine = new Engine()
  readonly #tables: MergedTables
  readonly #stored: StoredMarkets
  readonly #reached: Reached
  readonly #select: Statement<JournalRow>
  #at: Sequence
  /** The last batch taken, if its rows are not written yet, and the work of all such batches. */
  #unwritten: ReachedBatch | undefined
  #work = 0
  /** Markets that ended in batches that are not written yet. */
  readonly #over = new Set<MarketCode>()

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
   * Takes the next batches, up to one of them and as many as one call may. Writes their rows, and those that
   * wait, if it is asked to or if many wait.
   */
  follow(upTo: Sequence, writes = true): Followed {
    // One transaction, so that SQLite opens no other for each row that is looked up.
    if (upTo > this.#taken) this.#database.transaction(() => this.#take(upTo)).deferred()
    if (writes || this.#work >= UNWRITTEN_MAX) this.#write()
    return { taken: this.#taken, reached: this.#at }
  }

  /** Empties the write-ahead log of the tables, unless a reader is using it. */
  truncateLog(): void {
    truncateIdleLog(this.#database)
  }

  get #taken(): Sequence {
    return this.#unwritten?.sequence ?? this.#at
  }

  #take(upTo: Sequence): void {
    const before = this.#taken
    const enough = this.#work + TAKEN_MAX
    let last = before
    for (const row of this.#select.iterate(before, upTo)) {
      assert(row.sequence === last + 1, 'the journal has every batch')
      const commands = JSON.parse(row.commands) as Command[]
      this.#stored.restoreFor(commands)
      const { sequence, at, hash } = row
      const outcome = this.#engine.apply({ at, commands })
      this.#tables.take(commands, outcome, { sequence, at })
      for (const { code, status } of outcome.markets) if (isOver(status)) this.#over.add(code)
      last = sequence
      this.#unwritten = { sequence, hash }
      this.#work += commands.length + outcome.entries.length / LINES_PER_COMMAND
      if (this.#work >= enough) break
    }
    assert(last > before, 'a batch that was committed is in the journal')
  }

  /** Writes the rows of all batches taken, in one transaction. */
  #write(): void {
    const last = this.#unwritten
    if (last === undefined) return
    const write = this.#database.transaction(() => {
      this.#reached.begin()
      this.#tables.flush()
      this.#reached.move(last.sequence, last.hash)
    })
    // An immediate transaction would take the write lock of the journal, too.
    write.deferred()
    this.#at = last.sequence
    this.#unwritten = undefined
    this.#work = 0
    for (const code of this.#over) this.#forget(code)
    this.#over.clear()
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
    while (follower.reached < end) reached(follower.follow(end).reached)
  } finally {
    database.close()
  }
}
