import type { OwnFill } from '../cost-basis.js'
import type { Side } from '../order.js'
import type { MarketCode, OrderNumber, PriceTicks, QuantityLots, TimeMs } from '../units.js'
import type { EntryPlace } from './statement-record.js'

/** A trade without its orders and their users. */
export interface TradeRow {
  /** 1, 2, 3, … within the market, in the order of time. */
  readonly trade: number
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly takerSide: Side
  readonly at: TimeMs
}

/** A user's part in a trade. */
export interface FillRow extends EntryPlace, OwnFill {
  readonly market: MarketCode
  readonly trade: number
  readonly number: OrderNumber
  readonly suffix: string
  /** The outcome whose price the order named. */
  readonly outcome: Side
  readonly isTaker: 0 | 1
  readonly at: TimeMs
}

/** The trades of one interval, summed up. */
export interface CandleRow {
  /** When the interval begins. */
  readonly ts: TimeMs
  readonly open: PriceTicks
  readonly high: PriceTicks
  readonly low: PriceTicks
  readonly close: PriceTicks
  readonly volume: QuantityLots
  readonly trades: number
}

/** The candles from the one that holds `from` up to `to`. */
export interface CandleRange {
  readonly intervalMs: number
  readonly from: TimeMs | undefined
  readonly to: TimeMs | undefined
}
