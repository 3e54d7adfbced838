import type { EventSort } from '../../api/events/event-query.js'
import { assert } from '../../core/assert.js'
import type { MarketStatus } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import { folded } from '../../store/folded.js'
import type { EndedMarket } from '../../store/rows/market-rows.js'

/** The numbers of a market below 2^32; hashes of source and category. */
const NUMBERS = 6
const [CODE, GROUP, TRADERS, STATUS, SOT, CATEGORY] = [0, 1, 2, 3, 4, 5] as const
/** Its larger numbers: when it was created, when it ended by its terms, when it was over; the volume. */
const AMOUNTS = 4
const [CREATED_AT, END_AT, OVER_AT, VOLUME] = [0, 1, 2, 3] as const
const STATUSES: readonly MarketStatus[] = ['settled', 'voided']
const [GROWTH, GROWTH_MIN] = [1.25, 256]
const HASHES_MAX = 1000

/** A list asks for this of markets that are over; any has what is left out. */
export interface EndedFilter {
  readonly statuses?: readonly MarketStatus[] | undefined
  readonly sot?: string | undefined
  /** Folded. */
  readonly category?: string | undefined
  /** True for those in no group, and the first outcome of each: its code follows that of the group. */
  readonly isFirst?: true
}

/**
 * The markets that are over, in the order in which they became so or were read: as much of each as lists and
 * orders need, in 60 bytes. Nothing of that changes any more. A market has its place, from 0 on, for good.
 */
export class EndedMarkets {
  #length = 0
  #numbers = new Uint32Array(0)
  #amounts = new Float64Array(0)
  /** Places by code. */
  #ordered = new Uint32Array(0)
  readonly #hashes = new Map<string, number>()
  /** Of categories as they are spelled. */
  readonly #hashesOfCategories = new Map<string, number>()

  get length(): number {
    return this.#length
  }

