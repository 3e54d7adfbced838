import type { Candle, Trade } from '../../../client/shapes.js'
import { tradeNumber } from '../market/latest-trades.js'
import type { ChartWindow } from './chart-window.js'

/** Prices from one moment to the next. */
export interface ChartPoint {
  /** In ms since 1970. */
  readonly at: number
  /** The YES price at the end of this interval, in rupees. */
  readonly price: number
  /** Contracts traded in this interval; undefined for points that only continue the line. */
  readonly volume: number | undefined
  /** Names an event that is shown instead of the price. */
  readonly label?: string
}

/** A market’s course: fetched candles, extended by each trade. */
export class ChartSeries {
  readonly #candles: { at: number; price: number; volume: number }[]
  readonly #intervalMs: number
  /** The number of the newest trade in the candles; undefined until the latest trades are known. */
  #counted: number | undefined

  /** @param trades the latest ones when the candles came, newest first; undefined if not yet known */
  constructor(candles: readonly Candle[], intervalMs: number, trades: readonly Trade[] | undefined) {
    this.#counted = trades && newestNumber(trades)
    this.#candles = candles.map(({ ts, close, volume }) => ({ at: Date.parse(ts), price: close, volume }))
    this.#intervalMs = intervalMs
  }

  /** Builds the course of a market from all of its trades, newest first: each is a point of its own. */
  static ofTrades(trades: readonly Trade[]): ChartSeries {
    const series = new ChartSeries([], 1, [])
    series.add(trades)
    return series
  }

  /** When the first interval with a trade began; undefined without trades. */
  get firstTrade(): number | undefined {
    return this.#candles.find(({ volume }) => volume > 0)?.at ?? this.#candles[0]?.at
  }

  /** When the latest interval began. */
  get latest(): number | undefined {
    return this.#candles.at(-1)?.at
  }

  /**
   * Adds the trades that are not in the candles yet, given newest first. Returns false if there were others
   * between these and the candles: then the candles have to be fetched again.
   */
  add(trades: readonly Trade[]): boolean {
    const counted = this.#counted
    this.#counted = newestNumber(trades)
    if (counted === undefined) return true
    const oldest = trades.at(-1)
    if (oldest !== undefined && tradeNumber(oldest) > counted + 1) return false
    for (const trade of trades.toReversed()) if (tradeNumber(trade) > counted) this.#addOne(trade)
    return true
  }

  /**
   * Returns the points of a window, oldest first: the price with which it begins, if there were trades
   * before, and one that brings the line up to `until`.
   */
  points({ from }: ChartWindow, until: number): readonly ChartPoint[] {
    const points: ChartPoint[] = []
    for (const { at, price, volume } of this.#candles) {
      if (at + this.#intervalMs <= from || at > until) continue
      points.push({ at: Math.max(at, from), price, volume })
    }
    const last = points.at(-1)
    if (last !== undefined && last.at < until)
      points.push({ at: until, price: last.price, volume: undefined })
    return points
  }

  #addOne({ ts, price, qty }: Trade): void {
    const time = Date.parse(ts)
    const at = time - (time % this.#intervalMs)
    const last = this.#candles.at(-1)
    if (last !== undefined && last.at >= at) {
      last.price = price
      last.volume += qty
    } else this.#candles.push({ at, price, volume: qty })
  }
}

function newestNumber([newest]: readonly Trade[]): number {
  return newest === undefined ? 0 : tradeNumber(newest)
}
