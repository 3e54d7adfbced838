import type { Level } from '../../core/book/order-book.js'
import type { FeeRates } from '../../core/fees.js'
import type { MarketListing, MarketProgress, MarketTerms } from '../../core/market.js'
import type { PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'

/** A market with everything that clients see of it. */
export interface ShownMarket {
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly progress: MarketProgress
  readonly resolved: Resolution | undefined
  /** An emoji, or the address of a picture. */
  readonly image: string | undefined
  readonly ladder: ShownLadder
  /** The fee rates of orders that are admitted now. */
  readonly rates: FeeRates
  readonly day: ShownDay
}

/** When the outcome was set, and the operator's note on it. */
interface Resolution {
  readonly at: TimeMs
  readonly sourceUrl: string | undefined
  readonly note: string | undefined
}

/** Both sides of a book, best price first. */
interface ShownLadder {
  bids(levelsMax?: number): Level[]
  asks(levelsMax?: number): Level[]
}

/** The last 24 hours: the change of the YES price, the quantity traded, the prices of each half hour. */
interface ShownDay {
  change(now: TimeMs): number | undefined
  volume(now: TimeMs): QuantityLots
  prices(now: TimeMs): readonly PriceTicks[]
}
