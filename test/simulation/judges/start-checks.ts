import { assert } from '../../../src/core/assert.js'
import type { MarketProgress, MarketTerms } from '../../../src/core/market.js'
import type { TransferRow } from '../../../src/core/records/statement-record.js'
import { Engine } from '../../../src/engine/engine.js'
import type { ShardGroup } from '../../../src/engine/shard-group.js'
import { stateHash } from '../../../src/engine/state-hash.js'
import type { OrderKeyRow } from '../../../src/store/rows/order-key-rows.js'
import type { Clients } from '../world/clients.js'
import type { World } from '../world/world.js'
import type { LoggedAction } from './action-judge.js'

const TRANSFER = `SELECT txn_id AS txnId, account, direction, amount, t.cash, at, substr(owner, 6) AS userId
  FROM transfers t JOIN accounts ON number = account WHERE txn_id = ?`

const KEY = `SELECT market, k.number, fingerprint FROM order_keys k JOIN accounts a ON a.number = k.account
  WHERE a.owner = 'user:' || ? AND name = ?`

const ACTIONS = `SELECT action, market, substr(owner, 6) AS userId, fields FROM admin_actions
  LEFT JOIN accounts ON number = account`

/** Checks after every start that every answer to a client is kept (invariants, I10, I11, I15). */
export function assertAnswersAreKept(world: World, clients: Clients, isEnd = false): void {
  const { orders, batchKeys } = world.tables()
  clients.orders.assertKept((market, number) => orders.find(market, number), isEnd)
  clients.transfers.assertKept(
    txnId => world.rows<TransferRow & { readonly userId: string }>(TRANSFER, txnId)[0],
  )
  clients.batches.assertKept(name => batchKeys.find(name))
  clients.keys.assertKept((userId, name) => world.rows<OrderKeyRow>(KEY, userId, name)[0])
  clients.actions.assertKept(world.rows<LoggedAction>(ACTIONS))
  clients.markets.assertKept(code => world.exchange.market(code))
  clients.groups.assertKept()
  clients.house.judge.assertKept()
}

/** Returns the fingerprints of the shards that have these groups and markets. */
export function shardHashes(
  shardCount: number,
  groups: readonly Pick<ShardGroup, 'terms' | 'progress'>[],
  markets: readonly {
    readonly terms: MarketTerms
    readonly progress: MarketProgress
    readonly orders: Parameters<Engine['restore']>[2]
  }[],
): string[] {
  return Array.from({ length: shardCount }, (_, index) => {
    const engine = new Engine()
    for (const { terms, progress } of groups) {
      if (terms.code % shardCount === index) engine.restoreGroup(terms, progress)
    }
    for (const { terms, progress, orders } of markets) {
      if ((terms.group ?? terms.code) % shardCount === index) engine.restore(terms, progress, orders)
    }
    return stateHash(engine)
  })
}

/** Checks that, with nothing in flight, the live books equal those a start builds from the tables. */
export async function assertHashesAgree(world: World): Promise<void> {
  const tables = world.tables()
  const markets = Array.from(tables.markets.all(), ({ terms, progress }) => ({
    ...{ terms, progress, orders: tables.openOrders.resting(terms.code) },
  }))
  const codes = new Set(markets.flatMap(({ terms: { group } }) => group ?? []))
  const groups = [...codes].map(code => tables.groups.find(code)).filter(group => group !== undefined)
  const reloaded = shardHashes(world.shardCount, groups, markets)
  const live = await world.exchange.stateHashes()
  assert(live.join(' ') === reloaded.join(' '), 'the books in memory equal those of the tables')
}
