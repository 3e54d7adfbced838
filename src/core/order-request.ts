import type { OrderKey } from './order-names.js'
import type { OrderType, SelfTradePrevention, Side } from './order.js'
import type { OrderOptions } from './order-options.js'
import type { MarketCode } from './units.js'

/** An order as it comes in, on the YES price axis; its numbers may not fit the market's grid yet. */
export interface OrderRequest extends OrderOptions {
  readonly market: MarketCode
  readonly userId: string
  readonly side: Side
  readonly orderType: OrderType
  readonly selfTrade: SelfTradePrevention
  readonly key?: OrderKey
  /** The outcome whose price the client named. */
  readonly outcome: Side
  /** The YES price, in rupees. */
  readonly yesPrice: number
  /** The price as the client named it, in rupees. */
  readonly askedPrice: number
  /** In contracts. */
  readonly quantity: number
}
