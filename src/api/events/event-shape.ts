import type { MarketStatus, Outcome } from '../../core/market.js'
import type { Side } from '../../core/order.js'

export type { MarketStatus, Outcome } from '../../core/market.js'

/** A YES/NO question to trade on; `event_id` is its code. */
export interface Market {
  readonly id: string
  readonly event_id: string
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly start_date: string
  readonly end_date: string
  readonly createdAt: string
  readonly min_bet: number
  readonly max_bet: number
  readonly sot: string
  readonly traders: number
  readonly quantity: number
  readonly status: MarketStatus
  readonly payout: number
  readonly tick_size: number
  readonly outcome: Outcome | null
  readonly category: string | null
  readonly image: string | null
  readonly source_url: string | null
  readonly note: string | null
  readonly resolvedAt: string | null
  readonly last_price: number | null
  readonly best_bid: number | null
  readonly best_ask: number | null
  readonly volume: number
  readonly volume_24h: number
  readonly change_24h: number | null
  readonly open_interest: number
  /** Fee rates in basis points of price × (payout − price) ÷ payout; absent without fees. */
  readonly fee_taker_bp?: number | undefined
  readonly fee_maker_bp?: number | undefined
  /** The group that the event is an outcome of, and its own title there; absent without a group. */
  readonly group?: string | undefined
  readonly label?: string | undefined
  /** The orders of the house; absent where it does not quote, and in lists. */
  readonly house_quotes?: QuotedByHouse | undefined
}

/** The orders of the house in a book, and the most that it can lose. */
export interface QuotedByHouse {
  readonly max_loss: number
  readonly rungs: readonly HouseRung[]
}

/** A price at which the house quotes. */
export interface HouseRung {
  readonly side: Side
  /** The YES price. */
  readonly price: number
  readonly quantity: number
}

/** A market in a list requested without descriptions. */
export interface ListedMarket extends Omit<Market, 'description'> {
  /** YES prices of the last 24 hours, oldest first, if the request asked for them. */
  readonly trend?: readonly number[]
}

/** One page of a list; `next_cursor` is the cursor of the next page, null on the last one. */
export interface MarketPage {
  readonly events: readonly ListedMarket[]
  readonly next_cursor: string | null
}

/** A category, with how many of its events can be traded or will open, and how many there are. */
export interface Category {
  readonly category: string
  readonly trading: number
  readonly events: number
}

export interface Categories {
  readonly categories: readonly Category[]
}

export type Level = readonly [price: number, quantity: number]

/** A book as of message `seq` of its channel: YES prices, best first. */
export interface OrderBook {
  readonly event_id: string
  readonly seq: number
  readonly status: MarketStatus
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly last_price: number | null
}
