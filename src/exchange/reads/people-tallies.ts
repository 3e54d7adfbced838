import type { AccountNumber } from '../../core/units.js'

/** The spans over which figures are counted: whole days in UTC, the present one included. */
export const SPANS = { '7d': 7, '30d': 30, all: Number.POSITIVE_INFINITY } as const
export type Span = keyof typeof SPANS

/** A time over which users are ranked: a span, or the season of a number. */
export type Period = Span | number

/** Figures of one user over a span. Money is in units, `error` the sum of squared errors of forecasts. */
export interface Tally {
  profit: number
  volume: number
  /** Resolved events that the user has traded in; void ones are not among them. */
  events: number
  error: number
  forecasts: number
}

export const DAY_MS = 86_400_000
/** The longest span, and the week between the present ranks and those before. */
const DAYS_KEPT = 37
/** About 100 bytes each. */
const TALLIES_MAX = 400_000

/** Figures by user: of all time, and of each of the last 37 days. Its memory is bounded. */
export class PeopleTallies {
  readonly #room: TallyRoom
  readonly #all = new Map<AccountNumber, Tally>()
  readonly #days = new Map<number, Map<AccountNumber, Tally>>()
  /** When each user was first and last seen. */
  readonly #seen = new Map<AccountNumber, { readonly first: number; last: number }>()

  constructor(max = TALLIES_MAX) {
    this.#room = new TallyRoom(max)
  }

  /** True once there were more users than it holds: those who came later are not counted. */
  get isFull(): boolean {
    return this.#room.isFull
  }

  /** Notes that a user was there at a moment. */
  seen(account: AccountNumber, at: number): void {
    const seen = this.#seen.get(account)
    if (seen !== undefined) seen.last = at
    else if (this.#room.in(this.#all, account) !== undefined) this.#seen.set(account, { first: at, last: at })
  }

  /** Returns when a user was first and last seen. */
  seenOf(account: AccountNumber): { readonly first: number; readonly last: number } | undefined {
    return this.#seen.get(account)
  }

  /** Adds to the figures of a user at a moment, and of all time. */
  add(account: AccountNumber, at: number, now: number, amounts: Partial<Tally>): void {
    const all = this.#room.in(this.#all, account)
    if (all !== undefined) addTo(all, amounts)
    const day = dayOf(at)
    if (day <= dayOf(now) - DAYS_KEPT) return
    let ofDay = this.#days.get(day)
    if (ofDay === undefined) {
      ofDay = new Map()
      this.#days.set(day, ofDay)
    }
    const tally = this.#room.in(ofDay, account)
    if (tally !== undefined) addTo(tally, amounts)
  }

  /** Forgets the days that no span includes any more. */
  forget(now: number): void {
    for (const [day, tallies] of this.#days) {
      if (day > dayOf(now) - DAYS_KEPT) continue
      this.#room.free(tallies.size)
      this.#days.delete(day)
    }
  }

  /** Returns the figures of one user over a span. */
  of(account: AccountNumber, span: Span, now: number): Tally {
    const sum = nothing()
    for (const tallies of this.#within(span, now)) {
      const tally = tallies.get(account)
      if (tally !== undefined) addTo(sum, tally)
    }
    return sum
  }

  /** Returns the figures of all users over a span. */
  over(span: Span, now: number): ReadonlyMap<AccountNumber, Readonly<Tally>> {
    return span === 'all' ? this.#all : this.#sums(this.#within(span, now))
  }

  /** Returns the figures of all users over a span that ended some days ago, 7 at most. */
  overBefore(span: Span, now: number, daysAgo: number): ReadonlyMap<AccountNumber, Readonly<Tally>> {
    const end = dayOf(now) - daysAgo
    if (span !== 'all') return this.#sums(this.#between(end - SPANS[span] + 1, end))
    const sums = new Map<AccountNumber, Tally>()
    for (const [account, tally] of this.#all) sums.set(account, { ...tally })
    for (const tallies of this.#between(end + 1, dayOf(now))) {
      for (const [account, { profit, volume, events, error, forecasts }] of tallies) {
        const later = {
          profit: -profit,
          volume: -volume,
          events: -events,
          error: -error,
          forecasts: -forecasts,
        }
        const sum = sums.get(account)
        if (sum !== undefined) addTo(sum, later)
      }
    }
    return sums
  }

  /** Returns a user's profit on each of the last days, the oldest first. */
  profits(
    account: AccountNumber,
    now: number,
    days: number,
  ): { readonly day: number; readonly profit: number }[] {
    const today = dayOf(now)
    return Array.from({ length: days }, (_, place) => {
      const day = today - days + 1 + place
      return { day, profit: this.#days.get(day)?.get(account)?.profit ?? 0 }
    })
  }

  #sums(some: Iterable<ReadonlyMap<AccountNumber, Tally>>): Map<AccountNumber, Tally> {
    const sums = new Map<AccountNumber, Tally>()
    for (const tallies of some) {
      for (const [account, tally] of tallies) {
        const sum = sums.get(account) ?? nothing()
        addTo(sum, tally)
        sums.set(account, sum)
      }
    }
    return sums
  }

  *#within(span: Span, now: number): Generator<ReadonlyMap<AccountNumber, Tally>> {
    if (span === 'all') yield this.#all
    else yield* this.#between(dayOf(now) - SPANS[span] + 1, Number.POSITIVE_INFINITY)
  }

  *#between(first: number, last: number): Generator<ReadonlyMap<AccountNumber, Tally>> {
    for (const [day, tallies] of this.#days) if (day >= first && day <= last) yield tallies
  }
}

/** Room for a number of tallies, in any number of maps. */
export class TallyRoom {
  readonly #max: number
  #count = 0
  #isFull = false

  constructor(max: number) {
    this.#max = max
  }

  /** True once there was no room for a user: those who came later are not counted. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Returns the tally of a user in a map, which may be a new one; undefined if there is no room. */
  in(tallies: Map<AccountNumber, Tally>, account: AccountNumber): Tally | undefined {
    const known = tallies.get(account)
    if (known !== undefined) return known
    if (this.#count >= this.#max) {
      this.#isFull = true
      return undefined
    }
    const tally = nothing()
    tallies.set(account, tally)
    this.#count++
    return tally
  }

  /** Frees the room of tallies that are kept no longer. */
  free(count: number): void {
    this.#count -= count
  }
}

/** Returns the figures of a user of whom nothing is known. */
export function nothing(): Tally {
  return { profit: 0, volume: 0, events: 0, error: 0, forecasts: 0 }
}

/** Adds to figures. */
export function addTo(sum: Tally, amounts: Partial<Tally>): void {
  const { profit = 0, volume = 0, events = 0, error = 0, forecasts = 0 } = amounts
  sum.profit += profit
  sum.volume += volume
  sum.events += events
  sum.error += error
  sum.forecasts += forecasts
}

const dayOf = (at: number) => Math.floor(at / DAY_MS)
