import type { Side } from '../core/order.js'
import type { OrderRecord } from '../core/order-record.js'
import type { TimeMs } from '../core/units.js'
import type { Chance } from './seeded-random.js'

/** A bot's information at its turn. Prices are YES prices in ticks, quantities contracts. */
export interface MarketView {
  readonly now: TimeMs
  readonly chance: Chance
  readonly payout: number
  readonly tickSize: number
  /** Half of a maker's target gap between its best bid and its best ask. */
  readonly halfSpread: number
  /** The size of a usual order. */
  readonly unit: number
  /** The fair price, from the model. */
  readonly fair: number
  /** The last price, or the fair one before the first trade. */
  readonly last: number
  /** Difference between the last price and those before it. */
  readonly trend: number
  readonly bestBid: number | undefined
  readonly bestAsk: number | undefined
  /** The bot's YES contracts, less its NO contracts. */
  readonly inventory: number
  /** The bot's open orders, oldest first. */
  readonly own: readonly OrderRecord[]
}

/**
 * An order that a bot would like to place: `rest` waits in the book and is refused if it would trade, `take`
 * trades at its price or better and does not wait, `market` trades at any price available.
 */
export interface Quote {
  readonly kind: 'rest' | 'take' | 'market'
  readonly side: Side
  /** Not necessarily on the market's grid. */
  readonly price: number
  readonly quantity: number
  readonly expiresAt?: TimeMs
}

/** One turn of a bot: an order to cancel and one to place, both optional. */
export interface Turn {
  readonly cancel?: OrderRecord | undefined
  readonly quote?: Quote | undefined
}

/** A way to trade; decides by its view alone. */
export type Strategy = (view: MarketView) => Turn
