import type { Season, SeasonCommand } from '../../core/season.js'
import { isTurning, seasonAfter } from '../../core/season.js'
import type { Amount, TimeMs } from '../../core/units.js'

/** The seasons, as committed; and whether trading waits for the turn of one. */
export class DeskSeasons {
  /** By number, those that were deleted included. */
  readonly #seasons = new Map<number, Season>()
  /** Those that were not deleted, by their start. */
  #all: readonly Season[] = []
  #turning: Season | undefined
  #isBeginning = false

  /** The seasons that were not deleted, in the order of their start. */
  get all(): readonly Season[] {
    return this.#all
  }

  /** The number of seasons that were ever created. */
  get size(): number {
    return this.#seasons.size
  }

  /** The season whose turn has begun and not ended. */
  get turning(): Season | undefined {
    return this.#turning
  }

  /** True from the moment a turn is queued until its end has committed. */
  get isTurning(): boolean {
    return this.#isBeginning || this.#turning !== undefined
  }

  find(number: number): Season | undefined {
    return this.#all.find(season => season.number === number)
  }

  /** Returns the season that has begun and has not ended. */
  current(now: TimeMs): Season | undefined {
    return this.#all.findLast(({ begunAt, endsAt }) => begunAt !== undefined && now < endsAt)
  }

  /** Returns the money of a user whose account is opened now. */
  openingBalance(now: TimeMs, otherwise: Amount): Amount {
    return this.current(now)?.stake ?? otherwise
  }

  /** Refuses orders from now on; the command that begins the turn follows. */
  beginning(): void {
    this.#isBeginning = true
  }

  take(command: SeasonCommand, at: TimeMs): void {
    this.restore(seasonAfter(this.#seasons.get(command.season), command, at))
    if (command.type === 'BEGIN_SEASON') this.#isBeginning = false
  }

  restore(season: Season): void {
    this.#seasons.set(season.number, season)
    const kept = [...this.#seasons.values()].filter(({ isDropped }) => !isDropped)
    this.#all = kept.sort((a, b) => a.startsAt - b.startsAt)
    this.#turning = kept.find(isTurning)
  }
}
