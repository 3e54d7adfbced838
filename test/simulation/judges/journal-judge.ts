import { assert } from '../../../src/core/assert.js'
import type { Command } from '../../../src/core/command.js'
import type { BatchOutcome } from '../../../src/core/engine-event.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../../src/core/units.js'
import { Engine } from '../../../src/engine/engine.js'
import { readCommands } from '../../../src/store/command-text.js'
import type { JournalRow } from '../../../src/store/journal.js'
import { chainHash } from '../../../src/store/journal.js'
import { Auditor } from '../../fixtures/naive/auditor.js'
import { NaiveJudge } from '../../fixtures/naive/naive-judge.js'
import type { NaiveHouse } from '../../fixtures/naive/naive-house.js'
import type { NaiveMarket } from '../../fixtures/naive/naive-market.js'

/** A row of the journal, and its outcome when replayed. */
export interface JudgedBatch {
  readonly at: TimeMs
  readonly commands: readonly Command[]
  readonly outcome: BatchOutcome
}

/**
 * Replays a journal and checks every batch: the chain and the clock, the money against the auditor, the fills
 * against a naive market. Ends with the engine that the journal alone gives.
 */
export class JournalJudge {
  readonly engine = new Engine()
  readonly #auditor = new Auditor(this.engine)
  readonly #orders = new NaiveJudge(this.engine)
  readonly #ids = new Set<string>()
  #sequence = 0
  #at = 0
  #hash: Buffer = Buffer.alloc(32)

  take(row: JournalRow): JudgedBatch {
    assert(row.sequence === this.#sequence + 1, 'the journal counts 1, 2, 3 without a gap')
    assert(row.at >= this.#at, 'the time of the journal never goes back')
    assert(row.hash.equals(chainHash(this.#hash, row)), 'the chain of the journal is unbroken')
    this.#sequence = row.sequence
    this.#at = row.at
    this.#hash = row.hash

    const commands = readCommands(row.commands, row.sequence)
    for (const { id } of commands) {
      assert(!this.#ids.has(id), 'a command is decided once')
      this.#ids.add(id)
    }
    const batch = { at: row.at, commands }
    const outcome = this.engine.apply(batch)
    this.#auditor.take(batch, outcome)
    this.#orders.take(batch, outcome)
    return { ...batch, outcome }
  }

  /** By account, all house quotes that were ever funded. */
  get houses(): ReadonlyMap<AccountNumber, NaiveHouse> {
    return this.#orders.houses
  }

  get markets(): ReadonlyMap<MarketCode, NaiveMarket> {
    return this.#orders.markets
  }

  /** Checks, after a batch that left nothing in flight, that the house quotes what it should. */
  assertQuoted(): void {
    this.#orders.assertQuoted()
  }

  /** Returns true for a command that was decided. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }
}
