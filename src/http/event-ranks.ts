import type { EventSort } from '../api/events/event-query.js'
import { EVENT_SORTS } from '../api/events/event-query.js'
import { assert } from '../core/assert.js'
import { isOver } from '../core/market.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import { TRAIL_MS } from '../exchange/markets/day-trail.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { EndedFilter } from '../exchange/markets/ended-markets.js'
import type { MarketDirectory } from '../exchange/markets/market-directory.js'
import type { Placed, Ranked } from './event-order.js'
import { compareRanks, ranked, rankOf } from './event-order.js'

/** The time for which a ranking is kept: longer for more events, which take longer to rank. */
const KEPT_MS = 1000
const KEPT_MS_PER_EVENT = 0.2
/** After this many times as long without being asked for, it is forgotten. */
const UNASKED_SHARE = 10
/** The events ranked in one step, and those sorted or merged in one: about a millisecond. */
const STEP_LENGTH = 512
const SORT_STEP_LENGTH = 4096
const NONE = new Uint32Array(0)

/** Calls back in another turn of the event loop. */
type Later = (go: () => void) => void

/**
 * The events in the order of each sort. Those whose rank may still change are ranked again each second at
 * most; those that are over have theirs for good, and stay in a list of their own, however many they become.
 * Many are ranked in steps, one in each turn of the event loop; lists have the order before until then.
 */
export class EventRanks {
  readonly #markets: MarketDirectory
  readonly #now: () => TimeMs
  readonly #rankings = new Map<EventSort, Ranking>()

