import { HOUSE } from '../../core/ledger.js'
import type { Outcome } from '../../core/market.js'
import { unitCost } from '../../core/order.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { FigureSort } from '../../store/operator/user-rows.js'
import type { PeopleLine, PeopleMarket, PeoplePayout } from '../../store/rows/people-rows.js'
import { PeopleRows } from '../../store/rows/people-rows.js'
import type { Ranking } from './people-order.js'
import { orderOf, ranksIn } from './people-order.js'
import { PeopleRecords } from './people-records.js'
import type { Period, Span, Tally } from './people-tallies.js'
import { DAY_MS, nothing, PeopleTallies } from './people-tallies.js'
import { SeasonTallies } from './season-tallies.js'

/** How far the figures have been counted. */
export interface PeopleCount {
  /** True if every line that was there has been counted. */
  readonly isDone: boolean
  /** True if there are more users than can be counted. */
  readonly isPartial: boolean
}

/** The users who let others see their figures: all but some, or only some. */
export interface Listed {
  readonly isDefault: boolean
  readonly others: readonly AccountNumber[]
}

/** One user's figures and rank. */
export interface RankedPerson extends Readonly<Tally> {
  readonly userId: string
  /** From 1 on. */
  readonly rank: number
  /** The rank over the same span a week ago; undefined if there was none. */
  readonly before: number | undefined
}

/** A user's place by profit in a season, among those listed. Money is in units. */
export interface SeasonPlace {
  readonly season: number
  readonly rank: number
  readonly of: number
  readonly profit: number
}

/** Figures of one user for operators. Money is in units. */
export interface PersonSums extends Pick<Readonly<Tally>, 'profit' | 'volume'> {
  /** The time of the last line of their statement. */
  readonly lastSeen: number | undefined
}

/** An order of users. */
interface Standing {
  readonly accounts: Uint32Array
  /** Ranks by account, now and a week ago; 0 for an account without a rank. */
  readonly ranks: Uint32Array
  readonly before: Uint32Array
}

/** The trades of a user in a market that is not resolved yet, added up. */
interface Stake {
  /** Change of cash. */
  flow: number
  /** The chance of YES that their trades stand for, times contracts; and those contracts. */
  weighted: number
  weight: number
}

interface OpenMarket extends PeoplePayout {
  readonly stakes: Map<AccountNumber, Stake>
}

/** Stakes of users in markets that are not resolved: about 100 bytes each. */
const STAKES_MAX = 400_000
/** Days between the ranks of now and of before, and days of the course of a profile. */
const MOVEMENT_DAYS = 7
const COURSE_DAYS = 30
/** The seasons whose places a profile shows. */
const PLACES_MAX = 12

/**
 * Counts profit, volume and calibration of all users from the lines of their statements, a part at a time, in
 * memory. Reads each line once; the guide Pages defines the figures.
 */
export class PeopleFigures {
  readonly #rows: PeopleRows
  readonly #tallies: PeopleTallies
  readonly #seasons: SeasonTallies
  readonly #records = new PeopleRecords()
  /** The order of each board when it was last read: 8 bytes a user and 4 for each account. */
  readonly #standings = new Map<string, Standing>()
  readonly #stakesMax: number
  readonly #open = new Map<MarketCode, OpenMarket>()
  #stakes = 0
  #readTo = 0
  #isPartial = false

  constructor(database: Database, bounds: { readonly tallies?: number; readonly stakes?: number } = {}) {
    this.#rows = new PeopleRows(database)
    this.#tallies = new PeopleTallies(bounds.tallies)
    this.#seasons = new SeasonTallies(database, bounds.tallies)
    this.#stakesMax = bounds.stakes ?? STAKES_MAX
  }

