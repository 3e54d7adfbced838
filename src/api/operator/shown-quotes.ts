import type { HouseMeans, HouseResults, Rest } from '../../core/house/quote-table.js'
import type { Amount, PriceTicks, TimeMs } from '../../core/units.js'

/**
 * House quotes of a market as operators see them. `preview`: those that a budget would give. `returned`: they
 * trade no more, and all their money is back.
 */
export interface ShownQuotes {
  readonly status: 'preview' | 'running' | 'stopped' | 'returned'
  readonly budget: Amount
  readonly returned: Amount
  readonly startPrice: PriceTicks
  readonly step: PriceTicks
  /** The most that their table can lose, in units of ₹0.0001; undefined once their money is back. */
  readonly lossMax: number | undefined
  readonly means: HouseMeans
  readonly results: HouseResults
  readonly rests: readonly Rest[]
  readonly fundedAt: TimeMs | undefined
  readonly stoppedAt: TimeMs | undefined
}