  /** Adds a market; returns its place. */
  add(market: EndedMarket): number {
    const place = this.#length++
    this.#grow()
    const { code } = market
    const [numbers, first] = [this.#numbers, place * NUMBERS]
    numbers[first + CODE] = code
    numbers[first + GROUP] = market.group ?? 0
    numbers[first + TRADERS] = market.traders
    numbers[first + STATUS] = STATUSES.indexOf(market.status)
    numbers[first + SOT] = this.#hashOf(market.sot)
    numbers[first + CATEGORY] = this.#hashOfCategory(market.category ?? '')
    const [amounts, firstAmount] = [this.#amounts, place * AMOUNTS]
    amounts[firstAmount + CREATED_AT] = market.createdAt
    amounts[firstAmount + END_AT] = market.endAt
    amounts[firstAmount + OVER_AT] = market.overAt
    amounts[firstAmount + VOLUME] = market.volume
    const behind = this.#placeBehind(code, place)
    assert(behind === 0 || this.#codeBy(behind - 1) !== code, 'a market is over once')
    this.#ordered.copyWithin(behind + 1, behind, place)
    this.#ordered[behind] = place
    return place
  }

  /** Returns the place of a market; undefined unless it is over. */
  placeOf(code: MarketCode): number | undefined {
    const behind = this.#placeBehind(code)
    return behind > 0 && this.#codeBy(behind - 1) === code ? this.#ordered[behind - 1] : undefined
  }

  has(code: MarketCode): boolean {
    return this.placeOf(code) !== undefined
  }

  /** Yields the places of the markets with higher codes than this, by code. */
  *behind(code: number): Generator<number> {
    let last = code
    for (let index = this.#placeBehind(code); index < this.#length; index++) {
      // Others may have been added since the last one was asked for.
      if (this.#codeBy(index) <= last || (index > 0 && this.#codeBy(index - 1) > last)) {
        index = this.#placeBehind(last)
        if (index >= this.#length) return
      }
      last = this.#codeBy(index)
      yield this.#ordered[index] ?? 0
    }
  }

  codeAt(place: number): MarketCode {
    return this.#number(place, CODE) as MarketCode
  }

  groupAt(place: number): MarketCode | undefined {
    return (this.#number(place, GROUP) || undefined) as MarketCode | undefined
  }

  /** Returns how many users ever had a position in a market; undefined unless it is over. */
  tradersOf(code: MarketCode): number | undefined {
    const place = this.placeOf(code)
    return place === undefined ? undefined : this.#number(place, TRADERS)
  }

  /** Returns when the market got its result, or else ended. */
  overAt(place: number): number {
    return this.#amount(place, OVER_AT)
  }

  /** Returns the rank in the order of a sort: the lowest is the first. By a day's trades all are equal. */
  rankAt(place: number, sort: EventSort): number {
    switch (sort) {
      case 'trending':
      case 'movers':
        return 0
      case 'volume':
        return -this.#amount(place, VOLUME)
      case 'closing':
        return this.#amount(place, END_AT)
      case 'ended':
        return -this.#amount(place, OVER_AT)
      case 'newest':
        return -this.#amount(place, CREATED_AT)
    }
  }

  /** Returns how many were created since a time. */
  createdSince(at: number): number {
    let count = 0
    for (let place = 0; place < this.#length; place++) if (this.#amount(place, CREATED_AT) >= at) count++
    return count
  }

  /**
   * Returns a test of places, which no market that fits fails. One in a few thousand millions of the others
   * passes, too: those that pass are to be looked at.
   */
  mayBe({ statuses, sot, category, isFirst }: EndedFilter): (place: number) => boolean {
    const wanted = statuses?.map(status => STATUSES.indexOf(status))
    const hashOfSot = sot === undefined ? undefined : this.#hashOf(sot)
    const hashOfCategory = category === undefined ? undefined : this.#hashOf(category)
    return place =>
      (isFirst === undefined || this.#isFirst(place)) &&
      (wanted === undefined || wanted.includes(this.#number(place, STATUS))) &&
      (hashOfSot === undefined || this.#number(place, SOT) === hashOfSot) &&
      (hashOfCategory === undefined || this.#number(place, CATEGORY) === hashOfCategory)
  }

  #isFirst(place: number): boolean {
    const group = this.#number(place, GROUP)
    return group === 0 || this.#number(place, CODE) === group + 1
  }

  #number(place: number, cell: number): number {
    return this.#numbers[place * NUMBERS + cell] ?? 0
  }

  #amount(place: number, cell: number): number {
    return this.#amounts[place * AMOUNTS + cell] ?? 0
  }

  #codeBy(index: number): number {
    return this.#number(this.#ordered[index] ?? 0, CODE)
  }

  /** Returns the first index in the order of codes with a higher one. */
  #placeBehind(code: number, length = this.#length): number {
    let [low, high] = [0, length]
    if (high === 0 || this.#codeBy(high - 1) <= code) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#codeBy(middle) <= code) low = middle + 1
      else high = middle
    }
    return low
  }

  #grow(): void {
    if (this.#length <= this.#ordered.length) return
    const length = Math.ceil(this.#ordered.length * GROWTH) + GROWTH_MIN
    const [numbers, amounts, ordered] = [this.#numbers, this.#amounts, this.#ordered]
    this.#numbers = new Uint32Array(length * NUMBERS)
    this.#amounts = new Float64Array(length * AMOUNTS)
    this.#ordered = new Uint32Array(length)
    this.#numbers.set(numbers)
    this.#amounts.set(amounts)
    this.#ordered.set(ordered)
  }

  /** Returns a hash of a text, FNV-1a. Texts are often the same. */
  #hashOf(text: string): number {
    return remembered(this.#hashes, text, () => {
      let hash = 0x811c9dc5
      for (let index = 0; index < text.length; index++) {
        hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
      }
      return hash
    })
  }

  #hashOfCategory(spelling: string): number {
    return remembered(this.#hashesOfCategories, spelling, () => this.#hashOf(folded(spelling)))
  }
}

/** Returns what was computed for a text, of the last ones. */
function remembered(known: Map<string, number>, text: string, compute: () => number): number {
  const before = known.get(text)
  if (before !== undefined) return before
  if (known.size >= HASHES_MAX) known.clear()
  const result = compute()
  known.set(text, result)
  return result
}