  /** Counts the next lines; those of markets that were resolved are added up once all lines are read. */
  advance(now: number, lengthMax: number): PeopleCount {
    return this.#rows.atOnce(() => {
      this.#seasons.advance()
      const lines = this.#rows.lines(this.#readTo, lengthMax)
      for (const line of lines) this.#count(line, now)
      this.#readTo = lines.at(-1)?.id ?? this.#readTo
      const isDone = lines.length < lengthMax
      if (isDone) this.#endMarkets(now)
      this.#tallies.forget(now)
      const isFull = this.#tallies.isFull || this.#seasons.isFull
      return { isDone, isPartial: this.#isPartial || isFull }
    })
  }

  /** Returns the best users by a figure over a span or a season. */
  ranking(by: Ranking, period: Period, now: number, listed: Listed, lengthMax: number): RankedPerson[] {
    const chosen = new Set(listed.others)
    const isListed = (account: AccountNumber) => chosen.has(account) !== listed.isDefault
    const before =
      typeof period === 'number' ? new Map() : this.#tallies.overBefore(period, now, MOVEMENT_DAYS)
    const accounts = orderOf(this.#over(period, now), by, isListed)
    const standing = { accounts, ranks: ranksIn(accounts), before: ranksIn(orderOf(before, by, isListed)) }
    this.#standings.set(boardName(by, period), standing)
    return Array.from(accounts.subarray(0, lengthMax), account =>
      this.rankOf(by, period, now, account as AccountNumber),
    ).filter(person => person !== undefined)
  }

  /** Returns one user's place on a board that was read before; undefined if they are not on it. */
  rankOf(by: Ranking, period: Period, now: number, account: AccountNumber): RankedPerson | undefined {
    const standing = this.#standings.get(boardName(by, period))
    const rank = standing?.ranks[account] ?? 0
    const userId = rank === 0 ? undefined : this.#rows.userId(account)
    if (userId === undefined) return undefined
    const before = standing?.before[account] || undefined
    return { userId, rank, before, ...this.#of(account, period, now) }
  }

  /** Returns the place of a user by profit in each of the last seasons in which they had a result. */
  places(account: AccountNumber, listed: Listed): SeasonPlace[] {
    const chosen = new Set(listed.others)
    const places: SeasonPlace[] = []
    for (const season of this.#seasons.seasonsOf(account, PLACES_MAX)) {
      const all = this.#seasons.over(season)
      const own = all.get(account)
      if (own === undefined || own.events === 0) continue
      const ranked = [...all].filter(
        ([other, { events }]) => events > 0 && chosen.has(other) !== listed.isDefault,
      )
      const above = ranked.filter(
        ([other, { profit }]) => profit > own.profit || (profit === own.profit && other < account),
      )
      places.push({ season, rank: above.length + 1, of: ranked.length, profit: own.profit })
    }
    return places
  }

  #of(account: AccountNumber, period: Period, now: number): Readonly<Tally> {
    if (typeof period !== 'number') return this.#tallies.of(account, period, now)
    return this.#seasons.over(period).get(account) ?? nothing()
  }

  #over(period: Period, now: number): ReadonlyMap<AccountNumber, Readonly<Tally>> {
    return typeof period === 'number' ? this.#seasons.over(period) : this.#tallies.over(period, now)
  }

  /** Returns the figures of one user, the course of their profit, and when they were first seen. */
  of(account: AccountNumber, now: number) {
    const over = (span: Span): Readonly<Tally> => this.#tallies.of(account, span, now)
    return {
      since: this.#tallies.seenOf(account)?.first,
      spans: { '7d': over('7d'), '30d': over('30d'), all: over('all') },
      course: this.#courseOf(account, now),
      ...this.#records.of(account),
    }
  }

  /** Returns the figures of all time of some users, and when each was last seen. */
  sums(accounts: readonly AccountNumber[], now: number): PersonSums[] {
    return accounts.map(account => {
      const { profit, volume } = this.#tallies.of(account, 'all', now)
      return { profit, volume, lastSeen: this.#tallies.seenOf(account)?.last }
    })
  }

  /** Returns one of the figures of all time of a user, or when they were last seen; 0 if never. */
  figureOf(figure: FigureSort, account: AccountNumber): number {
    if (figure === 'last_seen') return this.#tallies.seenOf(account)?.last ?? 0
    return this.#tallies.over('all', 0).get(account)?.[figure] ?? 0
  }

  /** Returns all profit of a user by the end of each of the last days, the oldest first. */
  #courseOf(account: AccountNumber, now: number) {
    const days = this.#tallies.profits(account, now, COURSE_DAYS)
    let profit = this.#tallies.of(account, 'all', now).profit
    for (const day of days) profit -= day.profit
    return days.map(({ day, profit: ofDay }) => {
      profit += ofDay
      return { at: day * DAY_MS, profit }
    })
  }

  #count({ account, at, kind, change, market, trade }: PeopleLine, now: number): void {
    // The exchange's own accounts have the lowest numbers.
    if (account <= HOUSE) return
    this.#tallies.seen(account, at)
    if (market === null) return
    const open = this.#openMarket(market)
    const stake = this.#stakeIn(market, account)
    if (open === undefined || stake === undefined) return
    // What an exclusive group brings is counted once, when the group is over.
    const counted = open.pool === null ? stake : this.#stakeIn(open.pool, account)
    if (counted !== undefined) counted.flow += change
    if (kind !== 'trade' || trade === null) return
    const found = this.#rows.trade(market, trade)
    if (found === undefined || found.taker === found.maker) return
    const isYes = (found.takerSide === 'yes') === (found.taker === account)
    const volume = unitCost(isYes ? 'yes' : 'no', found.price, open.payout) * found.quantity
    this.#tallies.add(account, at, now, { volume })
    this.#seasons.add(account, at, { volume })
    const chance = found.price / open.payout
    stake.weighted += found.quantity * (isYes ? (1 + chance) / 2 : chance / 2)
    stake.weight += found.quantity
  }

  /** Adds up the markets that have been settled or voided. */
  #endMarkets(now: number): void {
    for (const market of this.#rows.overAmong(this.#open.keys())) {
      const { stakes = [], pool = null } = this.#open.get(market.code) ?? {}
      // An exclusive group is one event, whichever of its outcomes were traded.
      const events = pool === null ? 1 : 0
      for (const [account, stake] of stakes) {
        this.#end(account, stake, { ...market, events }, now)
        this.#stakes--
      }
      this.#open.delete(market.code)
    }
  }

  #end(
    account: AccountNumber,
    { flow, weighted, weight }: Stake,
    market: PeopleMarket & { readonly events: number },
    now: number,
  ): void {
    const { code, winner, outcome, resolvedAt, events } = market
    // In a void event all trades are reversed: nobody has won, lost or foreseen anything.
    if (outcome === 'void') return
    const forecast = weight === 0 ? undefined : weighted / weight
    const error = forecast === undefined ? 0 : (forecast - chanceAfter(outcome)) ** 2
    const forecasts = forecast === undefined ? 0 : 1
    const figures = { profit: flow, events, error, forecasts }
    this.#tallies.add(account, resolvedAt ?? now, now, figures)
    this.#seasons.add(account, resolvedAt ?? now, figures)
    this.#records.add(account, { market: winner ?? code, outcome, profit: flow, forecast })
  }

  #openMarket(code: MarketCode): OpenMarket | undefined {
    const known = this.#open.get(code)
    if (known !== undefined) return known
    const payout = this.#rows.payout(code)
    if (payout === undefined) return undefined
    const open = { ...payout, stakes: new Map<AccountNumber, Stake>() }
    this.#open.set(code, open)
    return open
  }

  #stakeIn(code: MarketCode, account: AccountNumber): Stake | undefined {
    const open = this.#openMarket(code)
    return open && this.#stakeOf(open.stakes, account)
  }

  #stakeOf(stakes: Map<AccountNumber, Stake>, account: AccountNumber): Stake | undefined {
    const known = stakes.get(account)
    if (known !== undefined) return known
    if (this.#stakes >= this.#stakesMax) {
      this.#isPartial = true
      return undefined
    }
    const stake = { flow: 0, weighted: 0, weight: 0 }
    stakes.set(account, stake)
    this.#stakes++
    return stake
  }
}

const chanceAfter = (outcome: Exclude<Outcome, 'void'>) => (outcome === 'yes' ? 1 : 0)
const boardName = (by: Ranking, period: Period) => `${by} ${period}`
