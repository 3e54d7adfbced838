import type { Command } from '../core/command.js'
import type { BatchOutcome } from '../core/engine-event.js'
import type { TransferRow } from '../core/records/statement-record.js'
import type { Sequence, TimeMs } from '../core/units.js'
import { Engine } from '../engine/engine.js'
import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { assertDurable, truncateIdleLog } from '../store/database.js'
import { Journal } from '../store/journal.js'
import { OpenOrderRows } from '../store/rows/open-order-rows.js'
import type { UpdatedUser } from '../store/tables.js'
import { Tables } from '../store/tables.js'
import type { WriteLock } from '../store/write-lock.js'

/** A committed batch: its sequence in the journal, its time, and its outcome. */
export interface BatchResult {
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly outcome: Omit<BatchOutcome, 'entries' | 'settlements'>
  /** The users with new private messages, and the number of the last one of each. */
  readonly updatedUsers: readonly UpdatedUser[]
  /** The deposits and withdrawals, as the table has them. */
  readonly transfers: readonly TransferRow[]
}

/** A shard's index and the number of shards; a market belongs to shard `code mod count`. */
export interface ShardPlace {
  readonly index: number
  readonly count: number
}

/**
 * Runs one shard: takes the write lock, decides a batch in memory and writes it in one transaction. Any
 * failure here is fatal for the process, because the books may then be ahead of the disk.
 */
export class BatchRunner {
  readonly #engine = new Engine()
  readonly #database: Database
  readonly #writeLock: WriteLock
  readonly #journal: Journal
  readonly #tables: Tables
  #isDurable = false

  /** Rebuilds the shard's books from the open orders, in order of arrival. */
  constructor(database: Database, writeLock: WriteLock, place: ShardPlace) {
    this.#database = database
    this.#writeLock = writeLock
    this.#journal = new Journal(database, place.index)
    this.#tables = new Tables(database)
    const openOrders = new OpenOrderRows(database)
    for (const { terms, progress } of [...this.#tables.markets.all()]) {
      if (terms.code % place.count !== place.index) continue
      this.#engine.restore(terms, progress, openOrders.resting(terms.code))
    }
    for (const market of this.#engine.markets()) market.book.assertInvariants()
  }

  /**
   * Decides and writes one batch. Takes the commands as the JSON text that the journal stores, so that the
   * engine decides exactly what a replay will read. Returns a `BatchResult` as JSON: strings cross threads
   * fastest.
   */
  run(at: TimeMs, commands: string): string {
    this.#writeLock.acquire()
    try {
      const result = this.#database.transaction(() => this.#applyAndWrite(at, commands)).immediate()
      if (!this.#isDurable) assertDurable(this.#database)
      this.#isDurable = true
      return JSON.stringify(result)
    } finally {
      this.#writeLock.release()
    }
  }

  /** Empties the write-ahead log; no shard writes meanwhile. */
  truncateLog(): void {
    this.#writeLock.acquire()
    try {
      truncateIdleLog(this.#database)
    } finally {
      this.#writeLock.release()
    }
  }

  /** Returns the fingerprint of the shard's state. */
  stateHash(): string {
    return stateHash(this.#engine)
  }

  #applyAndWrite(askedAt: TimeMs, text: string): BatchResult {
    const end = this.#journal.end()
    const at = Math.max(askedAt, end.at) as TimeMs
    const commands = JSON.parse(text) as Command[]
    const outcome = this.#engine.apply({ at, commands })
    const sequence = this.#journal.append(end, at, text)
    const written = this.#tables.write(commands, outcome, { sequence, at })
    const { entries, settlements, ...forDesk } = outcome
    return { sequence, at, outcome: forDesk, ...written }
  }
}
