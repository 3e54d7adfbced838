import type { FeeRates } from '../../core/fees.js'
import type { MarketListing, MarketTerms } from '../../core/market.js'
import { folded } from '../../store/folded.js'

/** The fee rates of all events that have none of their own. */
export interface FeeSettings extends FeeRates {
  /** By folded category; a rate that is not given is that of all events. */
  readonly categories: ReadonlyMap<string, Partial<FeeRates>>
}

export const NO_FEE_SETTINGS: FeeSettings = { taker: 0, maker: 0, categories: new Map() }

/** Returns the rates of an event: its own, else those of its category, else those of the exchange. */
export function feeRatesOf(
  { feeTaker, feeMaker }: Pick<MarketTerms, 'feeTaker' | 'feeMaker'>,
  { category }: Pick<MarketListing, 'category'>,
  settings: FeeSettings,
): FeeRates {
  const { categories, taker, maker } = settings
  const common =
    category === undefined || categories.size === 0 ? undefined : categories.get(folded(category))
  return {
    taker: feeTaker ?? common?.taker ?? taker,
    maker: feeMaker ?? common?.maker ?? maker,
  }
}
