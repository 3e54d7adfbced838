import type { EventSort } from '../api/events/event-query.js'
import { EVENT_SORTS } from '../api/events/event-query.js'
import { assert } from '../core/assert.js'
import type { TimeMs } from '../core/units.js'
import { TRAIL_MS } from '../exchange/markets/day-trail.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import type { MarketDirectory } from '../exchange/markets/market-directory.js'
import type { Ranked } from './event-order.js'
import { compareRanks, ranked, rankOf } from './event-order.js'

/** The time for which a ranking is kept: longer for more events, which take longer to rank. */
const KEPT_MS = 1000
const KEPT_MS_PER_EVENT = 0.2
/** Events that become over at once, up to which each is inserted. */
const INSERTED_MAX = 64
/** The events ranked in one step, and those sorted or merged in one: about a millisecond. */
const STEP_LENGTH = 512
const SORT_STEP_LENGTH = 4096

/** Calls back in another turn of the event loop. */
type Later = (go: () => void) => void

/**
 * The events in the order of each sort. Those whose rank may still change are ranked again each second at
 * most; those that are over have theirs for good, and stay in a list of their own, however many they become.
 * Many are ranked in steps, one in each turn of the event loop; lists have the order before until then.
 */
export class EventRanks {
  readonly #now: () => TimeMs
  readonly #rankings = new Map<EventSort, Ranking>()

  constructor(markets: MarketDirectory, now: () => TimeMs, later: Later = setImmediate) {
    this.#now = now
    // The first ranking takes the longest: of all events, not in the way of an order.
    for (const sort of EVENT_SORTS) this.#rankings.set(sort, new Ranking(sort, markets, later, now()))
  }

  /**
   * Yields the events in the order of a sort, behind an event if one is given.
   *
   * @param isLive true to skip those that are settled or voided
   */
  *behind(sort: EventSort, after: DeskMarket | undefined, isLive = false): Generator<DeskMarket> {
    const now = this.#now()
    const ranking = this.#rankings.get(sort)
    assert(ranking !== undefined, 'every sort has a ranking')
    ranking.advance(now)
    const rest = isLive ? [] : ranking.rest
    const place = after && ranking.placeOf(after, now)
    let front = place === undefined ? 0 : placeBehind(ranking.front, place)
    let back = place === undefined ? 0 : placeBehind(rest, place)
    for (;;) {
      const [one, other] = [ranking.front[front], rest[back]]
      if (one === undefined && other === undefined) return
      if (other === undefined || (one !== undefined && compareRanks(one, other) < 0)) {
        front++
        if (one !== undefined) yield one.market
      } else {
        back++
        yield other.market
      }
    }
  }
}

/** The order of one sort. */
class Ranking {
  /** Events whose rank may change, in the order that was found last. */
  front: Ranked[] = []
  /** The other events, each of which is over. */
  readonly rest: Ranked[] = []
  readonly #sort: EventSort
  readonly #markets: MarketDirectory
  /** Events that are over, while some of their trades are of the last 24 hours. */
  #fading: DeskMarket[] = []
  readonly #later: Later
  /** The pass that ranks the events again, with its next step due in another turn. */
  #pass: Iterator<void> | undefined
  #rankedAt: number
  #arrivedCount = 0
  #overCount = 0

  constructor(sort: EventSort, markets: MarketDirectory, later: Later, now: TimeMs) {
    this.#sort = sort
    this.#markets = markets
    this.#later = later
    this.#rankedAt = now
    for (const _ of this.#rankAll(now));
  }

  /** Ranks the events again if that was too long ago; new ones get their place at once. */
  advance(now: TimeMs): void {
    const keptMs = KEPT_MS + this.front.length * KEPT_MS_PER_EVENT
    const isOld = now < this.#rankedAt || now >= this.#rankedAt + keptMs
    if (isOld && this.#pass === undefined) {
      this.#pass = this.#rankAll(now)
      this.#step()
    }
    const { arrived } = this.#markets
    for (; this.#arrivedCount < arrived.length; this.#arrivedCount++) {
      const market = arrived[this.#arrivedCount]
      if (market !== undefined) insert(this.front, ranked(market, rankOf(this.#sort, now)))
    }
  }

  /** Returns the place of an event, as it was ranked last. */
  placeOf(market: DeskMarket, now: TimeMs): Ranked {
    const known = this.front.find(one => one.market === market)
    return known ?? ranked(market, rankOf(this.#sort, now))
  }

  #step(): void {
    if (this.#pass?.next().done) this.#pass = undefined
    else this.#later(() => this.#step())
  }

  /** Ranks the events, in steps; what is listed changes with the last one. */
  *#rankAll(now: TimeMs): Generator<void, void> {
    const rank = rankOf(this.#sort, now)
    const { over, arrived } = this.#markets
    const [overCount, arrivedCount] = [over.length, arrived.length]
    const live = this.#markets.liveNow()
    const ended = [...this.#fading, ...over.slice(this.#overCount)]
    const fading = ended.filter(market => this.#mayFade(market, now))
    const faded = ended.filter(market => !this.#mayFade(market, now)).map(market => ranked(market, rank))
    const front: Ranked[] = []
    for (const markets of [live, fading]) {
      for (const market of markets) {
        front.push(ranked(market, rank))
        if (front.length % STEP_LENGTH === 0) yield
      }
    }
    const sorted = yield* sortedInSteps(front)

    // After this point nothing waits: each event is in one of the two lists.
    addAll(this.rest, faded)
    this.front = sorted
    this.#fading = fading
    this.#overCount = overCount
    this.#arrivedCount = arrivedCount
    this.#rankedAt = now
  }

  #mayFade({ resolved, terms }: DeskMarket, now: TimeMs): boolean {
    if (this.#sort !== 'trending' && this.#sort !== 'movers') return false
    return (resolved?.at ?? terms.endAt) + TRAIL_MS > now
  }
}

/** Adds events to a sorted list. */
function addAll(sorted: Ranked[], added: Ranked[]): void {
  if (added.length <= INSERTED_MAX) for (const one of added) insert(sorted, one)
  else {
    for (const one of added) sorted.push(one)
    sorted.sort(compareRanks)
  }
}

/** Sorts events: short runs first, then twice as long ones merged from them. */
function* sortedInSteps(events: Ranked[]): Generator<void, Ranked[]> {
  let from = events
  for (let start = 0; start < from.length; start += SORT_STEP_LENGTH) {
    const run = from.slice(start, start + SORT_STEP_LENGTH).sort(compareRanks)
    for (const [index, one] of run.entries()) from[start + index] = one
    if (from.length > SORT_STEP_LENGTH) yield
  }
  for (let length = SORT_STEP_LENGTH; length < from.length; length *= 2) {
    const merged: Ranked[] = []
    for (let start = 0; start < from.length; start += 2 * length) {
      const [middle, end] = [start + length, Math.min(start + 2 * length, from.length)]
      let [one, other] = [start, middle]
      while (merged.length < end) {
        const isOne = other >= end || (one < middle && compareRanks(at(from, one), at(from, other)) <= 0)
        merged.push(at(from, isOne ? one++ : other++))
        if (merged.length % SORT_STEP_LENGTH === 0) yield
      }
    }
    from = merged
  }
  return from
}

const at = (events: readonly Ranked[], index: number) => events[index] as Ranked

function insert(sorted: Ranked[], added: Ranked): void {
  sorted.splice(placeBehind(sorted, added), 0, added)
}

/** Returns the first index behind a place in a sorted list. */
function placeBehind(sorted: readonly Ranked[], place: Ranked): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = sorted[middle]
    if (one !== undefined && compareRanks(one, place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
