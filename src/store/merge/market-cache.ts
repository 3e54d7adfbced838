import type { MarketCode } from '../../core/units.js'

/** Rows found by market and a number within it, kept in memory. */
export class MarketCache<Key extends number, Row> {
  readonly #lengthMax: number
  readonly #markets = new Map<MarketCode, Map<Key, Row>>()
  #length = 0

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax
  }

  get(market: MarketCode, key: Key): Row | undefined {
    return this.#markets.get(market)?.get(key)
  }

  /** Adds a row that is not in the cache. */
  add(market: MarketCode, key: Key, row: Row): void {
    let rows = this.#markets.get(market)
    if (rows === undefined) {
      rows = new Map()
      this.#markets.set(market, rows)
    }
    rows.set(key, row)
    this.#length++
  }

  delete(market: MarketCode, key: Key): void {
    const rows = this.#markets.get(market)
    if (!rows?.delete(key)) return
    this.#length--
    if (rows.size === 0) this.#markets.delete(market)
  }

  /** Forgets all rows if there are more than the limit; to be called when none waits to be written. */
  trim(): void {
    if (this.#length <= this.#lengthMax) return
    this.#markets.clear()
    this.#length = 0
  }
}
