import { assert } from '../../core/assert.js'
import type { MarketListing, MarketProgress } from '../../core/market.js'
import { isOver, keepsOrders } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import { Categories } from './categories.js'
import type { DeskMarket } from './desk-market.js'
import { ByCode } from './by-code.js'

export const FIRST_MARKET_CODE = 1_000_001
export const LAST_MARKET_CODE = 9_999_999

/**
 * All markets, by code and by slug. What shows or does something for the markets that still change reads
 * `live`, whose length does not grow with the exchange's age.
 */
export class MarketDirectory {
  readonly categories = new Categories()
  readonly #byCode = new Map<MarketCode, DeskMarket>()
  readonly #all = new ByCode<DeskMarket>()
  readonly #live = new ByCode<DeskMarket>()
  readonly #arrived: DeskMarket[] = []
  readonly #over: DeskMarket[] = []
  readonly #slugs = new Set<string>()
  readonly #ids = new Set<string>()
  #nextCode = FIRST_MARKET_CODE
  /** Codes of markets not committed yet. */
  readonly #arriving = new Set<MarketCode>()

  /** The number of markets neither settled nor voided, including those not committed yet. */
  get unsettledCount(): number {
    return this.#live.length + this.#arriving.size
  }

  /** All markets in the order in which they were added. It only grows. */
  get arrived(): readonly DeskMarket[] {
    return this.#arrived
  }

  /** Settled and voided markets in the order in which they became so or were read. It only grows. */
  get over(): readonly DeskMarket[] {
    return this.#over
  }

  /** Reserves and returns the next code, 7 digits, ascending; undefined if all are taken. */
  takeCode(): MarketCode | undefined {
    if (this.#nextCode > LAST_MARKET_CODE) return undefined
    const code = this.#nextCode++ as MarketCode
    this.#arriving.add(code)
    return code
  }

  /** Reserves and returns as many codes in a row; none if too few are left. */
  takeCodes(length: number): MarketCode[] {
    if (this.#nextCode + length - 1 > LAST_MARKET_CODE) return []
    return Array.from({ length }, () => this.takeCode()).filter(code => code !== undefined)
  }

  /** Releases a reserved code that no market will use. */
  dropCode(code: MarketCode): void {
    this.#arriving.delete(code)
  }

  add(market: DeskMarket): void {
    const { code } = market.terms
    const { id, slug } = market.listing
    assert(!this.#byCode.has(code), 'a market code is used once')
    assert(!this.#slugs.has(slug), 'no two markets share a slug')
    this.#byCode.set(code, market)
    this.#slugs.add(slug)
    this.#ids.add(id)
    this.#all.add(market)
    this.#arrived.push(market)
    if (isOver(market.progress.status)) this.#over.push(market)
    else this.#live.add(market)
    this.categories.add(market.listing.category, market.progress.status)
    this.#arriving.delete(code)
    this.#nextCode = Math.max(this.#nextCode, code + 1)
  }

  get(code: MarketCode): DeskMarket | undefined {
    return this.#byCode.get(code)
  }

  /** Updates a market's progress. */
  change(market: DeskMarket, progress: MarketProgress): void {
    if (isOver(progress.status) && !isOver(market.progress.status)) {
      this.#live.remove(market)
      this.#over.push(market)
    }
    const { category } = market.listing
    if (keepsOrders(progress.status) !== keepsOrders(market.progress.status)) {
      this.categories.remove(category, market.progress.status)
      this.categories.add(category, progress.status)
    }
    market.progress = progress
  }

  /** Takes note of an edited listing; the previous slug becomes free. */
  relist(before: MarketListing, { listing, progress }: DeskMarket): void {
    const { slug, category } = listing
    this.categories.add(category, progress.status)
    this.categories.remove(before.category, progress.status)
    if (before.slug === slug) return
    assert(!this.#slugs.has(slug), 'no two markets share a slug')
    this.#slugs.delete(before.slug)
    this.#slugs.add(slug)
  }

  hasSlug(slug: string): boolean {
    return this.#slugs.has(slug)
  }

  hasId(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Returns all markets, ordered by code. */
  all(): IterableIterator<DeskMarket> {
    return this.#all.all()
  }

  /** Returns all markets behind a code, ordered by code. */
  behind(code: number): Iterable<DeskMarket> {
    return this.#all.behind(code)
  }

  /** Returns the markets neither settled nor voided behind a code, or all of these, ordered by code. */
  live(code = 0): Iterable<DeskMarket> {
    return this.#live.behind(code)
  }

  /** Returns the markets neither settled nor voided now, for work that takes a while. */
  liveNow(): readonly DeskMarket[] {
    return this.#live.now()
  }
}
