import type { MarketTerms } from '../../core/market.js'
import { tradeId } from '../../core/market.js'
import type { CandleRow, TradeRow } from '../../core/records/trade-record.js'
import { complement, toContracts, toRupees } from '../../core/units.js'
import type { CandleAnswer, TradeAnswer } from './trade-answer.js'

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Returns a trade as clients see it (specification 11): INR, contracts, ISO 8601; `price` is the YES price.
 */
export function tradeView(
  { code, payout }: MarketTerms,
  { trade, price, quantity, takerSide, at }: TradeRow,
): TradeAnswer {
  return {
    tradeId: tradeId(code, trade),
    event_id: String(code),
    price: toRupees(price),
    no_price: toRupees(complement(price, payout)),
    qty: toContracts(quantity),
    taker_side: takerSide,
    ts: iso(at),
  }
}

/** Returns a candle as clients see it: YES prices, and the contracts traded. */
export function candleView({ ts, open, high, low, close, volume, trades }: CandleRow): CandleAnswer {
  return {
    ts: iso(ts),
    open: toRupees(open),
    high: toRupees(high),
    low: toRupees(low),
    close: toRupees(close),
    volume: toContracts(volume),
    trades,
  }
}
