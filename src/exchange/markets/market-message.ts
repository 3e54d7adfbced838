import type { Level } from '../../core/book/order-book.js'
import type { MarketStatus, Outcome } from '../../core/market.js'
import type { CancelReason, Refusal, Side } from '../../core/order.js'
import type { PriceTicks, QuantityLots } from '../../core/units.js'

/** A trade as the public hears of it. */
export interface PublicTrade {
  readonly tradeId: string
  readonly price: PriceTicks
  readonly quantity: QuantityLots
}

/** What a market's channel says, once it is on disk: an engine event with public ids, and without a user. */
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
      /** Contracts, in the client's own number: a refused quantity may fit no grid. */
      readonly remainingContracts: number
      readonly reason: CancelReason | Refusal
    }
  | { readonly type: 'trade'; readonly takerSide: Side; readonly trades: readonly PublicTrade[] }
  | { readonly type: 'status'; readonly status: MarketStatus; readonly outcome: Outcome | undefined }
  | { readonly type: 'delta'; readonly bids: readonly Level[]; readonly asks: readonly Level[] }
)
