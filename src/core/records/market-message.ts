import type { Level } from '../book/order-book.js'
import type { MarketStatus, Outcome } from '../market.js'
import type { CancelReason, Refusal, Side } from '../order.js'
import type { PriceTicks, QuantityLots } from '../units.js'

/** A trade as everyone sees it. */
export interface PublicTrade {
  readonly tradeId: string
  readonly price: PriceTicks
  readonly quantity: QuantityLots
}

/** A message of a market's channel: a committed engine event with public ids, without its user. */
export type MarketMessage = { readonly seq: number } & (
  | {
      readonly type: 'ORDER_PLACED'
      readonly orderId: string
      readonly executed: QuantityLots
      readonly fills: readonly PublicTrade[]
    }
  | {
      readonly type: 'ORDER_CANCELLED' | 'ORDER_REJECTED'
      readonly orderId: string
      readonly executed: QuantityLots
      /** Contracts, as the client sent them: a refused quantity may be off the grid. */
      readonly remainingContracts: number
      readonly reason: CancelReason | Refusal
    }
  | { readonly type: 'trade'; readonly takerSide: Side; readonly trades: readonly PublicTrade[] }
  | { readonly type: 'status'; readonly status: MarketStatus; readonly outcome: Outcome | undefined }
  | { readonly type: 'delta'; readonly bids: readonly Level[]; readonly asks: readonly Level[] }
)
