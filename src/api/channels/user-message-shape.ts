import type { Order } from '../orders/order-shape.js'
import type { Balance, Fill, Position } from '../portfolio/portfolio-shape.js'

/** A message of a user's channel. Its values are absolute, not differences. */
export type UserMessage = { readonly user_seq: number; readonly ts: number } & (
  | {
      readonly type: 'snapshot'
      /** Null before the user has an account. */
      readonly balance: Balance | null
      /** By event, the lowest codes. */
      readonly positions: readonly Position[]
      /** True if those of higher codes are not listed. */
      readonly more_positions: boolean
      /** Open orders, newest first. */
      readonly orders: readonly Order[]
      /** True if older open orders are not listed. */
      readonly more_orders: boolean
    }
  | { readonly type: 'order'; readonly order: Order }
  | { readonly type: 'fill'; readonly fill: Fill }
  | { readonly type: 'position'; readonly position: Position }
  | { readonly type: 'balance'; readonly balance: Balance }
)
