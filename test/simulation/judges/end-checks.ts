import { assert } from '../../../src/core/assert.js'
import type { Command, CreateOrder } from '../../../src/core/command.js'
import { newOrdersOf } from '../../../src/core/command.js'
import type { EngineEvent } from '../../../src/core/engine-event.js'
import { tradeId } from '../../../src/core/market.js'
import type { MarketMessage } from '../../../src/core/records/market-message.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { Engine } from '../../../src/engine/engine.js'
import type { JournalRow } from '../../../src/store/journal.js'
import { verifyFile } from '../../../src/verify/verify-file.js'
import type { RareBranches } from '../workload/rare-branches.js'
import type { ClientBook } from '../world/client-book.js'
import type { World } from '../world/world.js'
import { assertFees } from './fee-judge.js'
import { assertReturned, assertShown, countHouse } from './house-judge.js'
import type { HouseJudge } from './house-judge.js'
import type { JudgedBatch } from './journal-judge.js'
import { JournalJudge } from './journal-judge.js'
import { assertFollowed } from './standby-judge.js'
import { shardHashes } from './start-checks.js'

/** Runs the checks made once, when the simulation has ended. */
export async function endChecks(
  world: World,
  books: ReadonlyMap<MarketCode, ClientBook>,
  house: HouseJudge,
): Promise<void> {
  assertAllIsOver(world)
  assertStatements(world)
  const judge = new JournalJudge()
  const expired = new Set<string>()
  for (const row of world.rows<JournalRow>('SELECT * FROM journal ORDER BY sequence')) {
    const batch = judge.take(row)
    assertHeard(books, batch.outcome.events)
    assertExpiresOnce(expired, batch)
    countEnds(world.branches, batch)
    countHouse(world.branches, batch, judge.houses)
    const shown = house.shownAt(row.sequence)
    if (shown === undefined) continue
    judge.assertQuoted()
    assertShown(shown, judge.markets)
  }
  for (const { steps } of judge.markets.values()) {
    const burns = steps.filter(({ takerCovered, makerCovered }) => takerCovered > 0n && makerCovered > 0n)
    world.branches.count('pairs burnt by a fill', burns.length > 0)
    const drops = steps.filter(({ dropped }) => dropped)
    world.branches.count('met oneself: the resting order went', drops.length > 0)
  }
  assertReturned(world.branches, judge.houses.values())
  assertFees(world)
  assertDecided(world, judge)
  await assertReplayed(world, judge.engine)
  await assertFollowed(world)
  const report = verifyFile(world.file)
  const findings = report.checks.flatMap(check => check.findings)
  assert(report.ok, `raay verify finds nothing: ${findings.join('; ')}`)
}

/** Checks that no orders, holds, contracts or escrow money remain. */
function assertAllIsOver(world: World): void {
  for (const { openOrders, arriving, progress } of world.exchange.directory.all()) {
    assert(openOrders.size + arriving.size === 0, 'no order outlives its market')
    const { status } = progress
    assert(status === 'settled' || status === 'voided', 'every market is settled or voided')
  }
  const left = {
    'no position outlives its market': 'positions WHERE yes + no + yes_locked + no_locked > 0',
    'nothing is held for ever': 'accounts WHERE held <> 0',
    'an escrow is empty in the end': "accounts WHERE owner LIKE 'escrow:%' AND cash <> 0",
    'the house neither wins nor loses': "accounts WHERE owner = 'house' AND cash <> 0",
    'the money of house quotes returns': "accounts WHERE owner LIKE 'maker:%' AND cash <> 0",
    'fees are what the settled markets collected, and a void gives them back': `accounts WHERE owner = 'fees' AND
      cash <> (SELECT coalesce(sum(fees), 0) FROM markets m WHERE status = 'settled' AND NOT EXISTS
        (SELECT 1 FROM markets v WHERE v.pool = m.pool AND v.status = 'voided'))`,
    'an order pays in fees what its entries say': `orders o WHERE fee_paid <>
      (SELECT coalesce(sum(fee), 0) FROM entries e WHERE e.market = o.market AND e.order_number = o.number)`,
    'an order is filled, cancelled, expired or rejected':
      "orders WHERE state NOT IN ('filled', 'cancelled', 'expired', 'rejected')",
  }
  for (const [rule, from] of Object.entries(left)) {
    assert(world.rows(`SELECT 1 FROM ${from} LIMIT 1`).length === 0, rule)
  }
}

