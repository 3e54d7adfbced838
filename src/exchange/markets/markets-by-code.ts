import type { DeskMarket } from './desk-market.js'

/** Markets in the order of their codes. */
export class MarketsByCode {
  readonly #markets: DeskMarket[] = []

  get length(): number {
    return this.#markets.length
  }

  /** Adds a market: at the end, or near it if shards committed two in the opposite order of their codes. */
  add(market: DeskMarket): void {
    this.#markets.splice(this.#placeBehind(market.terms.code), 0, market)
  }

  remove(market: DeskMarket): void {
    const index = this.#placeBehind(market.terms.code) - 1
    if (this.#markets[index] === market) this.#markets.splice(index, 1)
  }

  /** Yields the markets with higher codes than one. */
  *behind(code: number): Generator<DeskMarket> {
    for (let index = this.#placeBehind(code); index < this.#markets.length; index++) {
      const market = this.#markets[index]
      if (market !== undefined) yield market
    }
  }

  /** Returns a copy that later changes do not change. */
  now(): DeskMarket[] {
    return this.#markets.slice()
  }

  all(): IterableIterator<DeskMarket> {
    return this.#markets.values()
  }

  /** Returns the first index with a higher code. */
  #placeBehind(code: number): number {
    let low = 0
    let high = this.#markets.length
    const last = this.#markets[high - 1]
    if (last === undefined || last.terms.code <= code) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#markets[middle]?.terms.code ?? 0) <= code) low = middle + 1
      else high = middle
    }
    return low
  }
}
