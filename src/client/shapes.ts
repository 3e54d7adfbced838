import type {
  OfferType,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../api/orders/order-shape.js'

/** Answers of the exchange: rupees, contracts, ISO 8601 in UTC. The contract defines each shape once. */
export type {
  Level,
  ListedMarket,
  Market,
  MarketStatus,
  OrderBook,
  Outcome,
} from '../api/events/event-shape.js'
export type { Candle, Trade } from '../api/events/trade-shape.js'
export type * from '../api/operator/operator-shape.js'
export type * from '../api/orders/order-shape.js'
export type {
  Balance,
  Fill,
  Position,
  UserBalance,
  ValuedPosition,
} from '../api/portfolio/portfolio-shape.js'
export type { Settlement, StatementEntry, TransferReceipt } from '../api/portfolio/statement-shape.js'

/** A request for an order, in the words in which orders are shown. */
export interface OrderRequest {
  readonly event_id: string
  readonly offer_type: OfferType
  /** Price of the outcome; only a hint for a market order. */
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
