import type { MarketCode, PriceTicks, QuantityLots, TimeMs } from '../core/units.js'
import type { Database, Statement } from './database.js'

/** What was traded in one interval. */
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

export interface TradedCandles {
  /** The last price before the first interval, where there was one. */
  readonly closeBefore: PriceTicks | undefined
  /** The intervals in which something was traded, the oldest first. */
  readonly candles: readonly CandleRow[]
}

/** So many trades are looked through in half a second, and others who ask wait for that. */
export const CANDLE_TRADES_MAX = 2_000_000

type Prices = Omit<CandleRow, 'ts' | 'trades'>

/**
 * Candles, made of a market's trades. Trades are numbered 1, 2, 3, … and their time never goes back, so that
 * where an interval begins and ends is found by bisection, and no index by time is needed.
 */
export class CandleRows {
  readonly #tradesMax: number
  readonly #selectLast: Statement<number | null>
  readonly #selectTime: Statement<TimeMs>
  readonly #selectPrice: Statement<PriceTicks>
  readonly #selectPrices: Statement<Prices>

  constructor(database: Database, tradesMax = CANDLE_TRADES_MAX) {
    this.#tradesMax = tradesMax
    const one = 'FROM trades WHERE market = ? AND trade = ?'
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT max(trade) FROM trades WHERE market = ?')
      .pluck()
    this.#selectTime = database.prepare<unknown[], TimeMs>(`SELECT at ${one}`).pluck()
    this.#selectPrice = database.prepare<unknown[], PriceTicks>(`SELECT price ${one}`).pluck()
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
    const end = (this.#selectLast.get(market) ?? 0) + 1
    let trade = this.#firstSince(market, from, 1, end)
    const last = this.#firstSince(market, to, trade, end) - 1
    if (last - trade >= this.#tradesMax) return undefined

    const candles: CandleRow[] = []
    const closeBefore = this.#selectPrice.get(market, trade - 1)
    while (trade <= last) {
      const at = this.#timeOf(market, trade)
      const ts = (at - (at % intervalMs)) as TimeMs
      const next = this.#nextSince(market, (ts + intervalMs) as TimeMs, trade, last)
      const prices = this.#selectPrices.get({ market, first: trade, last: next - 1 })
      if (prices !== undefined) candles.push({ ts, ...prices, trades: next - trade })
      trade = next
    }
    return { closeBefore, candles }
  }

  /** The first trade of that time or later, from `low` on; `end` where all before it are earlier. */
  #firstSince(market: MarketCode, time: TimeMs, low: number, end: number): number {
    let first = low
    let beyond = end
    while (first < beyond) {
      const middle = Math.floor((first + beyond) / 2)
      if (this.#timeOf(market, middle) < time) first = middle + 1
      else beyond = middle
    }
    return first
  }

  /** The same behind a trade that is earlier: in steps that double, for the next interval is not far. */
  #nextSince(market: MarketCode, time: TimeMs, earlier: number, last: number): number {
    let low = earlier
    let step = 1
    while (low + step <= last && this.#timeOf(market, low + step) < time) {
      low += step
      step *= 2
    }
    return this.#firstSince(market, time, low + 1, Math.min(low + step, last + 1))
  }

  #timeOf(market: MarketCode, trade: number): TimeMs {
    return this.#selectTime.get(market, trade) as TimeMs
  }
}