  constructor(markets: MarketDirectory, now: () => TimeMs, later: Later = setImmediate) {
    this.#markets = markets
    this.#now = now
    for (const sort of EVENT_SORTS) this.#rankings.set(sort, new Ranking(sort, now(), { markets, later }))
    markets.onArrival(market => {
      for (const ranking of this.#rankings.values()) ranking.arrived(market, now())
    })
  }

  /** Yields the events in the order of a sort, behind an event if one is given, as `listed` does. */
  *behind(sort: EventSort, after: DeskMarket | undefined, isLive = false): Generator<DeskMarket> {
    for (const one of this.listed(sort, after, isLive)) if (typeof one !== 'number') yield one
  }

  /**
   * The same with the code alone of events that are over and do not pass a filter: they are not read.
   *
   * @param isLive true to skip those that are settled or voided
   */
  *listed(
    sort: EventSort,
    after: DeskMarket | undefined,
    isLive: boolean,
    filter: EndedFilter = {},
  ): Generator<DeskMarket | MarketCode> {
    const now = this.#now()
    const ranking = this.#rankings.get(sort)
    assert(ranking !== undefined, 'every sort has a ranking')
    ranking.advance(now)
    const { ended } = this.#markets
    const mayBe = ended.mayBe(filter)
    const { front } = ranking
    const rest = isLive ? NONE : ranking.rest
    const place = after && ranking.placeOf(after, now)
    const placeIn = (index: number) => ranking.placed(rest[index] ?? 0)
    let next = place === undefined ? 0 : placeBehind(front.length, index => at(front, index), place)
    let back = place === undefined ? 0 : placeBehind(rest.length, placeIn, place)
    for (;;) {
      const one = front[next]
      if (back < rest.length && (one === undefined || compareRanks(placeIn(back), one) < 0)) {
        const over = rest[back++] ?? 0
        const code = ended.codeAt(over)
        yield (mayBe(over) ? this.#markets.get(code) : undefined) ?? code
      } else if (one === undefined) return
      else {
        next++
        yield one.market
      }
    }
  }
}

/** The order of one sort. */
class Ranking {
  /** Events whose rank may change, in the order that was found last. */
  front: Ranked[] = []
  readonly #sort: EventSort
  readonly #markets: MarketDirectory
  /** The places of the other events among those that are over, in order. */
  #rest: Uint32Array = NONE
  /** Sorts those that were over at the start, in steps, until it is done. */
  #sorting: Iterator<void> | undefined
  /** The places of events that are over, while some of their trades are of the last 24 hours. */
  #fading: number[] = []
  readonly #later: Later
  /** The pass that ranks the events again, with its next step due in another turn. */
  #pass: Iterator<void> | undefined
  #rankedAt: number
  #askedAt: number
  #isForgotten = false
  /** Events that came during that pass. */
  #arrived: DeskMarket[] = []
  #overCount = 0

  constructor(sort: EventSort, now: TimeMs, { markets, later }: { markets: MarketDirectory; later: Later }) {
    this.#sort = sort
    this.#markets = markets
    this.#later = later
    this.#rankedAt = now
    this.#askedAt = now
    for (const _ of this.#rankAll(now));
  }

  /** The places of the events that are over, without those in `front`, in order. */
  get rest(): Uint32Array {
    while (this.#sorting !== undefined) this.#sortStep()
    return this.#rest
  }

  /** Gives a new event its place, unless nobody has asked for the order for a while: that is forgotten. */
  arrived(market: DeskMarket, now: TimeMs): void {
    if (isOver(market.progress.status) || this.#isForgotten) return
    if (this.#pass === undefined && now >= this.#askedAt + UNASKED_SHARE * this.#keptMs) {
      this.front = []
      this.#isForgotten = true
      return
    }
    if (this.#pass !== undefined) this.#arrived.push(market)
    insert(this.front, ranked(market, rankOf(this.#sort, now)))
  }

  /** Ranks the events again if that was too long ago; now, if the order was forgotten. */
  advance(now: TimeMs): void {
    this.#askedAt = now
    if (this.#isForgotten) {
      for (const _ of this.#rankAll(now));
      this.#isForgotten = false
    }
    const isOld = now < this.#rankedAt || now >= this.#rankedAt + this.#keptMs
    if (!isOld || this.#pass !== undefined) return
    this.#pass = this.#rankAll(now)
    this.#step()
  }

  get #keptMs(): number {
    return KEPT_MS + this.front.length * KEPT_MS_PER_EVENT
  }

  /** Returns the place of an event, as it was ranked last. */
  placeOf(market: DeskMarket, now: TimeMs): Placed {
    const { code } = market.terms
    return this.front.find(one => one.code === code) ?? ranked(market, rankOf(this.#sort, now))
  }

  /** Returns an event that is over with its place in the order. */
  placed(over: number): Placed {
    const { ended } = this.#markets
    return { code: ended.codeAt(over), rank: ended.rankAt(over, this.#sort) }
  }

  #step(): void {
    if (this.#pass?.next().done) this.#pass = undefined
    else this.#later(() => this.#step())
  }

  /** Ranks the events, in steps; what is listed changes with the last one. */
  *#rankAll(now: TimeMs): Generator<void, void> {
    const rank = rankOf(this.#sort, now)
    const { ended } = this.#markets
    const overCount = ended.length
    const live = this.#markets.liveNow()
    const fading: number[] = []
    const fadingMarkets: DeskMarket[] = []
    const faded: number[] = []
    const look = (over: number) => {
      const market = this.#mayFade(over, now) ? this.#markets.inMemory(ended.codeAt(over)) : undefined
      if (market === undefined) return faded.push(over)
      fading.push(over)
      return fadingMarkets.push(market)
    }
    for (const over of this.#fading) look(over)
    for (let over = this.#overCount; over < overCount; over++) look(over)
    const front: Ranked[] = []
    for (const markets of [live, fadingMarkets]) {
      for (const market of markets) {
        front.push(ranked(market, rank))
        if (front.length % STEP_LENGTH === 0) yield
      }
    }
    const sorted = yield* sortedInSteps(front, compareRanks)

    // After this point nothing waits: each event is in one of the two lists.
    this.#addToRest(faded)
    this.front = sorted
    for (const market of this.#arrived) insert(this.front, ranked(market, rank))
    this.#arrived = []
    this.#fading = fading
    this.#overCount = overCount
    this.#rankedAt = now
  }

  #mayFade(over: number, now: TimeMs): boolean {
    if (this.#sort !== 'trending' && this.#sort !== 'movers') return false
    return this.#markets.ended.overAt(over) + TRAIL_MS > now
  }

  /** Adds events that are over to the others: at a start, when they are many, in steps. */
  #addToRest(added: number[]): void {
    if (added.length === 0) return
    // Most orders are close to that of the codes, or its reverse, which costs one look at each.
    added.reverse()
    if (this.#rest.length === 0 && this.#sorting === undefined && added.length > SORT_STEP_LENGTH) {
      this.#sorting = this.#sortRest(added)
      this.#later(() => this.#sortLater())
      return
    }
    const { rest } = this
    const placeIn = (index: number) => this.placed(rest[index] ?? 0)
    const merged = new Uint32Array(rest.length + added.length)
    let from = 0
    for (const [index, over] of added.sort(this.#compare).entries()) {
      const to = placeBehind(rest.length, placeIn, this.placed(over))
      merged.set(rest.subarray(from, to), from + index)
      merged[to + index] = over
      from = to
    }
    merged.set(rest.subarray(from), from + added.length)
    this.#rest = merged
  }

  readonly #compare = (a: number, b: number): number => {
    const { ended } = this.#markets
    return ended.rankAt(a, this.#sort) - ended.rankAt(b, this.#sort) || ended.codeAt(b) - ended.codeAt(a)
  };

  *#sortRest(added: number[]): Generator<void, void> {
    this.#rest = Uint32Array.from(yield* sortedInSteps(added, this.#compare))
  }

  #sortStep(): void {
    if (this.#sorting?.next().done) this.#sorting = undefined
  }

  #sortLater(): void {
    this.#sortStep()
    if (this.#sorting !== undefined) this.#later(() => this.#sortLater())
  }
}

/** Sorts a list: short runs first, then twice as long ones merged from them. */
function* sortedInSteps<One>(list: One[], compare: (a: One, b: One) => number): Generator<void, One[]> {
  let from = list
  for (let start = 0; start < from.length; start += SORT_STEP_LENGTH) {
    const run = from.slice(start, start + SORT_STEP_LENGTH).sort(compare)
    for (const [index, one] of run.entries()) from[start + index] = one
    if (from.length > SORT_STEP_LENGTH) yield
  }
  for (let length = SORT_STEP_LENGTH; length < from.length; length *= 2) {
    const merged: One[] = []
    for (let start = 0; start < from.length; start += 2 * length) {
      const [middle, end] = [start + length, Math.min(start + 2 * length, from.length)]
      let [one, other] = [start, middle]
      while (merged.length < end) {
        const isOne = other >= end || (one < middle && compare(at(from, one), at(from, other)) <= 0)
        merged.push(at(from, isOne ? one++ : other++))
        if (merged.length % SORT_STEP_LENGTH === 0) yield
      }
    }
    from = merged
  }
  return from
}

function at<One>(list: readonly One[], index: number): One {
  return list[index] as One
}

function insert(sorted: Ranked[], added: Ranked): void {
  sorted.splice(
    placeBehind(sorted.length, index => at(sorted, index), added),
    0,
    added,
  )
}

/** Returns the first index behind a place in a sorted list. */
function placeBehind(length: number, placeAt: (index: number) => Placed, place: Placed): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRanks(placeAt(middle), place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
