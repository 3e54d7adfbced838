import type { EventSort } from '../api/events/event-query.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'

/** Returns an event's place in a list: the lowest first. */
type Rank = (market: DeskMarket) => number

/** The place of an event in a list. */
export interface Placed {
  readonly code: MarketCode
  readonly rank: number
}

/** An event with its place in a list. */
export interface Ranked extends Placed {
  readonly market: DeskMarket
}

/** How many more than wanted are collected before they are sorted and cut. */
const SPARE = 256

/** Returns the rank that sorts events as asked, by what is known at a time. */
export function rankOf(sort: EventSort, now: TimeMs): Rank {
  switch (sort) {
    case 'trending':
      return ({ day }) => -day.volume(now)
    case 'movers':
      return ({ day }) => -Math.abs(day.change(now) ?? 0)
    case 'volume':
      return ({ progress }) => -progress.volume
    case 'closing':
      return ({ terms }) => terms.endAt
    case 'ended':
      return ({ terms, resolved }) => -(resolved?.at ?? terms.endAt)
    case 'newest':
      return ({ listing }) => -listing.createdAt
  }
}

/** Returns an event with its place. */
export function ranked(market: DeskMarket, rank: Rank): Ranked {
  return { market, code: market.terms.code, rank: rank(market) }
}

/** Compares by rank; events of the same rank are listed by code, the newest first. */
export function compareRanks(a: Placed, b: Placed): number {
  return a.rank - b.rank || b.code - a.code
}

/** Keeps the first of some events, in one pass over them: those after a given event, up to a number. */
export class FirstEvents {
  readonly #after: Placed | undefined
  readonly #countMax: number
  #first: Placed[] = []
  /** The last that may still be listed, once there are enough. */
  #bar: Placed | undefined

  constructor(after: Placed | undefined, countMax: number) {
    this.#after = after
    this.#countMax = countMax
  }

  add(added: Placed): void {
    if (this.#after !== undefined && compareRanks(added, this.#after) <= 0) return
    if (this.#bar !== undefined && compareRanks(added, this.#bar) > 0) return
    this.#first.push(added)
    if (this.#first.length >= this.#countMax + SPARE) this.#cut()
  }

  /** Returns the first events, in order. */
  take(): readonly MarketCode[] {
    this.#cut()
    return this.#first.map(({ code }) => code)
  }

  #cut(): void {
    this.#first = this.#first.sort(compareRanks).slice(0, this.#countMax)
    if (this.#first.length === this.#countMax) this.#bar = this.#first.at(-1)
  }
}
