import type { Totals } from './ledger.js'
import type { MarketProgress, MarketTerms } from './market.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks } from './units.js'
import { amount, lots, times } from './units.js'

/** The owner of an escrow. A market on its own is a pool of one. */
export interface Pool {
  /** The code under which the net payments of its users are counted. */
  readonly code: MarketCode
  readonly escrow: AccountNumber
  /** The payout of one winning contract, the same in all its markets. */
  readonly payout: PriceTicks
}

/** The part of a market that its pool needs money for. */
export type PoolPart = Pick<MarketProgress, 'status' | 'openPairs' | 'fees'>

/** A market of a pool as an audit sees it: its progress, and the contracts of all its users. */
export type AuditedPart = PoolPart & Pick<MarketProgress, 'outcome'> & Pick<Totals, 'yes' | 'no'>

/** A pool as an audit sees it. */
export interface AuditedPool {
  readonly payout: PriceTicks
  /** The cash of its escrow. */
  readonly cash: number
  /** The net cash that its users have put in. */
  readonly paid: number
  readonly markets: readonly AuditedPart[]
}

/** Returns the code of the pool that holds the money of a market. */
export function poolCode({ code }: Pick<MarketTerms, 'code'>): MarketCode {
  return code
}

/** Returns the pool that holds the money of a market. */
export function poolOf(terms: MarketTerms): Pool {
  return { code: poolCode(terms), escrow: terms.escrow, payout: terms.payout }
}

/**
 * Returns what the escrow of a pool must hold, unless the pool is void: the payout of its open pairs; once a
 * market is resolved, of its winning contracts not yet paid; and the fees, until all of it is settled.
 * Everything that asks asks here.
 */
export function poolNeeds(payout: PriceTicks, markets: readonly PoolPart[]): Amount {
  return amount(times(payout, lots(pairsOf(markets))) + feesOf(markets) - sweptOf(markets))
}

/**
 * Returns how a pool's escrow, contracts and net payments contradict each other; undefined if they agree
 * (invariants, I2). The escrow always equals the net cash that its users have put in, less the fees that have
 * left it; in a void pool that is the only rule. Otherwise it holds what the pool needs, and each market has
 * the contracts of its pairs.
 */
export function poolFault({ payout, cash, paid, markets }: AuditedPool): string | undefined {
  if (cash !== paid - sweptOf(markets)) return `escrow ${cash}, but its users put in ${paid}`
  if (markets.some(({ status }) => status === 'voided')) return undefined
  if (cash !== poolNeeds(payout, markets)) {
    return `escrow ${cash} for ${pairsOf(markets)} pairs and ${feesOf(markets)} in fees`
  }
  for (const market of markets) {
    const fault = contractsFault(market)
    if (fault !== undefined) return fault
  }
  return undefined
}

function pairsOf(markets: readonly PoolPart[]): number {
  let pairs = 0
  for (const { openPairs } of markets) pairs += openPairs
  return pairs
}

function feesOf(markets: readonly PoolPart[]): number {
  let sum = 0
  for (const { fees } of markets) sum += fees
  return sum
}

/** Returns the fees that have left the escrow: all, once the last market of the pool is settled. */
function sweptOf(markets: readonly PoolPart[]): number {
  return markets.every(({ status }) => status === 'settled') ? feesOf(markets) : 0
}

/** Each pair has one YES and one NO; once there is a result, the winning contracts count. */
function contractsFault({ status, outcome, openPairs, yes, no }: AuditedPart): string | undefined {
  const yesCounts = outcome !== 'no'
  const noCounts = outcome !== 'yes'
  if ((yesCounts && yes !== openPairs) || (noCounts && no !== openPairs)) {
    return `${yes} YES and ${no} NO for ${openPairs} pairs`
  }
  if (status === 'settled' && yes + no > 0) return `${yes} YES and ${no} NO after the settlement`
  return undefined
}
