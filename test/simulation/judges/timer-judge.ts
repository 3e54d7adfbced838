import { assert } from '../../../src/core/assert.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { World } from '../world/world.js'

/** A timer that a client has asked for. */
export interface AskedTimer {
  readonly userId: string
  readonly markets: readonly MarketCode[] | undefined
  /** Undefined until it is answered, and if it is off. */
  endsAt: number | undefined
  isAnswered: boolean
}

/** Tells whether a timer may have ended by a time: one that a crash left unanswered may have, at any. */
function hasEndedBy({ isAnswered, endsAt }: AskedTimer, time: number): boolean {
  return !isAnswered || (endsAt !== undefined && endsAt <= time)
}

function isOf({ markets }: AskedTimer, market: MarketCode): boolean {
  return markets === undefined || markets.includes(market)
}

interface Place {
  readonly market: MarketCode
  readonly number: number
}

const placeOf = ({ market, number }: Place) => `${market} ${number}`

interface Cancelled extends Place {
  readonly owner: string
  readonly at: number
}

const CANCELLED = `SELECT market, orders.number, owner, updated_at AS at FROM orders
  JOIN accounts ON accounts.number = orders.account WHERE reason = 'timer_ended'`

/** Checks which orders timers cancel: those that arrived before they fired, all of them, and no others. */
export class TimerJudge {
  readonly #world: World
  /** By user, in the order in which they were asked for. */
  readonly #asked = new Map<string, AskedTimer[]>()
  /** The orders that arrived when each timer of their user before was over. */
  readonly #safe = new Map<string, number>()

  /** The cancelled orders that have been judged. */
  readonly #judged = new Set<string>()
  /** The latest time from which the clock went back since timers were judged last: what was due then may fire. */
  #wentBackFrom = Number.NEGATIVE_INFINITY

  /** The timers that were due as the clock went back, each with what it was to cancel then: it may have fired. */
  readonly #passed = new Map<AskedTimer, ReadonlySet<string>>()

  /** The timers that `justEnded` has named. */
  readonly #told = new Set<AskedTimer>()

  constructor(world: World) {
    this.#world = world
  }

  asked(userId: string, markets: readonly MarketCode[] | undefined): AskedTimer {
    const timer: AskedTimer = { userId, markets, endsAt: undefined, isAnswered: false }
    this.#asked.set(userId, [...(this.#asked.get(userId) ?? []), timer])
    return timer
  }

  answered(timer: AskedTimer, endsAt: number | undefined): void {
    timer.endsAt = endsAt
    timer.isAnswered = true
  }

  /** Notes that the clock goes back; a batch that is under way gets the time after that. */
  clockGoesBack(from: number): void {
    this.#wentBackFrom = Math.max(this.#wentBackFrom, from)
    for (const timer of this.#last()) {
      if (timer.endsAt === undefined || timer.endsAt > from || this.#passed.has(timer)) continue
      this.#passed.set(timer, new Set(this.#openOf(timer).map(placeOf)))
    }
  }

  /** Returns how many timers of a user may yet fire or have fired by now; undefined if one is still running. */
  arrival(userId: string): number | undefined {
    const asked = this.#asked.get(userId) ?? []
    const now = this.#world.exchange.now()
    const isOver = asked.every(
      timer => timer.isAnswered && (timer.endsAt === undefined || hasEndedBy(timer, now)),
    )
    return isOver ? asked.length : undefined
  }

  /** Returns when the next timer ends; undefined if none is known to run. */
  nextEnd(): number | undefined {
    const now = this.#world.exchange.now()
    const ends = this.#last().flatMap(({ endsAt }) => endsAt ?? [])
    const [first] = ends.filter(endsAt => endsAt > now).sort((a, b) => a - b)
    return first
  }

  /** Returns the users whose timers have ended since the last call. */
  justEnded(): string[] {
    const now = this.#world.exchange.now()
    const ended = this.#last().filter(
      timer => !this.#told.has(timer) && timer.isAnswered && hasEndedBy(timer, now),
    )
    for (const timer of ended) this.#told.add(timer)
    return ended.map(({ userId }) => userId)
  }

  /** Returns the last timer of each user. */
  #last(): AskedTimer[] {
    return Array.from(this.#asked.values(), asked => asked.at(-1) ?? []).flat()
  }

  /** Records an order and how many timers of its user were over when it arrived. */
  placed(order: OrderRecord, timers: number | undefined): void {
    if (timers !== undefined) this.#safe.set(placeOf(order), timers)
  }

  /** Checks, when nothing is in flight, which orders timers have cancelled. */
  assertNoneLater(): void {
    for (const { market, number, owner, at } of this.#world.rows<Cancelled>(CANCELLED)) {
      const place = placeOf({ market, number })
      if (this.#judged.has(place)) continue
      this.#judged.add(place)
      const later = (this.#asked.get(owner.slice('user:'.length)) ?? []).slice(this.#safe.get(place) ?? 0)
      const time = Math.max(at, this.#wentBackFrom)
      const mayEnd = later.some(timer => hasEndedBy(timer, time) && isOf(timer, market))
      assert(mayEnd, 'a timer cancels no order that arrived after it had fired, and none of other events')
    }
    this.#wentBackFrom = Number.NEGATIVE_INFINITY
  }

  /** Checks, when nothing is in flight and timers that are due have fired, that no order outlived its timer. */
  assertNoneOutlived(): void {
    const now = this.#world.exchange.now()
    for (const timer of this.#last()) {
      const { endsAt } = timer
      if (endsAt === undefined || endsAt > now) continue
      const before = this.#passed.get(timer)
      for (const order of this.#openOf(timer)) {
        const isOlder = order.createdAt < endsAt && (before?.has(placeOf(order)) ?? true)
        assert(!isOlder, 'no order outlives the timer of its user')
      }
    }
  }

  /** Returns the open orders that a timer is about. */
  #openOf(timer: AskedTimer): OrderRecord[] {
    const markets = [...this.#world.exchange.directory.all()].filter(({ terms }) => isOf(timer, terms.code))
    return markets
      .flatMap(({ openOrders }) => [...openOrders.values()])
      .filter(({ userId, state }) => userId === timer.userId && isOpen(state))
  }
}
