import { escrowRule } from '../../core/escrow-rule.js'
import type { Ledger } from '../../core/ledger.js'
import type { MarketProgress, MarketTerms } from '../../core/market.js'

/** What is wrong with a market's escrow as the ledger knows it, if anything is. */
export function escrowFault(
  ledger: Ledger,
  terms: MarketTerms,
  progress: MarketProgress,
): string | undefined {
  return escrowRule(ledger.balance(terms.escrow).cash, ledger.totals(terms.code), terms, progress)
}
