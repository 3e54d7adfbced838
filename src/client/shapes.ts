/**
 * What the exchange answers and tells, as it writes it. Prices and money are rupees, quantities contracts,
 * times are ISO 8601 in UTC.
 */

/** The versions of an exchange's software: `0.1.0`, `v22.23.0`. */
export interface Version {
  readonly version: string
  readonly node: string
}

export type Side = 'yes' | 'no'
export type OfferType = 'buy' | 'sell'
export type OrderType = 'LO' | 'MO'
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD'
export type SelfTradePrevention = 'taker' | 'maker' | 'off'
export type MarketStatus = 'scheduled' | 'open' | 'halted' | 'closed' | 'resolved' | 'settled' | 'voided'
export type Outcome = Side | 'void'
export type OrderState =
  | 'queued'
  | 'resting'
  | 'partially_filled'
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'rejected'

/** A YES/NO question one can trade; `event_id` is its code. */
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
  readonly source_url: string | null
  readonly note: string | null
  readonly resolvedAt: string | null
  readonly last_price: number | null
  readonly best_bid: number | null
  readonly best_ask: number | null
  readonly volume: number
  readonly open_interest: number
}

/** A market of a list that was asked for without descriptions. */
export type ListedMarket = Omit<Market, 'description'>

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

/** `price` is the YES price. `tradeId` is the event's code and the trade's number in it: 1, 2, 3, … */
export interface Trade {
  readonly tradeId: string
  readonly event_id: string
  readonly price: number
  readonly qty: number
  readonly taker_side: Side
  readonly ts: string
}

export interface Candle {
  readonly ts: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly trades: number
}

/** How an order stands, or ended. `price` is that of the outcome which it names. */
export interface Order {
  readonly id: string
  readonly orderBookId: string
  readonly event_id: string
  readonly userid: string
  readonly price: number
  readonly quantity: number
  readonly status: 'PENDING' | 'PLACED'
  readonly createdAt: string
  readonly offer_type: OfferType
  readonly outcome: Side
  readonly order_type: OrderType
  readonly side: Side
  readonly time_in_force: TimeInForce
  readonly expires_at: string | null
  readonly state: OrderState
  readonly reason: string | null
  readonly filled_quantity: number
  readonly remaining_quantity: number
  readonly average_price: number | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly client_order_id: string | null
  readonly updatedAt: string
}

/** An order as one asks for it, in the words in which it is shown. */
export interface OrderRequest {
  readonly event_id: string
  readonly offer_type: OfferType
  /** Of the outcome; a hint only for a market order. */
  readonly price: number
  readonly quantity: number
  /** `LO` by default. */
  readonly order_type?: OrderType
  /** `yes` by default. */
  readonly outcome?: Side
  readonly time_in_force?: TimeInForce
  readonly expires_at?: string
  readonly valid_until?: string
  readonly post_only?: boolean
  readonly reduce_only?: boolean
  readonly self_trade_prevention?: SelfTradePrevention
  /** A random one by default. */
  readonly client_order_id?: string
  /** The client's by default. */
  readonly userid?: string
}

export interface Balance {
  readonly cash: number
  readonly held: number
  readonly available: number
}

/** Contracts in one event. What they cost and earned is told by `fetchPositions` only. */
export interface Position {
  readonly event_id: string
  readonly yes: number
  readonly no: number
  readonly yes_locked: number
  readonly no_locked: number
}

export interface ValuedPosition extends Position {
  readonly average_price: number | null
  readonly realised: number | null
  readonly unrealised: number | null
}

/** A user's part in a trade. `price` is that of the outcome which the order names. */
export interface Fill {
  readonly tradeId: string
  readonly event_id: string
  readonly order_id: string
  readonly side: Side
  readonly outcome: Side
  readonly price: number
  readonly qty: number
  readonly role: 'taker' | 'maker'
  readonly ts: string
  /** By how much it changed the cash. */
  readonly amount: number
}

/** One change of a user's cash, and the cash after it. */
export interface StatementEntry {
  readonly id: string
  readonly createdAt: string
  readonly type: string
  readonly amount: number
  readonly cash: number
  readonly event_id: string | null
  readonly order_id: string | null
  readonly trade_id: string | null
  readonly txn_id: string | null
}

/** How one event ended for its user. */
export interface Settlement {
  readonly event_id: string
  readonly outcome: Outcome
  readonly yes: number
  readonly no: number
  readonly paid: number
  readonly payment: number
  readonly result: number
  readonly settledAt: string
}
