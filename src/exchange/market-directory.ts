import { assert } from '../core/assert.js'
import type { MarketCode } from '../core/units.js'
import type { DeskMarket } from './desk-market.js'

export const FIRST_MARKET_CODE = 1_000_001
export const LAST_MARKET_CODE = 9_999_999

/** All markets, by code and by slug. */
export class MarketDirectory {
  #byCode = new Map<MarketCode, DeskMarket>()
  readonly #slugs = new Set<string>()
  #nextCode = FIRST_MARKET_CODE
  #lastCode = 0

  /** The next code, 7 digits, ascending; undefined when all are given. */
  takeCode(): MarketCode | undefined {
    if (this.#nextCode > LAST_MARKET_CODE) return undefined
    return this.#nextCode++ as MarketCode
  }

  add(market: DeskMarket): void {
    const { code } = market.terms
    assert(!this.#byCode.has(code), 'a market code is given once')
    assert(!this.#slugs.has(market.listing.slug), 'a slug is given once')
    this.#byCode.set(code, market)
    this.#slugs.add(market.listing.slug)
    this.#nextCode = Math.max(this.#nextCode, code + 1)
    // Two shards may commit two new markets the other way round.
    if (code < this.#lastCode) this.#byCode = new Map([...this.#byCode].sort(([a], [b]) => a - b))
    this.#lastCode = Math.max(this.#lastCode, code)
  }

  get(code: MarketCode): DeskMarket | undefined {
    return this.#byCode.get(code)
  }

  /** A market has another slug from now on; the one before is free. */
  rename(before: string, slug: string): void {
    if (before === slug) return
    assert(!this.#slugs.has(slug), 'a slug is given once')
    this.#slugs.delete(before)
    this.#slugs.add(slug)
  }

  hasSlug(slug: string): boolean {
    return this.#slugs.has(slug)
  }

  /** All markets, in the order of their codes. */
  all(): IterableIterator<DeskMarket> {
    return this.#byCode.values()
  }
}
