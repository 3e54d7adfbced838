import type { TimeMs } from '../core/units.js'
import { HOUR_MS } from './durations.js'
import type { Chance } from './seeded-random.js'

/** What share of the way back to its level opinion goes in an hour. */
const PULL = 0.25
/** Between 5 and 95 of a hundred: a market at its edge has nobody left to trade with. */
const EDGE = 2.9
/** From this share of its life on a market feels how it will end. */
const END_BEGINS = 0.85
const END_LEVEL = 2.4
const NEWS_EVERY_HOURS = 4
/** In deviations of an hour's wandering. */
const NEWS_SIZE = 1.5
/** A demo that slept goes on from where it was, not from anywhere. */
const STEP_HOURS_MAX = 6

/** What opinion is made of. */
export interface PriceModel {
  /** How likely a YES is thought to be on most days. */
  readonly level: number
  readonly restlessness: number
  readonly startAt: TimeMs
  readonly endAt: TimeMs
}

/**
 * How likely a YES is, as somebody would see it who knew all there is to know: a walk of the log-odds that is
 * pulled back to its level, is struck by news now and then, and leans to one side when the end is near.
 */
export class Belief {
  readonly #temper: PriceModel
  #logOdds: number
  #at: TimeMs

  /** @param share where it begins, above 0 and below 1 */
  constructor(temper: PriceModel, share: number, at: TimeMs) {
    this.#temper = temper
    this.#logOdds = within(Math.log(share / (1 - share)))
    this.#at = at
  }

  /** Walks to a moment; answers how likely a YES is then. */
  walkTo(now: TimeMs, chance: Chance): number {
    const hours = Math.min(STEP_HOURS_MAX, Math.max(0, now - this.#at) / HOUR_MS)
    this.#at = now
    const pulled = (this.#goal(now) - this.#logOdds) * (1 - Math.exp(-PULL * hours))
    const wandered = this.#temper.restlessness * Math.sqrt(hours) * chance.normal()
    const isNews = chance.share() < hours / NEWS_EVERY_HOURS
    const told = isNews ? NEWS_SIZE * this.#temper.restlessness * chance.normal() : 0
    this.#logOdds = within(this.#logOdds + pulled + wandered + told)
    return 1 / (1 + Math.exp(-this.#logOdds))
  }

  #goal(now: TimeMs): number {
    const { level, startAt, endAt } = this.#temper
    const isEnding = now > startAt + (endAt - startAt) * END_BEGINS
    if (isEnding) return this.#logOdds >= 0 ? END_LEVEL : -END_LEVEL
    return Math.log(level / (1 - level))
  }
}

function within(logOdds: number): number {
  return Math.min(EDGE, Math.max(-EDGE, logOdds))
}
