import { assert } from '../../core/assert.js'
import type { BatchOutcome } from '../../core/engine-event.js'
import type { GroupProgress } from '../../core/group.js'
import { NEW_GROUP } from '../../core/group.js'
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
  /** The exclusive group that the pool is. */
  readonly group?: { readonly progress: GroupProgress }
}

/** The progress of markets and groups that the ledger includes, and they themselves do not yet. */
interface Ahead {
  readonly markets: ReadonlyMap<MarketCode, MarketProgress>
  readonly groups: ReadonlyMap<MarketCode, GroupProgress>
}

/** Asserts the invariant of each pool as it is after a batch: before anything of the batch is shown. */
export function assertPools(
  ledger: Ledger,
  pools: Iterable<DeskPool>,
  { markets, groups }: Pick<BatchOutcome, 'markets' | 'groups'>,
): void {
  const ahead = {
    markets: new Map(markets.map(change => [change.code, change])),
    groups: new Map(groups.map(change => [change.code, change])),
  }
  for (const pool of pools) {
    const broken = deskPoolFault(ledger, pool, ahead)
    assert(broken === undefined, () => `the escrow matches the contracts: ${broken}`)
  }
}

/** Returns how a pool violates its invariant in the ledger; undefined if it holds. */
export function deskPoolFault(ledger: Ledger, pool: DeskPool, ahead?: Ahead): string | undefined {
  const { code, escrow, payout } = pool
  const markets = pool.markets.map(({ terms, progress }) => {
    const { status, outcome, openPairs, fees } = ahead?.markets.get(terms.code) ?? progress
    const { yes, no } = ledger.totals(terms.code)
    return { status, outcome, openPairs, fees, yes, no }
  })
  const { sets } = ahead?.groups.get(code) ?? pool.group?.progress ?? NEW_GROUP
  const { cash } = ledger.balance(escrow)
  return poolFault({ payout, cash, paid: ledger.totals(code).paid, sets, markets })
}
