import { escrowRule } from '../../core/escrow-rule.js'
import type { Ledger } from '../../core/ledger.js'
import type { MarketProgress, MarketTerms } from '../../core/market.js'

/** Returns how a market's escrow violates its invariant in the ledger; undefined if it holds. */
export function escrowFault(
  ledger: Ledger,
  terms: MarketTerms,
  progress: MarketProgress,
): string | undefined {
  return escrowRule(ledger.balance(terms.escrow).cash, ledger.totals(terms.code), terms, progress)
}
