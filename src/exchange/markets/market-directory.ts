import { assert } from '../../core/assert.js'
import type { MarketListing, MarketProgress } from '../../core/market.js'
import { isOver, keepsOrders, shardKey } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import { ByCode } from './by-code.js'
import { Categories } from './categories.js'
import type { DeskMarket } from './desk-market.js'
import type { EndedFilter } from './ended-markets.js'
import { EndedMarkets } from './ended-markets.js'
import type { EndedSource, EndedUnit } from './ended-units.js'
import { EndedUnits } from './ended-units.js'
import type { EndedMarket } from '../../store/rows/market-rows.js'

export const FIRST_MARKET_CODE = 1_000_001
export const LAST_MARKET_CODE = 9_999_999

/**
 * All markets, by code and by slug. What shows or does something for the markets that still change reads
 * `live`, whose length does not grow with the exchange's age. Those that are over are in memory until they
 * are forgotten, and are then read from the tables when they are asked for.
 */
export class MarketDirectory {
  readonly categories = new Categories()
  /** The markets that are settled or voided. */
  readonly ended = new EndedMarkets()
  /** Give a market that was read from the tables what these do not have. */
  readonly preparing: ((market: DeskMarket) => void)[] = []
  readonly #byCode = new Map<MarketCode, DeskMarket>()
  readonly #live = new ByCode<DeskMarket>()
  readonly #slugs = new Set<string>()
  readonly #ids = new Set<string>()
  readonly #arrivals: ((market: DeskMarket) => void)[] = []
  #source: EndedSource | undefined
  #units: EndedUnits | undefined
  #nextCode = FIRST_MARKET_CODE
  /** Codes of markets not committed yet. */
  readonly #arriving = new Set<MarketCode>()

  /** The number of markets neither settled nor voided, including those not committed yet. */
  get unsettledCount(): number {
    return this.#live.length + this.#arriving.size
  }

  /** The number of all markets. */
  get length(): number {
    return this.#live.length + this.ended.length
  }

  /** The reader of forgotten markets; without it, none is forgotten. */
  get source(): EndedSource | undefined {
    return this.#source
  }

