import type { Level } from '../../core/book/order-book.js'
import type { MarketListing, MarketProgress, MarketTerms } from '../../core/market.js'
import type { TimeMs } from '../../core/units.js'

/** A market with everything that clients see of it. */
export interface ShownMarket {
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly progress: MarketProgress
  readonly resolved: Resolution | undefined
  readonly ladder: ShownLadder
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
