import type { Totals } from './ledger.js'
import type { MarketProgress, MarketTerms } from './market.js'

/**
 * Returns how a market's escrow, contracts and net payments contradict each other; undefined if they agree
 * (invariants, I2). While the market trades, the escrow is the payout of the open pairs, and each pair has
 * one YES and one NO. Once resolved, it is the payout of the winning contracts not yet paid. At all times it
 * equals the net cash its users have put in; in a voided market that is the only rule.
 */
export function escrowRule(
  cash: number,
  { yes, no, paid }: Totals,
  { payout }: Pick<MarketTerms, 'payout'>,
  { status, outcome, openPairs }: Pick<MarketProgress, 'status' | 'outcome' | 'openPairs'>,
): string | undefined {
  if (cash !== paid) return `escrow ${cash}, but its users put in ${paid}`
  if (status === 'voided') return undefined
  if (cash !== payout * openPairs) return `escrow ${cash} for ${openPairs} pairs`
  const yesCounts = outcome !== 'no'
  const noCounts = outcome !== 'yes'
  if ((yesCounts && yes !== openPairs) || (noCounts && no !== openPairs)) {
    return `${yes} YES and ${no} NO for ${openPairs} pairs`
  }
  if (status === 'settled' && yes + no > 0) return `${yes} YES and ${no} NO after the settlement`
  return undefined
}
