import type { PriceTicks } from './units.js'

const BID = 1
const ASK = 2

/** Which levels of a book changed, and on which side, since this was last asked: one byte a price and a list. */
export class LevelChanges {
  readonly #sides: Uint8Array
  readonly #prices: Int32Array
  #count = 0

  /** @param limit prices are 0 … limit − 1 */
  constructor(limit: number) {
    this.#sides = new Uint8Array(limit)
    this.#prices = new Int32Array(limit)
  }

  note(price: number, isBid: boolean): void {
    const sides = this.#sides[price] as number
    if (sides === 0) this.#prices[this.#count++] = price
    this.#sides[price] = sides | (isBid ? BID : ASK)
  }

  /** The changed prices, lowest first; none afterwards. */
  take(): {
    readonly price: PriceTicks
    readonly wasBid: boolean
    readonly wasAsk: boolean
  }[] {
    const prices = this.#prices.subarray(0, this.#count).sort()
    const changes = Array.from(prices, price => {
      const sides = this.#sides[price] as number
      this.#sides[price] = 0
      return {
        price: price as PriceTicks,
        wasBid: (sides & BID) !== 0,
        wasAsk: (sides & ASK) !== 0,
      }
    })
    this.#count = 0
    return changes
  }
}
