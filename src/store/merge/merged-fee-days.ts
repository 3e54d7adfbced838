import type { CashEntry } from '../../core/postings.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { feeDayOf } from '../rows/fee-day-rows.js'

/** The fees by day and market: sums that batches add to. */
export class MergedFeeDays {
  readonly #add: Statement
  readonly #days = new Map<number, Map<MarketCode, number>>()

  constructor(database: Database) {
    this.#add = database.prepare(
      `INSERT INTO fee_days VALUES (?, ?, ?)
       ON CONFLICT (day, market) DO UPDATE SET fees = fees + excluded.fees`,
    )
  }

  /** Adds the fees of a batch's trades. */
  take(entries: readonly CashEntry[], at: TimeMs): void {
    for (const { fee, market } of entries) {
      if (fee === undefined || market === undefined) continue
      const day = feeDayOf(at)
      const markets = this.#days.get(day) ?? new Map<MarketCode, number>()
      this.#days.set(day, markets)
      markets.set(market, (markets.get(market) ?? 0) + fee)
    }
  }

  flush(): void {
    for (const [day, markets] of this.#days) {
      for (const [market, fees] of markets) this.#add.run(day, market, fees)
    }
    this.#days.clear()
  }
}
