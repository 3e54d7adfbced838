import type { CandleRow } from '../../core/records/trade-record.js'
import type { PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import { lots, NO_LOTS } from '../../core/units.js'

/** The length of one step of a trail. */
export const TRAIL_STEP_MS = 1_800_000
const STEPS = 48
/** After this time a trail has forgotten a trade. */
export const TRAIL_MS = (STEPS + 1) * TRAIL_STEP_MS

/** The trades of a step's last price and total; a step without trades has neither. */
interface Steps {
  readonly closes: Int32Array
  readonly volumes: Float64Array
}

/**
 * A market's prices and volume over the last 24 hours, in one kilobyte; nothing in a market without trades in
 * that time.
 */
export class DayTrail {
  /** True once the trades from before a start are included. */
  isFilled = false
  /** Indexed by step modulo their number; they end with `#latest`. */
  #steps: Steps | undefined
  #latest = 0
  /** The last price before these steps. */
  #before: PriceTicks | undefined
  /** The first price, if there was none before these steps. */
  #opened: PriceTicks | undefined

  /** @param lastPrice the price before all trades that will be added */
  constructor(lastPrice: PriceTicks | undefined) {
    this.#before = lastPrice
  }

  /** Adds a trade. */
  add(price: PriceTicks, quantity: QuantityLots, at: TimeMs): void {
    this.#advance(at)
    const { closes, volumes } = this.#stepsFrom(at)
    const index = this.#latest % STEPS
    if (this.#before === undefined) this.#opened ??= price
    closes[index] = price
    volumes[index] = (volumes[index] ?? 0) + quantity
  }

  /**
   * Adds the trades before those of `add`, in steps, oldest first.
   *
   * @param closeBefore the last price before them
   */
  fill(closeBefore: PriceTicks | undefined, candles: readonly CandleRow[], now: TimeMs): void {
    this.isFilled = true
    if (candles.length === 0) return
    this.#advance(now)
    const { closes, volumes } = this.#stepsFrom(now)
    this.#before = closeBefore
    this.#opened = closeBefore === undefined ? candles[0]?.open : undefined
    for (const { ts, close, volume } of candles) {
      const step = stepOf(ts)
      if (step > this.#latest) continue
      if (step <= this.#latest - STEPS) {
        this.#before = close
        continue
      }
      const index = step % STEPS
      if (closes[index] === 0) closes[index] = close
      volumes[index] = (volumes[index] ?? 0) + volume
    }
  }

  /** Frees the memory of trades older than 24 hours. */
  forgetOld(now: TimeMs): void {
    this.#advance(now)
  }

  /** Returns the quantity traded in the last 24 hours. */
  volume(now: TimeMs): QuantityLots {
    this.#advance(now)
    if (this.#steps === undefined) return NO_LOTS
    let sum = 0
    for (const volume of this.#steps.volumes) sum += volume
    return lots(sum)
  }

  /** Returns the change of the YES price in the last 24 hours; undefined before the first trade. */
  change(now: TimeMs): number | undefined {
    const prices = this.prices(now)
    const [first, last] = [prices[0], prices.at(-1)]
    return first === undefined || last === undefined ? undefined : last - first
  }

  /** Returns the price 24 hours ago or of the first trade since, then the price at each step's end. */
  prices(now: TimeMs): readonly PriceTicks[] {
    this.#advance(now)
    let price = this.#before ?? this.#opened
    if (price === undefined) return []
    const prices = [price]
    if (this.#steps === undefined) return prices
    let hasTraded = this.#before !== undefined
    for (let step = this.#latest - STEPS + 1; step <= this.#latest; step++) {
      const close = this.#steps.closes[step % STEPS] ?? 0
      hasTraded ||= close !== 0
      if (close !== 0) price = close as PriceTicks
      if (hasTraded) prices.push(price)
    }
    return prices
  }

  #stepsFrom(at: TimeMs): Steps {
    if (this.#steps !== undefined) return this.#steps
    this.#latest = stepOf(at)
    this.#steps = { closes: new Int32Array(STEPS), volumes: new Float64Array(STEPS) }
    return this.#steps
  }

  /** Drops the steps that are older than 24 hours. A clock that was set back changes nothing. */
  #advance(now: TimeMs): void {
    if (this.#steps === undefined) return
    const { closes, volumes } = this.#steps
    const target = stepOf(now)
    const last = Math.min(target, this.#latest + STEPS)
    for (let step = this.#latest + 1; step <= last; step++) {
      const index = step % STEPS
      const close = closes[index] ?? 0
      if (close !== 0) this.#before = close as PriceTicks
      closes[index] = 0
      volumes[index] = 0
    }
    if (last > this.#latest && closes.every(close => close === 0)) this.#steps = undefined
    this.#latest = Math.max(target, this.#latest)
  }
}

function stepOf(at: TimeMs): number {
  return Math.floor(at / TRAIL_STEP_MS)
}
