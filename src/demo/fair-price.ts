import type { TimeMs } from '../core/units.js'
import { HOUR_MS } from './durations.js'
import type { Chance } from './seeded-random.js'

/** Share of the way back to its level that opinion covers in an hour. */
const PULL = 0.25
/** Keeps prices between 5 and 95 percent: a market at its edge has nobody left to trade with. */
const EDGE = 2.9
/** Share of its life after which a market leans towards its outcome. */
const END_BEGINS = 0.85
const END_LEVEL = 2.4
const NEWS_EVERY_HOURS = 4
/** In standard deviations of an hour's walk. */
const NEWS_SIZE = 1.5
/** Limits a step, so that a demo that slept resumes close to where it was. */
const STEP_HOURS_MAX = 6

/** Parameters of the walk. */
export interface PriceModel {
  /** Usual probability of a YES. */
  readonly level: number
  readonly volatility: number
  readonly startAt: TimeMs
  readonly endAt: TimeMs
}

/**
 * The probability of a YES as a perfectly informed trader would see it: a walk of the log-odds that is pulled
 * back to its level, jumps on news now and then, and leans to one side near the end.
 */
export class FairPrice {
  readonly #model: PriceModel
  #logOdds: number
  #at: TimeMs

  /** @param share starting probability, above 0 and below 1 */
  constructor(model: PriceModel, share: number, at: TimeMs) {
    this.#model = model
    this.#logOdds = within(Math.log(share / (1 - share)))
    this.#at = at
  }

  /** Walks to a moment; returns the probability of a YES at that time. */
  walkTo(now: TimeMs, chance: Chance): number {
    const hours = Math.min(STEP_HOURS_MAX, Math.max(0, now - this.#at) / HOUR_MS)
    this.#at = now
    const pulled = (this.#goal(now) - this.#logOdds) * (1 - Math.exp(-PULL * hours))
    const wandered = this.#model.volatility * Math.sqrt(hours) * chance.normal()
    const isNews = chance.share() < hours / NEWS_EVERY_HOURS
    const news = isNews ? NEWS_SIZE * this.#model.volatility * chance.normal() : 0
    this.#logOdds = within(this.#logOdds + pulled + wandered + news)
    return 1 / (1 + Math.exp(-this.#logOdds))
  }

  #goal(now: TimeMs): number {
    const { level, startAt, endAt } = this.#model
    const isEnding = now > startAt + (endAt - startAt) * END_BEGINS
    if (isEnding) return this.#logOdds >= 0 ? END_LEVEL : -END_LEVEL
    return Math.log(level / (1 - level))
  }
}

function within(logOdds: number): number {
  return Math.min(EDGE, Math.max(-EDGE, logOdds))
}
