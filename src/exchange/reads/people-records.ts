import type { Outcome } from '../../core/market.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'

/** A user's result in one resolved event. Money is in units. */
export interface Call {
  readonly market: MarketCode
  readonly outcome: Exclude<Outcome, 'void'>
  readonly profit: number
  /** The chance of YES that their trades stood for; undefined where all were with themselves. */
  readonly forecast: number | undefined
}

/** Forecasts that lay close together, and how often it was YES. */
export interface ForecastBin {
  /** Their mean, from 0 to 1. */
  readonly forecast: number
  /** The part of them that were resolved YES. */
  readonly happened: number
  readonly count: number
}

/** A user's results in resolved events, beyond sums. */
export interface PersonRecord {
  readonly bins: readonly ForecastBin[]
  /** The calls with the greatest profit, the best first. */
  readonly best: readonly Call[]
  /** Events that ended with a profit. */
  readonly won: number
}

interface KeptRecord {
  /** For each bin: how many, the sum of forecasts, how many were resolved YES. */
  readonly bins: Float64Array
  best: readonly Call[]
  won: number
}

const BINS = 10
const CALLS_MAX = 3
/** About 600 bytes each. */
const RECORDS_MAX = 50_000

/** The calibration and the best calls of each user. Its memory is bounded. */
export class PeopleRecords {
  readonly #max: number
  readonly #records = new Map<AccountNumber, KeptRecord>()

  constructor(max = RECORDS_MAX) {
    this.#max = max
  }

  /** Adds what a user made of an event; of those who come after the limit nothing is kept. */
  add(account: AccountNumber, call: Call): void {
    const record = this.#of(account)
    if (record === undefined) return
    const { forecast, profit, outcome } = call
    if (forecast !== undefined) {
      const place = Math.min(BINS - 1, Math.floor(forecast * BINS)) * 3
      for (const [part, amount] of [1, forecast, outcome === 'yes' ? 1 : 0].entries()) {
        record.bins[place + part] = (record.bins[place + part] ?? 0) + amount
      }
    }
    if (profit <= 0) return
    record.won++
    record.best = [...record.best, call].sort((a, b) => b.profit - a.profit).slice(0, CALLS_MAX)
  }

  /** Returns the record of a user, which is empty before the first result. */
  of(account: AccountNumber): PersonRecord {
    const record = this.#records.get(account)
    if (record === undefined) return { bins: [], best: [], won: 0 }
    const { bins, best, won } = record
    const at = (place: number) => bins[place] ?? 0
    const shown = Array.from({ length: BINS }, (_, bin) => ({
      count: at(bin * 3),
      forecast: at(bin * 3 + 1) / at(bin * 3),
      happened: at(bin * 3 + 2) / at(bin * 3),
    }))
    return { bins: shown.filter(({ count }) => count > 0), best, won }
  }

  #of(account: AccountNumber): KeptRecord | undefined {
    const known = this.#records.get(account)
    if (known !== undefined || this.#records.size >= this.#max) return known
    const record = { bins: new Float64Array(BINS * 3), best: [], won: 0 }
    this.#records.set(account, record)
    return record
  }
}
