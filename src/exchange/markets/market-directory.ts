import { assert } from '../../core/assert.js'
import type { MarketListing, MarketProgress } from '../../core/market.js'
import { isOver } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import { Categories } from './categories.js'
import type { DeskMarket } from './desk-market.js'

export const FIRST_MARKET_CODE = 1_000_001
export const LAST_MARKET_CODE = 9_999_999

/** All markets, by code and by slug. */
export class MarketDirectory {
  readonly categories = new Categories()
  #byCode = new Map<MarketCode, DeskMarket>()
  readonly #slugs = new Set<string>()
  #nextCode = FIRST_MARKET_CODE
  #lastCode = 0
  /** Codes of markets not committed yet. */
  readonly #arriving = new Set<MarketCode>()
  #unsettled = 0

  /** The number of markets neither settled nor voided, including those not committed yet. */
  get unsettledCount(): number {
    return this.#unsettled + this.#arriving.size
  }

  /** Reserves and returns the next code, 7 digits, ascending; undefined if all are taken. */
  takeCode(): MarketCode | undefined {
    if (this.#nextCode > LAST_MARKET_CODE) return undefined
    const code = this.#nextCode++ as MarketCode
    this.#arriving.add(code)
    return code
  }

  /** Releases a reserved code that no market will use. */
  dropCode(code: MarketCode): void {
    this.#arriving.delete(code)
  }

  add(market: DeskMarket): void {
    const { code } = market.terms
    assert(!this.#byCode.has(code), 'a market code is used once')
    assert(!this.#slugs.has(market.listing.slug), 'no two markets share a slug')
    this.#byCode.set(code, market)
    this.#slugs.add(market.listing.slug)
    this.categories.add(market.listing.category)
    this.#arriving.delete(code)
    if (!isOver(market.progress.status)) this.#unsettled++
    this.#nextCode = Math.max(this.#nextCode, code + 1)
    // Two shards may commit two new markets in the opposite order of their codes.
    if (code < this.#lastCode) this.#byCode = new Map([...this.#byCode].sort(([a], [b]) => a - b))
    this.#lastCode = Math.max(this.#lastCode, code)
  }

  get(code: MarketCode): DeskMarket | undefined {
    return this.#byCode.get(code)
  }

  /** Updates a market's progress. */
  change(market: DeskMarket, progress: MarketProgress): void {
    if (isOver(progress.status) && !isOver(market.progress.status)) this.#unsettled--
    market.progress = progress
  }

  /** Takes note of an edited listing; the previous slug becomes free. */
  relist(before: MarketListing, { slug, category }: MarketListing): void {
    this.categories.remove(before.category)
    this.categories.add(category)
    if (before.slug === slug) return
    assert(!this.#slugs.has(slug), 'no two markets share a slug')
    this.#slugs.delete(before.slug)
    this.#slugs.add(slug)
  }

  hasSlug(slug: string): boolean {
    return this.#slugs.has(slug)
  }

  /** Searches all markets: for what is created now and then only. */
  hasId(id: string): boolean {
    for (const { listing } of this.#byCode.values()) if (listing.id === id) return true
    return false
  }

  /** Returns all markets, ordered by code. */
  all(): IterableIterator<DeskMarket> {
    return this.#byCode.values()
  }
}
