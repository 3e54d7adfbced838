import type { Side } from '../../core/order.js'

/** `price` is the YES price. `tradeId` is the event's code and the trade's number in it: 1, 2, 3, … */
export interface RecordedTrade {
  readonly tradeId: string
  readonly event_id: string
  readonly price: number
  /** The payout less `price`. */
  readonly no_price: number
  readonly qty: number
  readonly taker_side: Side
  readonly ts: string
}

/** A trade as its channel carries it. */
export type Trade = Omit<RecordedTrade, 'no_price'>

/** YES prices over one interval, and the contracts traded. */
export interface Candle {
  readonly ts: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly trades: number
}
