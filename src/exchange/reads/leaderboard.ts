import type { AccountNumber, TimeMs } from '../../core/units.js'
import type { Desk } from '../desk.js'
import type { Sources } from '../sources.js'
import type { History } from './history.js'
import type { Listed, PeopleCount, PersonSums, RankedPerson, SeasonPlace } from './people-figures.js'
import type { Ranking } from './people-order.js'
import type { Period } from './people-tallies.js'
import type { ReadBusy } from './read-lane.js'

/** Figures of people, and how fresh they are. */
export interface Fresh {
  /** When they were counted. */
  readonly at: TimeMs
  /** False while older trades are still being counted, or if there are more users than can be. */
  readonly isComplete: boolean
}

export interface Board extends Fresh {
  readonly rows: readonly RankedPerson[]
}

/** Says which users are listed: those whose choice, if they made one, is that. */
export interface Choices {
  readonly isDefault: boolean
  /** The users who chose otherwise. */
  readonly others: () => Iterable<string>
}

/** A board is shown for so long; then the next request counts what happened since. */
const FRESH_MS = 30_000
/** Lines counted before other reads get a turn, and for one request: a tenth of a second, half a second. */
const SLICE_LENGTH = 4000
const SLICES_MAX = 20
/** More than are shown, since some may ask to be left out meanwhile. */
const ROWS_MAX = 200

/**
 * Figures of people, for the leaderboard and for profiles. The reader of histories counts them in its memory,
 * each line once, when someone asks and the last count is old; boards are kept until the next count.
 */
export class Leaderboard {
  readonly #desk: Desk
  readonly #history: History
  readonly #now: () => TimeMs
  readonly #boards = new Map<string, readonly RankedPerson[]>()
  #counting: Promise<PeopleCount | ReadBusy> | undefined
  #fresh: Fresh | undefined
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(desk: Desk, history: History, { now }: Pick<Sources, 'now'>) {
    this.#desk = desk
    this.#history = history
    this.#now = now
  }

  /** Returns the best users by a figure over a span or a season, of those who are listed. */
  async top(by: Ranking, period: Period, choices: Choices): Promise<Board | ReadBusy> {
    const fresh = await this.#counted()
    if (typeof fresh === 'string') return fresh
    const name = `${by} ${period}`
    const kept = this.#boards.get(name)
    if (kept !== undefined) return { ...fresh, rows: kept }
    const rows = await this.#history.ask('ranking', by, period, this.#now(), this.#listed(choices), ROWS_MAX)
    if (typeof rows === 'string') return rows
    this.#boards.set(name, rows)
    return { ...fresh, rows }
  }

  /** Returns the place of one user on a board that was read; undefined if they are not on it. */
  async placeOf(by: Ranking, period: Period, userId: string): Promise<RankedPerson | undefined | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    return account && this.#history.ask('rankOf', by, period, this.#now(), account)
  }

  /** Returns the figures of one user; undefined if the exchange does not know them. */
  async of(userId: string) {
    const account = this.#desk.users.accountOf(userId)
    if (account === undefined) return undefined
    const fresh = await this.#counted()
    if (typeof fresh === 'string') return fresh
    const figures = await this.#history.ask('personFigures', account, this.#now())
    return typeof figures === 'string' ? figures : { ...fresh, ...figures }
  }

  /** Returns the places of one user in the last seasons; to be asked after `of`. */
  async seasonPlacesOf(userId: string, choices: Choices): Promise<readonly SeasonPlace[] | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    return account === undefined ? [] : this.#history.ask('seasonPlaces', account, this.#listed(choices))
  }

  /** Returns figures of all time of some users, in their order. */
  async sumsOf(accounts: readonly AccountNumber[]): Promise<readonly PersonSums[] | ReadBusy> {
    const fresh = await this.#counted()
    return typeof fresh === 'string' ? fresh : this.#history.ask('peopleSums', accounts, this.#now())
  }

  /** Counts what happened since the last count, if that is old; requests share one count. */
  async #counted(): Promise<Fresh | ReadBusy> {
    if (this.#fresh !== undefined && this.#now() - this.#countedAt < FRESH_MS) return this.#fresh
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined
    })
    const count = await this.#counting
    if (typeof count === 'string') return this.#fresh ?? count
    return this.#fresh ?? { at: this.#now(), isComplete: false }
  }

  async #count(): Promise<PeopleCount | ReadBusy> {
    const at = this.#now()
    let count: PeopleCount | ReadBusy = { isDone: false, isPartial: false }
    for (let slice = 0; slice < SLICES_MAX && !count.isDone; slice++) {
      count = await this.#history.ask('countPeople', at, SLICE_LENGTH)
      if (typeof count === 'string') return count
    }
    this.#boards.clear()
    this.#countedAt = count.isDone ? at : Number.NEGATIVE_INFINITY
    this.#fresh = { at, isComplete: count.isDone && !count.isPartial }
    return count
  }

  #listed({ isDefault, others }: Choices): Listed {
    const accounts = Array.from(others(), userId => this.#desk.users.accountOf(userId))
    return { isDefault, others: accounts.filter(account => account !== undefined) }
  }
}
