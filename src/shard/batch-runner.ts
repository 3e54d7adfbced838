import type { CommandBatch } from '../core/command.js'
import type { BatchOutcome } from '../core/engine-event.js'
import type { Sequence, TimeMs } from '../core/units.js'
import { Engine } from '../engine/engine.js'
import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { assertDurable } from '../store/database.js'
import { Journal } from '../store/journal.js'
import { Tables } from '../store/tables.js'
import type { Turn } from '../store/turn.js'

/** A batch that is on disk: its place in the journal, the time it counts for, and what it did. */
export interface BatchResult {
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly outcome: BatchOutcome
}

/** Which of how many shards this is; a market belongs to shard `code mod count`. */
export interface ShardPlace {
  readonly index: number
  readonly count: number
}

/**
 * One shard at work: takes its turn, decides a batch in memory and writes it in one transaction. Whatever
 * fails here is fatal for the process, for the books may then be ahead of the disk.
 */
export class BatchRunner {
  readonly #engine = new Engine()
  readonly #database: Database
  readonly #turn: Turn
  readonly #journal: Journal
  readonly #tables: Tables
  #isDurable = false

  /** Rebuilds the shard's books from the open orders, in the order of arrival. */
  constructor(database: Database, turn: Turn, place: ShardPlace) {
    this.#database = database
    this.#turn = turn
    this.#journal = new Journal(database, place.index)
    this.#tables = new Tables(database)
    for (const { terms, progress } of [...this.#tables.markets.all()]) {
      if (terms.code % place.count !== place.index) continue
      this.#engine.restore(terms, progress, this.#tables.orders.resting(terms.code))
    }
    for (const market of this.#engine.markets()) market.book.assertInvariants()
  }

  run(batch: CommandBatch): BatchResult {
    this.#turn.take()
    try {
      const result = this.#database.transaction(() => this.#applyAndWrite(batch)).immediate()
      if (!this.#isDurable) assertDurable(this.#database)
      this.#isDurable = true
      return result
    } finally {
      this.#turn.pass()
    }
  }

  /** The fingerprint of the shard's books. */
  stateHash(): string {
    return stateHash(this.#engine)
  }

  #applyAndWrite(batch: CommandBatch): BatchResult {
    const end = this.#journal.end()
    const at = Math.max(batch.at, end.at) as TimeMs
    const outcome = this.#engine.apply({ at, commands: batch.commands })
    const sequence = this.#journal.append(end, at, batch.commands)
    this.#tables.write(batch.commands, outcome, at)
    return { sequence, at, outcome }
  }
}
