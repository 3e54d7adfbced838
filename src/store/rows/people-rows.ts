import type { Outcome } from '../../core/market.js'
import type { Side } from '../../core/order.js'
import type { AccountNumber, MarketCode, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { userOwner } from './account-rows.js'

/** A line of a statement, in the order of all statements together. */
export interface PeopleLine {
  readonly id: number
  readonly account: AccountNumber
  readonly at: TimeMs
  readonly kind: string
  readonly change: number
  readonly market: MarketCode | null
  readonly trade: number | null
}

/** A trade with its parties. */
export interface PeopleTrade {
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly takerSide: Side
  readonly taker: AccountNumber
  readonly maker: AccountNumber
}

/** A market whose payout is known, and the exclusive group whose money it shares. */
export interface PeoplePayout {
  readonly payout: PriceTicks
  readonly pool: MarketCode | null
}

/** A market, or an exclusive group, that was settled or voided. */
export interface PeopleMarket {
  readonly code: MarketCode
  /** Of a group: `void`, or `yes`. */
  readonly outcome: Outcome
  readonly resolvedAt: TimeMs | null
  /** The market that won a group; null for a market, and for a void group. */
  readonly winner: MarketCode | null
}

/** Reads what people did, in the order in which it was written, for figures about them. */
export class PeopleRows {
  readonly #database: Database
  readonly #selectLines: Statement<PeopleLine>
  readonly #selectTrade: Statement<PeopleTrade>
  readonly #selectPayout: Statement<PeoplePayout>
  readonly #selectOver: Statement<PeopleMarket>
  readonly #selectOwner: Statement<string>

  constructor(database: Database) {
    this.#database = database
    this.#selectLines = database.prepare(
      `SELECT id, account, at, kind, change, market, trade FROM whole_entries AS e
       WHERE id > ? AND NOT EXISTS (SELECT 1 FROM house_quotes AS q WHERE q.account = e.account)
       ORDER BY id LIMIT ?`,
    )
    this.#selectTrade = database.prepare(
      `SELECT price, quantity, taker_side AS takerSide, taker_account AS taker, maker_account AS maker
       FROM whole_trades WHERE market = ? AND trade = ?`,
    )
    this.#selectPayout = database.prepare(
      `SELECT payout, pool FROM markets WHERE code = $code
       UNION ALL SELECT payout, NULL FROM market_groups WHERE code = $code`,
    )
    this.#selectOver = database.prepare(
      `SELECT code, outcome, resolved_at AS resolvedAt, NULL AS winner
       FROM json_each($codes) CROSS JOIN markets ON code = value WHERE status IN ('settled', 'voided')
       UNION ALL SELECT g.code, iif(max(m.outcome = 'void'), 'void', 'yes'), max(m.resolved_at),
         max(iif(m.outcome = 'yes', m.code, NULL))
       FROM json_each($codes) CROSS JOIN market_groups AS g ON g.code = value
       CROSS JOIN markets AS m ON m.group_code = g.code
       GROUP BY g.code HAVING min(m.status IN ('settled', 'voided'))`,
    )
    const prefix = userOwner('')
    this.#selectOwner = database
      .prepare<unknown[], string>(
        `SELECT substr(owner, ${prefix.length + 1}) FROM accounts
         WHERE number = ? AND owner GLOB '${prefix}*'`,
      )
      .pluck()
  }

  /** Runs several reads that see one moment. */
  atOnce<Read>(read: () => Read): Read {
    return this.#database.transaction(read)()
  }

  /** Returns the lines of all statements after one, oldest first. */
  lines(after: number, lengthMax: number): PeopleLine[] {
    return this.#selectLines.all(after, lengthMax)
  }

  trade(market: MarketCode, trade: number): PeopleTrade | undefined {
    return this.#selectTrade.get(market, trade)
  }

  payout(code: MarketCode): PeoplePayout | undefined {
    return this.#selectPayout.get({ code })
  }

  /** Returns the markets and groups among these that were settled or voided. */
  overAmong(codes: Iterable<MarketCode>): PeopleMarket[] {
    return this.#selectOver.all({ codes: JSON.stringify([...codes]) })
  }

  /** Returns the id of the user who owns an account; undefined for the exchange's own. */
  userId(account: AccountNumber): string | undefined {
    return this.#selectOwner.get(account)
  }
}
