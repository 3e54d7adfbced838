import type {
  CancelReason,
  OrderState,
  OrderType,
  Refusal,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../core/order.js'

export type { OrderState, OrderType, SelfTradePrevention, Side, TimeInForce } from '../../core/order.js'

export type OfferType = 'buy' | 'sell'
/** Reason for rejecting an order or cancelling its rest. */
export type OrderReason = Refusal | CancelReason

/** State of an order, open or final. `price` refers to the outcome that it names. */
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
  readonly reason: OrderReason | null
  readonly filled_quantity: number
  readonly remaining_quantity: number
  readonly average_price: number | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly client_order_id: string | null
  readonly quote_set: string | null
  /** The most that it may pay in fees, and what it has paid; absent from an order without fees. */
  readonly fee_max?: number | undefined
  readonly fee_paid?: number | undefined
  readonly updatedAt: string
}

/** Result of cancelling all orders of a user. */
export interface CancelledOrders {
  /** Their final states, at most 1,000. */
  readonly orders: readonly Order[]
  /** The number of cancelled orders. */
  readonly ended: number
  /** The number of orders still open because the queue was full. */
  readonly still_open: number
}

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
