import type { OrderKey } from './command.js'
import type { OrderType, SelfTradePrevention, Side, TimeInForce } from './order.js'
import type { MarketCode, TimeMs } from './units.js'

/** An order as it comes in, on the YES price axis; its numbers may not fit the market's grid yet. */
export interface OrderRequest {
  readonly market: MarketCode
  readonly userId: string
  readonly side: Side
  readonly orderType: OrderType
  readonly selfTrade: SelfTradePrevention
  readonly timeInForce?: TimeInForce
  /** It is refused where it is decided later. */
  readonly validUntil?: TimeMs
  readonly postOnly?: true
  readonly reduceOnly?: true
  readonly key?: OrderKey
  /** The fingerprint that the key had where older versions told apart what is the same order. */
  readonly olderFingerprint?: string
  /** When what still rests of it ends. */
  readonly expiresAt?: TimeMs
  /** The outcome whose price the client named. */
  readonly outcome: Side
  /** The YES price, in rupees. */
  readonly yesPrice: number
  /** The price as the client named it, in rupees. */
  readonly askedPrice: number
  /** In contracts. */
  readonly quantity: number
}