  /** Reads what memory has forgotten from the tables. */
  readFrom(source: EndedSource): void {
    this.#source = source
    this.#units = new EndedUnits(source, market => {
      for (const prepare of this.preparing) prepare(market)
    })
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

  /** @param traders of a market that is over */
  add(market: DeskMarket, traders = 0): void {
    const { code } = market.terms
    const { category, slug } = market.listing
    assert(!this.#byCode.has(code), 'a market code is used once')
    assert(!this.#slugs.has(slug), 'no two markets share a slug')
    this.#keep(market)
    if (isOver(market.progress.status)) this.addEnded(endOf(market, traders))
    else {
      this.#live.add(market)
      this.categories.add(category, market.progress.status)
    }
    this.#arriving.delete(code)
    this.#nextCode = Math.max(this.#nextCode, code + 1)
    for (const arrived of this.#arrivals) arrived(market)
  }

  /** Adds a market that is over, and that memory need not have. */
  addEnded(market: EndedMarket): void {
    this.ended.add(market)
    this.categories.add(market.category, market.status)
    this.#nextCode = Math.max(this.#nextCode, market.code + 1)
  }

  /** Adds a market to memory whose end is known already. */
  addToEnded(market: DeskMarket): void {
    assert(this.ended.has(market.terms.code), 'the market is known to be over')
    this.#keep(market)
  }

  #keep(market: DeskMarket): void {
    const { id, slug } = market.listing
    this.#byCode.set(market.terms.code, market)
    this.#slugs.add(slug)
    this.#ids.add(id)
  }

  /** Calls back with each market that is added from now on. */
  onArrival(arrived: (market: DeskMarket) => void): void {
    this.#arrivals.push(arrived)
  }

  get(code: MarketCode): DeskMarket | undefined {
    const place = this.#byCode.has(code) ? undefined : this.#placeOfForgotten(code)
    return place === undefined ? this.#byCode.get(code) : this.#units?.market(code, this.ended.groupAt(place))
  }

  has(code: MarketCode): boolean {
    return this.#byCode.has(code) || this.ended.has(code)
  }

  /** Returns a market, unless it is one that memory has forgotten. */
  inMemory(code: MarketCode): DeskMarket | undefined {
    return this.#byCode.get(code)
  }

  /** Returns the markets that memory has. */
  allInMemory(): Iterable<DeskMarket> {
    return this.#byCode.values()
  }

  /** Returns the code that decides which shard has a market, or a group by its code. */
  shardKeyOf(code: MarketCode): MarketCode {
    const market = this.#byCode.get(code)
    if (market !== undefined) return shardKey(market.terms)
    const place = this.ended.placeOf(code)
    return (place === undefined ? undefined : this.ended.groupAt(place)) ?? code
  }

  /** Reads a forgotten group. */
  forgottenGroup(code: MarketCode): EndedUnit | undefined {
    return this.#units?.whole(code, code)
  }

  #placeOfForgotten(code: MarketCode): number | undefined {
    return this.#units && this.ended.placeOf(code)
  }

  /** Forgets markets that are over: all of a group, or one on its own. */
  forget(markets: readonly DeskMarket[]): void {
    for (const { terms, listing } of markets) {
      assert(this.ended.has(terms.code), 'a forgotten market is over')
      this.#byCode.delete(terms.code)
      this.#slugs.delete(listing.slug)
      this.#ids.delete(listing.id)
    }
  }

  /** Keeps a forgotten market in memory from now on, with those of its group, because it may change. */
  recall(code: MarketCode): EndedUnit | undefined {
    if (this.#byCode.has(code)) return undefined
    const place = this.#placeOfForgotten(code)
    const unit = place === undefined ? undefined : this.#units?.whole(code, this.ended.groupAt(place))
    if (unit === undefined) return undefined
    for (const market of unit.markets) this.#keep(market)
    this.#units?.drop(unit.group?.terms.code ?? code)
    return unit
  }

  /** Updates a market's progress. @param traders how many it has had */
  change(market: DeskMarket, progress: MarketProgress, traders = 0): void {
    const { category } = market.listing
    const before = market.progress.status
    market.progress = progress
    if (isOver(progress.status) && !isOver(before)) {
      this.#live.remove(market)
      this.ended.add(endOf(market, traders))
    }
    if (keepsOrders(progress.status) !== keepsOrders(before)) {
      this.categories.remove(category, before)
      this.categories.add(category, progress.status)
    }
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
    return this.#slugs.has(slug) || this.#isForgotten(this.#source?.codeOfSlug(slug))
  }

  hasId(id: string): boolean {
    return this.#ids.has(id) || this.#isForgotten(this.#source?.codeOfId(id))
  }

  /** Of the others, the tables may have an old slug. */
  #isForgotten(code: MarketCode | undefined): boolean {
    return code !== undefined && !this.#byCode.has(code) && this.ended.has(code)
  }

  /** Yields all markets, ordered by code. */
  all(): Generator<DeskMarket> {
    return this.behind(0)
  }

  /** Yields all markets behind a code, ordered by code. */
  *behind(code: number): Generator<DeskMarket> {
    for (const one of this.listed(code)) if (typeof one !== 'number') yield one
  }

  /** The same with the code alone of markets that are over and do not pass a filter: they are not read. */
  *listed(code: number, filter: EndedFilter = {}): Generator<DeskMarket | MarketCode> {
    const mayBe = this.ended.mayBe(filter)
    const places = this.ended.behind(code)
    let place = places.next().value as number | undefined
    for (const market of this.#live.behind(code)) {
      for (; place !== undefined && this.ended.codeAt(place) < market.terms.code; ) {
        yield this.#listed(place, mayBe)
        place = places.next().value as number | undefined
      }
      yield market
    }
    for (; place !== undefined; place = places.next().value as number | undefined) {
      yield this.#listed(place, mayBe)
    }
  }

  /** Returns a market that is over, or its code alone if it does not pass. */
  #listed(place: number, mayBe: (place: number) => boolean): DeskMarket | MarketCode {
    const code = this.ended.codeAt(place)
    return (mayBe(place) ? this.get(code) : undefined) ?? code
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

/** Returns what is kept of a market that is over. */
function endOf({ terms, listing, progress, resolved }: DeskMarket, traders: number): EndedMarket {
  const { code, group, endAt } = terms
  const { sot, category, createdAt } = listing
  const { status, volume } = progress
  const overAt = resolved?.at ?? endAt
  return { code, group, status, sot, category, createdAt, endAt, overAt, volume, traders }
}
