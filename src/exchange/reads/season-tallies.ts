import type { Season } from '../../core/season.js'
import type { AccountNumber } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { SeasonRows } from '../../store/rows/season-rows.js'
import type { Tally } from './people-tallies.js'
import { addTo, TallyRoom } from './people-tallies.js'

/** About 100 bytes each. */
const TALLIES_MAX = 200_000

/** Figures by user of each season: from the start of its turn to its end. Its memory is bounded. */
export class SeasonTallies {
  readonly #rows: SeasonRows
  readonly #room: TallyRoom
  readonly #tallies = new Map<number, Map<AccountNumber, Tally>>()
  #begun: readonly Season[] = []

  constructor(database: Database, max = TALLIES_MAX) {
    this.#rows = new SeasonRows(database)
    this.#room = new TallyRoom(max)
  }

  /** True once there were more users in all seasons than it holds: those who came later are not counted. */
  get isFull(): boolean {
    return this.#room.isFull
  }

  /** Reads which seasons have begun; to be called before lines that are newer than the last call. */
  advance(): void {
    this.#begun = this.#rows.all().filter(({ begunAt }) => begunAt !== undefined)
  }

  /** Adds to the figures of a user in the season of a moment, if it is in one. */
  add(account: AccountNumber, at: number, amounts: Partial<Tally>): void {
    const season = this.#begun.find(
      ({ begunAt, endsAt }) => begunAt !== undefined && begunAt <= at && at < endsAt,
    )
    if (season === undefined) return
    const tally = this.#of(season.number, account)
    if (tally !== undefined) addTo(tally, amounts)
  }

  /** Returns the figures of all users in a season. */
  over(season: number): ReadonlyMap<AccountNumber, Readonly<Tally>> {
    return this.#tallies.get(season) ?? new Map()
  }

  /** Returns the numbers of the last seasons in which a user has figures, the newest first. */
  seasonsOf(account: AccountNumber, lengthMax: number): number[] {
    const numbers = this.#begun.filter(({ number }) => this.#tallies.get(number)?.has(account))
    numbers.sort((a, b) => b.startsAt - a.startsAt)
    return numbers.slice(0, lengthMax).map(({ number }) => number)
  }

  #of(season: number, account: AccountNumber): Tally | undefined {
    let tallies = this.#tallies.get(season)
    if (tallies === undefined) {
      tallies = new Map()
      this.#tallies.set(season, tallies)
    }
    return this.#room.in(tallies, account)
  }
}
