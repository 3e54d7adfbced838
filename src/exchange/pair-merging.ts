import type { Command } from '../core/command.js'
import { newOrdersOf } from '../core/command.js'
import type { PositionPosting } from '../core/postings.js'
import type { AccountNumber } from '../core/units.js'
import { NO_LOTS } from '../core/units.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { Desk } from './desk.js'
import type { DeskMarket } from './markets/desk-market.js'
import { sendToMarket } from './send-to-market.js'
import type { Sources } from './sources.js'

/** Redeems users' free YES/NO pairs for cash, as soon as both are free. */
export class PairMerging {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources

  constructor(desk: Desk, shards: ShardPool, sources: Sources) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
  }

  /** Merges the pairs that a committed batch has freed. */
  afterBatch(commands: readonly Command[], positions: readonly PositionPosting[]): void {
    for (const { market: code, account } of positions) {
      const market = this.#desk.markets.get(code)
      // A group has net payments, but no contracts of its own.
      if (market !== undefined) this.merge(market, account)
    }
    // A refused order posts nothing, but its locks end: the contracts it was to sell may complete pairs.
    for (const command of commands) {
      for (const { market, account, admission } of newOrdersOf(command)) {
        if ('refusal' in admission || admission.covered === NO_LOTS) continue
        this.merge(this.#desk.market(market), account)
      }
    }
  }

  /** Merges a user's free pairs; once there is an outcome, the settlement does that. */
  merge(market: DeskMarket, account: AccountNumber): void {
    if (market.pendingOutcome !== undefined) return
    const { code } = market.terms
    const quantity = this.#desk.ledger.freePairs(code, account)
    if (quantity === NO_LOTS) return
    this.#desk.ledger.lock(code, account, 'yes', quantity)
    this.#desk.ledger.lock(code, account, 'no', quantity)
    void sendToMarket(this.#shards, this.#sources, code, { type: 'MERGE_PAIRS', account, quantity })
  }
}