/** Checks that statements sum to the cash line by line, and fills to the filled quantity. */
function assertStatements(world: World): void {
  const wrong = {
    'a statement sums to the cash': `accounts a WHERE owner LIKE 'user:%' AND
      cash <> (SELECT coalesce(sum(change), 0) FROM entries WHERE account = a.number)`,
    'a line says the cash after it': `(SELECT cash, sum(change) OVER
      (PARTITION BY account ORDER BY sequence, line) AS sum FROM entries
      WHERE account IN (SELECT number FROM accounts WHERE owner LIKE 'user:%')) WHERE cash <> sum`,
    'a transfer has one line': `transfers t WHERE
      (SELECT count(*) FROM entries e WHERE e.txn_id = t.txn_id AND e.account = t.account AND
       e.kind = t.direction AND abs(e.change) = t.amount AND e.cash = t.cash) <> 1`,
    'a conversion has one line': `conversions c WHERE
      (SELECT count(*) FROM entries e WHERE e.kind = 'conversion' AND e.market = c.group_code AND
       e.trade = c.number AND e.account = c.account AND e.change = c.cash) <> 1`,
    'an order has filled what its trades say': `orders o WHERE filled <>
      (SELECT coalesce(sum(quantity), 0) FROM trades t WHERE t.market = o.market AND
       (t.taker = o.number OR t.maker = o.number))`,
    'a user has one order under a name, but for those it replaced (I10)': `(SELECT 1 FROM orders
      WHERE client_key IS NOT NULL AND state <> 'rejected' AND reason IS NOT 'order_replaced'
      GROUP BY account, client_key HAVING count(*) > 1)`,
    'a name is kept as long as its order': `orders o WHERE client_key IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM order_keys k WHERE k.account = o.account AND k.name = o.client_key AND
       k.market = o.market AND (k.number = o.number OR o.state = 'rejected' OR
         o.reason = 'order_replaced' AND k.number > o.number))`,
    'a name leads to the order in force': `order_keys k LEFT JOIN orders o ON o.market = k.market AND
      o.number = k.number WHERE o.client_key IS NOT k.name OR o.reason IS 'order_replaced'`,
    'an order has paid what its trades say': `orders o WHERE filled_value <>
      (SELECT coalesce(sum(price * quantity), 0) FROM trades t WHERE t.market = o.market AND
       (t.taker = o.number OR t.maker = o.number))`,
  }
  for (const [rule, from] of Object.entries(wrong)) {
    assert(world.rows(`SELECT 1 FROM ${from} LIMIT 1`).length === 0, rule)
  }
}

/** Checks that each published message matches the journal. */
function assertHeard(books: ReadonlyMap<MarketCode, ClientBook>, events: readonly EngineEvent[]): void {
  for (const event of events) {
    const heard = books.get(event.market)?.heard.get(event.seq)
    if (heard === undefined) continue
    assert(
      messageText(heard) === eventText(event),
      `a published message matches the journal: ${messageText(heard)}`,
    )
  }
}

function messageText(message: MarketMessage): string {
  switch (message.type) {
    case 'ORDER_PLACED': {
      const fills = message.fills.map(({ tradeId: id, price, quantity }) => ` ${id}:${quantity}@${price}`)
      return `placed ${message.orderId.split('-')[1]} ${message.executed}${fills.join('')}`
    }
    case 'ORDER_CANCELLED':
    case 'ORDER_REJECTED':
      return `ended ${message.orderId.split('-')[1]} ${message.reason}`
    case 'trade':
      return `trade ${message.takerSide} ${message.trades.map(trade => trade.tradeId).join(' ')}`
    case 'status':
      return `status ${message.status} ${message.outcome}`
    default:
      return `levels ${message.bids.join(' ')} | ${message.asks.join(' ')}`
  }
}

