import type { Totals } from './ledger.js'
import type { MarketProgress, MarketTerms } from './market.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots } from './units.js'
import { amount, lots, times } from './units.js'

/** The owner of an escrow: all markets of an exclusive group, or one market on its own. */
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
  /** The complete sets of an exclusive group (`GroupProgress`). */
  readonly sets?: number
  readonly markets: readonly AuditedPart[]
}

/** Returns the code of the pool that holds the money of a market. */
export function poolCode({ code, pool }: Pick<MarketTerms, 'code' | 'pool'>): MarketCode {
  return pool ?? code
}

/** Returns the pool that holds the money of a market. */
export function poolOf(terms: MarketTerms): Pool {
  return { code: poolCode(terms), escrow: terms.escrow, payout: terms.payout }
}

/**
 * Returns what the escrow of a pool must hold, unless the pool is void: the payout of its open pairs and of
 * the sets of a group, which is what it pays whichever outcome wins; once a market is resolved, of its
 * winning contracts not yet paid; and the fees, until all of it is settled. Everything that asks asks here.
 */
export function poolNeeds(payout: PriceTicks, markets: readonly PoolPart[], sets = 0): Amount {
  return amount(times(payout, lots(pairsOf(markets) + sets)) + feesOf(markets) - sweptOf(markets))
}

/**
 * Returns how a pool's escrow, contracts and net payments contradict each other; undefined if they agree
 * (invariants, I2). The escrow always equals the net cash that its users have put in, less the fees that have
 * left it; in a void pool that is the only rule. Otherwise it holds what the pool needs, and each market has
 * the contracts of its pairs.
 */
export function poolFault({ payout, cash, paid, sets = 0, markets }: AuditedPool): string | undefined {
  if (cash !== paid - sweptOf(markets)) return `escrow ${cash}, but its users put in ${paid}`
  if (markets.some(({ status }) => status === 'voided')) return undefined
  if (cash !== poolNeeds(payout, markets, sets)) {
    return `escrow ${cash} for ${pairsOf(markets) + sets} pairs and ${feesOf(markets)} in fees`
  }
  for (const market of markets) {
    const fault = contractsFault(market, sets)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Returns the contracts of a market of the side that has more. @param sets of its group, if exclusive */
export function contractsOf(openPairs: number, sets = 0): QuantityLots {
  return lots(openPairs + Math.max(0, sets))
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

/**
 * Each pair has one YES and one NO, and each set a YES in every outcome; once there is a result, the winning
 * contracts count.
 */
function contractsFault(market: AuditedPart, sets: number): string | undefined {
  const { status, outcome, openPairs, yes, no } = market
  const yesCounts = outcome !== 'no'
  const noCounts = outcome !== 'yes'
  if ((yesCounts && yes !== openPairs + sets) || (noCounts && no !== openPairs)) {
    const besides = sets === 0 ? '' : ` and ${sets} sets`
    return `${yes} YES and ${no} NO for ${openPairs} pairs${besides}`
  }
  if (status === 'settled' && yes + no > 0) return `${yes} YES and ${no} NO after the settlement`
  return undefined
}
