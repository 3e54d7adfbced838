import type { Side } from '../core/order.js'
import type { OrderRecord } from '../core/order-record.js'
import type { TimeMs } from '../core/units.js'
import type { Chance } from './seeded-random.js'

/** What a bot knows when its turn comes. Prices are YES prices in ticks, quantities contracts. */
export interface MarketView {
  readonly now: TimeMs
  readonly chance: Chance
  readonly payout: number
  readonly tickSize: number
  /** Half of what a maker wants between its best bid and its best ask. */
  readonly halfSpread: number
  /** The size of a usual order. */
  readonly unit: number
  /** What the market should cost, as far as anybody can know. */
  readonly fair: number
  /** The last price, or the fair one where nobody has traded. */
  readonly last: number
  /** By how much the last price is above those before it. */
  readonly trend: number
  readonly bestBid: number | undefined
  readonly bestAsk: number | undefined
  /** The bot's YES contracts, less its NO contracts. */
  readonly inventory: number
  /** The bot's open orders, oldest first. */
  readonly own: readonly OrderRecord[]
}

/**
 * An order that a bot would like to place: `rest` waits in the book and is refused where it would trade,
 * `take` trades at its price or better and does not wait, `market` trades at what there is.
 */
export interface Quote {
  readonly kind: 'rest' | 'take' | 'market'
  readonly side: Side
  /** It need not be on the market's grid. */
  readonly price: number
  readonly quantity: number
  readonly expiresAt?: TimeMs
}

/** One turn of a bot: an order of its own that goes, and one that comes. Either may be missing. */
export interface Turn {
  readonly cancel?: OrderRecord | undefined
  readonly quote?: Quote | undefined
}

/** How a bot trades; it decides by what it sees alone. */
export type Strategy = (view: MarketView) => Turn
