import type { Totals } from './ledger.js'
import type { MarketProgress, MarketTerms } from './market.js'

/**
 * Returns what is wrong between the cash of a market's escrow, its contracts and what its users have put in
 * (invariants, I2). While it trades the escrow is the payout of the open pairs, and there is a YES
 * and a NO for each; once resolved it is the payout of the winning contracts still to be paid. At all times
 * it is what the users have put in, net; in a voided market nothing else.
 */
export function escrowRule(
  cash: number,
  { yes, no, paid }: Totals,
  { payout }: Pick<MarketTerms, 'payout'>,
  { status, outcome, openPairs }: Pick<MarketProgress, 'status' | 'outcome' | 'openPairs'>,
): string | undefined {
  if (cash !== paid) return `escrow ${cash}, its users put in ${paid}`
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
