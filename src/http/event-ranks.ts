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

/**
 * The events in the order of each sort. Those whose rank may still change are ranked again each second at
 * most; those that are over have theirs for good, and stay in a list of their own, however many they become.
 */
export class EventRanks {
  readonly #now: () => TimeMs
  readonly #rankings = new Map<EventSort, Ranking>()

  constructor(markets: MarketDirectory, now: () => TimeMs) {
    this.#now = now
    // The first ranking takes the longest: of all events, not in the way of an order.
    for (const sort of EVENT_SORTS) this.#rankings.set(sort, new Ranking(sort, markets))
    for (const ranking of this.#rankings.values()) ranking.advance(now())
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
  #rankedAt = Number.NEGATIVE_INFINITY
  #arrivedCount = 0
  #overCount = 0

  constructor(sort: EventSort, markets: MarketDirectory) {
    this.#sort = sort
    this.#markets = markets
  }

  /** Ranks the events again if that was too long ago; new ones get their place at once. */
  advance(now: TimeMs): void {
    const keptMs = KEPT_MS + this.front.length * KEPT_MS_PER_EVENT
    if (now < this.#rankedAt || now >= this.#rankedAt + keptMs) this.#rankAll(now)
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

  #rankAll(now: TimeMs): void {
    const rank = rankOf(this.#sort, now)
    const { over, arrived } = this.#markets
    const ended = [...this.#fading, ...over.slice(this.#overCount)]
    this.#fading = ended.filter(market => this.#mayFade(market, now))
    addAll(
      this.rest,
      ended.filter(market => !this.#mayFade(market, now)).map(market => ranked(market, rank)),
    )
    this.front = [...this.#markets.live(), ...this.#fading]
      .map(market => ranked(market, rank))
      .sort(compareRanks)
    this.#overCount = over.length
    this.#arrivedCount = arrived.length
    this.#rankedAt = now
  }

  #mayFade({ resolved, terms }: DeskMarket, now: TimeMs): boolean {
    if (this.#sort !== 'trending' && this.#sort !== 'movers') return false
    return (resolved?.at ?? terms.endAt) + TRAIL_MS > now
  }
}

/** Adds events to a sorted list, which is sorted once for many. */
function addAll(sorted: Ranked[], added: readonly Ranked[]): void {
  for (const one of added) {
    if (added.length <= INSERTED_MAX) insert(sorted, one)
    else sorted.push(one)
  }
  if (added.length > INSERTED_MAX) sorted.sort(compareRanks)
}

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
