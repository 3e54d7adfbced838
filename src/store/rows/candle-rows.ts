import type { CandleRow } from '../../core/records/trade-record.js'
import type { MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { TradeTimes } from './trade-times.js'

export interface TradedCandles {
  /** The last price before the first interval, if any. */
  readonly closeBefore: PriceTicks | undefined
  /** The intervals with trades, oldest first. */
  readonly candles: readonly CandleRow[]
}

/** The most trades read for one request: that many take half a second, and other reads wait meanwhile. */
export const CANDLE_TRADES_MAX = 2_000_000

type Prices = Omit<CandleRow, 'ts' | 'trades'>

/** Computes candles from a market's trades. Finds the bounds of each interval by bisection. */
export class CandleRows {
  readonly #tradesMax: number
  readonly #times: TradeTimes
  readonly #selectPrice: Statement<PriceTicks>
  readonly #selectPrices: Statement<Prices>

  constructor(database: Database, tradesMax = CANDLE_TRADES_MAX) {
    this.#tradesMax = tradesMax
    this.#times = new TradeTimes(database)
    this.#selectPrice = database
      .prepare<unknown[], PriceTicks>('SELECT price FROM whole_trades WHERE market = ? AND trade = ?')
      .pluck()
    this.#selectPrices = database.prepare(
      `SELECT max(price) AS high, min(price) AS low, sum(quantity) AS volume,
       (SELECT price FROM whole_trades WHERE market = @market AND trade = @first) AS open,
       (SELECT price FROM whole_trades WHERE market = @market AND trade = @last) AS close
       FROM whole_trades WHERE market = @market AND trade BETWEEN @first AND @last`,
    )
  }

  /**
   * Returns the candles in [from, to), both starts of intervals; undefined above the limit of trades.
   */
  read(market: MarketCode, from: TimeMs, to: TimeMs, intervalMs: number): TradedCandles | undefined {
    const end = this.#times.end(market)
    let trade = this.#times.firstSince(market, from, 1, end)
    const last = this.#times.firstSince(market, to, trade, end) - 1
    if (last - trade >= this.#tradesMax) return undefined

    const candles: CandleRow[] = []
    const closeBefore = this.#selectPrice.get(market, trade - 1)
    while (trade <= last) {
      const at = this.#times.timeOf(market, trade)
      const ts = (at - (at % intervalMs)) as TimeMs
      const next = this.#nextSince(market, (ts + intervalMs) as TimeMs, trade, last)
      const prices = this.#selectPrices.get({ market, first: trade, last: next - 1 })
      if (prices !== undefined) candles.push({ ts, ...prices, trades: next - trade })
      trade = next
    }
    return { closeBefore, candles }
  }

  /** Returns the first trade since a time, by galloping from an earlier trade: the next interval is near. */
  #nextSince(market: MarketCode, time: TimeMs, earlier: number, last: number): number {
    let low = earlier
    let step = 1
    while (low + step <= last && this.#times.timeOf(market, low + step) < time) {
      low += step
      step *= 2
    }
    return this.#times.firstSince(market, time, low + 1, Math.min(low + step, last + 1))
  }
}
