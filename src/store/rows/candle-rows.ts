import type { CandleRow } from '../../core/records/trade-record.js'
import type { MarketCode, PriceTicks, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { TradeTimes } from './trade-times.js'

export interface TradedCandles {
  /** The last price before the first interval, where there was one. */
  readonly closeBefore: PriceTicks | undefined
  /** The intervals in which something was traded, the oldest first. */
  readonly candles: readonly CandleRow[]
}

/** So many trades are looked through in half a second, and others who ask wait for that. */
export const CANDLE_TRADES_MAX = 2_000_000

type Prices = Omit<CandleRow, 'ts' | 'trades'>

/** Candles, made of a market's trades. Where an interval begins and ends is found by bisection. */
export class CandleRows {
  readonly #tradesMax: number
  readonly #times: TradeTimes
  readonly #selectPrice: Statement<PriceTicks>
  readonly #selectPrices: Statement<Prices>

  constructor(database: Database, tradesMax = CANDLE_TRADES_MAX) {
    this.#tradesMax = tradesMax
    this.#times = new TradeTimes(database)
    this.#selectPrice = database
      .prepare<unknown[], PriceTicks>('SELECT price FROM trades WHERE market = ? AND trade = ?')
      .pluck()
    this.#selectPrices = database.prepare(
      `SELECT max(price) AS high, min(price) AS low, sum(quantity) AS volume,
       (SELECT price FROM trades WHERE market = @market AND trade = @first) AS open,
       (SELECT price FROM trades WHERE market = @market AND trade = @last) AS close
       FROM trades WHERE market = @market AND trade BETWEEN @first AND @last`,
    )
  }

  /**
   * The candles from a time to before another; both are the beginnings of intervals. Undefined where too
   * many trades were made between them.
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

  /** The same behind a trade that is earlier: in steps that double, for the next interval is not far. */
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
