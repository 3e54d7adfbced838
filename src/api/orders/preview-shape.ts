import type { Order, OrderReason, OrderState } from './order-shape.js'

/** The effect of an order if it arrived now. Prices refer to the outcome that it names. */
export interface OrderPreview {
  readonly event_id: string
  readonly userid: string
  /** The state that it would get. */
  readonly state: OrderState
  readonly reason: OrderReason | null
  /** The money that would be set aside for it on arrival. */
  readonly held: number
  readonly fills: readonly { readonly price: number; readonly quantity: number }[]
  readonly filled_quantity: number
  /** Contracts that would rest, or be cancelled. */
  readonly remaining_quantity: number
  readonly average_price: number | null
  /** The most that it could cost in fees. */
  readonly fee_max: number
  /** The fee of these fills; absent where the event has no fees. */
  readonly fee?: number | undefined
}

/** The orders that fill before an order. */
export interface QueuePlace {
  readonly contracts_ahead: number
  readonly orders_ahead: number
  /** Set if there are more than were counted. */
  readonly at_least?: true | undefined
}

/** An open order, and the orders that fill before it. */
export interface QueuedOrder extends QueuePlace {
  readonly id: string
}

/** An order, and where it stands if it rests. */
export interface OrderInQueue extends Order {
  readonly queue: QueuePlace | null
}
