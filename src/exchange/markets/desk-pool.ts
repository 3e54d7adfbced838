import type { Ledger } from '../../core/ledger.js'
import type { MarketProgress, MarketTerms } from '../../core/market.js'
import type { Pool } from '../../core/pool.js'
import { poolFault } from '../../core/pool.js'
import type { MarketCode } from '../../core/units.js'

/** A market of a pool, as far as the pool looks at it. */
interface PooledMarket {
  readonly terms: Pick<MarketTerms, 'code'>
  readonly progress: MarketProgress
}

/** A pool in the main thread's memory. */
export interface DeskPool extends Pool {
  readonly markets: readonly PooledMarket[]
}

type Ahead = ReadonlyMap<MarketCode, MarketProgress>

/**
 * Returns how a pool violates its invariant in the ledger; undefined if it holds.
 *
 * @param ahead the progress of markets that the ledger includes, and the markets do not yet
 */
export function deskPoolFault(ledger: Ledger, pool: DeskPool, ahead?: Ahead): string | undefined {
  const { code, escrow, payout } = pool
  const markets = pool.markets.map(({ terms, progress }) => {
    const { status, outcome, openPairs, fees } = ahead?.get(terms.code) ?? progress
    const { yes, no } = ledger.totals(terms.code)
    return { status, outcome, openPairs, fees, yes, no }
  })
  return poolFault({ payout, cash: ledger.balance(escrow).cash, paid: ledger.totals(code).paid, markets })
}
