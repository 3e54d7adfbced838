import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import type { Database } from '../store/database.js'
import { openServed, relaxSync, truncateIdleLog } from '../store/database.js'
import { MergedTables } from '../store/merge/merged-tables.js'
import type { ReachedBatch } from '../store/reached.js'
import { Reached } from '../store/reached.js'
import type { BatchSource } from './batch-source.js'
import { Replay } from './batch-source.js'

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
 * The only writer of the tables. Takes committed batches in journal order, and writes the rows of many of
 * them in one transaction, with the mark of the last. A page of a table costs the same whether one of its
 * rows changed or all, so rows wait in memory for others. A failure is a bug or a broken disk, and fatal: the
 * tables can then only be brought on by another start.
 */
export class Follower {
  readonly #database: Database
  readonly #source: BatchSource
  readonly #tables: MergedTables
  readonly #reached: Reached
  #at: Sequence
  /** The last batch taken, if its rows are not written yet, and the work of all such batches. */
  #unwritten: ReachedBatch | undefined
  #work = 0

  /**
   * @param database a writing connection to the tables, which shows the journal
   * @param source where it has the batches from; without one, it replays the journal
   */
  constructor(database: Database, source: BatchSource = new Replay(database)) {
    this.#database = database
    relaxSync(database)
    this.#source = source
    this.#tables = new MergedTables(database)
    this.#reached = new Reached(database)
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
    for (const { batch, hash } of this.#source.batches(before, upTo)) {
      const { sequence } = batch.place
      assert(sequence === last + 1, 'the journal has every batch')
      this.#tables.take(batch)
      last = sequence
      this.#unwritten = { sequence, hash }
      this.#work += batch.commandsCount + batch.outcome.entries.length / LINES_PER_COMMAND
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
    this.#source.written()
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
