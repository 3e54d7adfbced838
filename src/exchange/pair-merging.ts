import type { Command } from '../core/command.js'
import { newOrdersOf } from '../core/command.js'
import type { PositionPosting } from '../core/postings.js'
import type { AccountNumber } from '../core/units.js'
import { NO_LOTS } from '../core/units.js'
import type { CommandParts } from './command-parts.js'
import type { DeskMarket } from './markets/desk-market.js'
import { sendToMarket } from './send-to-market.js'

/** Redeems users' free YES/NO pairs for cash, as soon as both are free. */
export class PairMerging {
  readonly #parts: CommandParts

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Merges the pairs that a committed batch has freed. */
  afterBatch(commands: readonly Command[], positions: readonly PositionPosting[]): void {
    const { desk } = this.#parts
    for (const { market: code, account } of positions) {
      const market = desk.markets.get(code)
      // A group has net payments, but no contracts of its own.
      if (market !== undefined) this.merge(market, account)
    }
    // A refused order posts nothing, but its locks end: the contracts it was to sell may complete pairs.
    for (const command of commands) {
      for (const { market, account, admission } of newOrdersOf(command)) {
        if ('refusal' in admission || admission.covered === NO_LOTS) continue
        this.merge(desk.market(market), account)
      }
    }
  }

  /** Merges a user's free pairs; once there is an outcome, the settlement does that. */
  merge(market: DeskMarket, account: AccountNumber): void {
    if (market.pendingOutcome !== undefined) return
    const { desk, shards, sources } = this.#parts
    const { code } = market.terms
    const quantity = desk.ledger.freePairs(code, account)
    if (quantity === NO_LOTS) return
    desk.ledger.lock(code, account, 'yes', quantity)
    desk.ledger.lock(code, account, 'no', quantity)
    void sendToMarket(shards, sources, code, { type: 'MERGE_PAIRS', account, quantity })
  }
}