function eventText(event: EngineEvent): string {
  const id = (trade: number) => tradeId(event.market, trade)
  switch (event.type) {
    case 'order_placed': {
      const fills = event.fills.map(({ trade, price, quantity }) => ` ${id(trade)}:${quantity}@${price}`)
      return `placed ${event.order} ${event.executed}${fills.join('')}`
    }
    case 'order_cancelled':
    case 'order_rejected':
      return `ended ${event.order} ${event.reason}`
    case 'traded':
      return `trade ${event.takerSide} ${event.fills.map(fill => id(fill.trade)).join(' ')}`
    case 'market_moved':
      return `status ${event.status} ${event.outcome}`
    default:
      return `levels ${event.bids.join(' ')} | ${event.asks.join(' ')}`
  }
}

function assertExpiresOnce(expired: Set<string>, { commands }: JudgedBatch): void {
  for (const command of commands) {
    if (command.type !== 'CANCEL_ORDER' || command.reason !== 'order_expired') continue
    const name = `${command.market} ${command.number}`
    assert(!expired.has(name), `an order expires once: ${name}`)
    expired.add(name)
  }
}

function countEnds(branches: RareBranches, { at, commands, outcome }: JudgedBatch): void {
  const admitted = new Map<string, CreateOrder>()
  for (const order of commands.flatMap(newOrdersOf)) {
    if ('refusal' in order.admission) continue
    admitted.set(`${order.market} ${order.number}`, order)
  }
  for (const { reduced, filled } of outcome.orders)
    branches.count('smaller and filled in one batch', reduced > 0 && filled > 0)
  for (const { refusal } of outcome.edits) branches.count('edit refused by its shard', refusal !== undefined)
  for (const { refusal } of outcome.conversions) {
    branches.count('conversion refused by its shard', refusal !== undefined)
  }
  for (const event of outcome.events) {
    if (event.type === 'order_cancelled') {
      const order = admitted.get(`${event.market} ${event.order}`)
      const isCapped = order !== undefined && 'hold' in order.admission && order.admission.cappedByBet
      const isCut = order !== undefined && event.reason === 'bet_above_max' && !isCapped
      branches.count('market order in flight cut by an edit', isCut)
    }
    if (event.type === 'order_cancelled') branches.count(`cancelled ${event.reason}`)
    if (event.type === 'traded') {
      const isOwn = event.fills.some(({ makerOwner }) => makerOwner === event.takerOwner)
      branches.count('met oneself: traded', isOwn)
    }
    if (event.type !== 'order_rejected') continue
    branches.count(`refused ${event.reason}`)
    const order = admitted.get(`${event.market} ${event.order}`)
    branches.count(
      'order in flight refused by an edit',
      order !== undefined && (event.reason === 'bet_above_max' || event.reason === 'bet_below_min'),
    )
    if (order === undefined || event.reason !== 'order_expired') continue
    const isTooLate = order.validUntil !== undefined && order.validUntil < at
    branches.count(
      isTooLate ? 'order too late for its valid_until' : 'order expired although its queue was slow',
    )
  }
}

const LOST: Readonly<Partial<Record<Command['type'], 'order' | 'amendment'>>> = {
  CREATE_ORDER: 'order',
  REDUCE_ORDER: 'amendment',
  REPLACE_ORDER: 'amendment',
}

/** Checks I12: every command the desk applied is in the journal, and no command is decided twice. */
function assertDecided({ machine, branches }: World, judge: JournalJudge): void {
  for (const [id, { type, isTakenOver }] of machine.queued) {
    if (isTakenOver) assert(judge.has(id), 'every command the desk applied is in the journal')
    const what = LOST[type]
    if (isTakenOver || what === undefined) continue
    branches.count(`crash: unanswered ${what} was ${judge.has(id) ? 'taken' : 'not taken'}`)
  }
}

/** Checks I13: replaying the journal gives the live books of the shards. */
async function assertReplayed(world: World, replayed: Engine): Promise<void> {
  const live = await world.exchange.stateHashes()
  const markets = replayed.markets().map(({ terms, progress, book }) => ({
    ...{ terms, progress, orders: book.orders() },
  }))
  const hashes = shardHashes(live.length, replayed.groups(), markets)
  assert(live.join(' ') === hashes.join(' '), 'replaying the journal gives the live books')
}
