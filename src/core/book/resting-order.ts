import type { OrderFee } from '../fees.js'
import type { Side } from '../order.js'
import type { AccountNumber, OrderNumber, PriceTicks, QuantityLots } from '../units.js'

declare const SLOT: unique symbol
/** The offset of an order in the book's memory; valid while the order rests. */
export type Slot = number & { readonly [SLOT]: true }

/** One price level: the YES price and the open quantity there. */
export type Level = readonly [price: PriceTicks, quantity: QuantityLots]

/** A resting order as read. `covered` is the part that sells contracts its owner holds. */
export interface RestingOrder {
  readonly number: OrderNumber
  readonly owner: AccountNumber
  readonly side: Side
  readonly price: PriceTicks
  readonly lots: QuantityLots
  readonly covered: QuantityLots
  /** Absent if it pays no fee; the book itself does not know it. */
  readonly fee?: OrderFee
}
