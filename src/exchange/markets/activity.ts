import type { EngineEvent } from '../../core/engine-event.js'
import { unitCost } from '../../core/order.js'
import type { Side } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { MarketCode, PriceTicks, TimeMs } from '../../core/units.js'

type Traded = Extract<EngineEvent, { type: 'traded' }>

/** The fills of one order when it came. Amounts are in units. */
export interface Taking {
  /** 1, 2, 3, … since the start. */
  readonly number: number
  readonly market: MarketCode
  readonly userId: string
  readonly outcome: Side
  readonly isSale: boolean
  readonly quantity: number
  /** Σ price of the outcome × quantity. */
  readonly value: number
  readonly at: TimeMs
}

/** Kept of all events together; about 150 bytes each. */
const LENGTH_MAX = 500

/** The latest orders that took something from a book, of all events, in memory only. */
export class Activity {
  readonly #takings: Taking[] = []
  #count = 0

  add(order: OrderRecord, { market, fills }: Traded, payout: PriceTicks, at: TimeMs): void {
    const { userId, outcome, side } = order
    let quantity = 0
    let value = 0
    for (const fill of fills) {
      quantity += fill.quantity
      value += unitCost(outcome, fill.price, payout) * fill.quantity
    }
    const number = ++this.#count
    const taking = { number, market, userId, outcome, isSale: side !== outcome, quantity, value, at }
    // The place of the oldest one.
    this.#takings[(number - 1) % LENGTH_MAX] = taking
  }

  /** Returns the latest, newest first: of all events, or of one as far as they are kept. */
  latest(lengthMax: number, market?: MarketCode): Taking[] {
    const found: Taking[] = []
    const kept = Math.min(this.#count, LENGTH_MAX)
    for (let back = 1; back <= kept && found.length < lengthMax; back++) {
      const taking = this.#takings[(this.#count - back) % LENGTH_MAX]
      if (taking !== undefined && (market === undefined || taking.market === market)) found.push(taking)
    }
    return found
  }
}
