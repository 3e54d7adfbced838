import type { Test } from 'tap'
import t from 'tap'
import { isOpen } from '../../src/core/order.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { MarketCode } from '../../src/core/units.js'
import { ArrivalLane } from '../../src/exchange/orders/arrival-lane.js'
import { LookupReader } from '../../src/exchange/reads/lookup-reader.js'
import { ArrivalOrder } from '../fixtures/arrival-order.js'
import { Dice } from '../fixtures/dice.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const ORDERS = 10_000
const MARKETS = [0, 1, 2, 3].map(n => (MARKET + n) as MarketCode)

/** Returns a promise with its resolve and reject functions. */
function newGate() {
  let open = () => {}
  let fail = (_error: Error) => {}
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}

const tick = () => new Promise<void>(resolve => setImmediate(resolve))

async function openMarkets(t: Test, options: Parameters<typeof TestExchange.open>[1] = {}) {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000, ...options })
  for (const _ of MARKETS) await test.create()
  return test
}

function request(userId: string, side: 'yes' | 'no', price: number, changes: Partial<OrderRequest> = {}) {
  const prices = { outcome: 'yes', yesPrice: price, askedPrice: price } as const
  const order = { market: MARKET, userId, side, orderType: 'LO', selfTrade: 'off', quantity: 1 } as const
  return { ...order, ...prices, ...changes } satisfies OrderRequest
}

const named = (name: string, fingerprint = 'a') => ({ key: { name, fingerprint } })

function endOf(answer: OrderRecord | string): string {
  return typeof answer === 'string' ? answer : `${answer.number} ${answer.state}`
}

/** Requests of every kind, some at once and some apart; answers what was placed, in the order of arrival. */
async function sendAll(test: TestExchange, dice: Dice, count: number): Promise<ArrivalOrder> {
  const order = new ArrivalOrder()
  const answers: Promise<void>[] = []
  const open: OrderRecord[] = []
  let left = count
  const arrive = (answer: Promise<unknown>, old?: OrderRecord) => {
    const arrival = order.arrive()
    left--
    const taken = answer.then(value => {
      if (typeof value !== 'object' || value === null || !('number' in value) || value === old) return
      const placed = value as OrderRecord
      order.placed(placed, arrival)
      if (isOpen(placed.state)) open.push(placed)
    })
    answers.push(taken)
  }
  const place = () => {
    const user = dice.percent(50) ? `known${dice.between(1, 9)}` : `new${dice.between(1, count)}`
    const changes = {
      market: dice.oneOf(MARKETS as [MarketCode]),
      ...(dice.percent(50) && named(`k${left}`)),
    }
    const side = dice.oneOf(['yes', 'no'] as const)
    arrive(test.exchange.placeOrder(request(user, side, dice.between(2, 8), changes)))
  }
  const amend = () => {
    const [old] = open.splice(dice.between(0, open.length - 1), 1)
    if (old === undefined) place()
    else arrive(test.exchange.amendOrder(orderId(old), { quantity: dice.between(2, 3) }), old)
  }
  while (left > 0) {
    // One alone, or a batch of them.
    for (let n = dice.oneOf([1, 1, 2, 20]); n > 0; n--) (dice.percent(20) ? amend : place)()
    for (let n = dice.oneOf([0, 0, 1, 3]); n > 0; n--) await tick()
  }
  await Promise.all(answers)
  return order
}

for (const { where, options } of [
  { where: 'one shard', options: { shardCount: 1, threads: false } },
  { where: 'three shards in threads', options: { shardCount: 3, threads: true } },
]) {
  t.test(`no order is ever overtaken: ${where}`, async t => {
    const dice = Dice.fromEnvironment(t)
    const test = await openMarkets(t, options)
    for (let n = 1; n <= 9; n++) await test.place(`known${n} buy 1 @ 1`)
    const order = await sendAll(test, dice, ORDERS)
    t.ok(order.count > ORDERS / 2, `${order.count} of ${ORDERS} requests placed an order`)
    t.same(order.overtaken(), [])
    t.ok(test.exchange.moneyIsAllThere())
  })
}

t.test('an order sees every earlier arrival, whatever those had to wait for', async t => {
  const test = await openMarkets(t, { shardCount: 3 })
  await test.place('ben buy 1 @ 1')
  const takeAtOnce = { timeInForce: 'IOC' } as const
  const pairs = [
    ['a stranger', request('new1', 'no', 6), request('ben', 'yes', 6, takeAtOnce)],
    ['a name', request('ben', 'no', 7, named('k1')), request('cora', 'yes', 7, takeAtOnce)],
    ['a stranger with a name', request('new2', 'no', 8, named('k1')), request('ben', 'yes', 8, takeAtOnce)],
  ] as const
  for (const [what, first, second] of pairs) {
    const answers = await Promise.all([test.exchange.placeOrder(first), test.exchange.placeOrder(second)])
    t.same(
      answers.map(endOf).map(end => end.split(' ')[1]),
      ['filled', 'filled'],
      what,
    )
  }
  t.ok(test.exchange.moneyIsAllThere())
})

t.test(
  'a new user who trades on two shards at once gets one account, and both orders wait for it',
  async t => {
    const test = await openMarkets(t, { shardCount: 3 })
    const requests = MARKETS.map(market => request('new1', 'yes', 5, { market }))
    const behind = [...requests.map(order => ({ ...order, userId: 'new2' })), ...requests]
    const answers = await Promise.all([...requests, ...behind].map(order => test.exchange.placeOrder(order)))
    t.same(
      answers.map(endOf),
      [1, 2, 3].flatMap(number => MARKETS.map(() => `${number} resting`)),
    )
    t.equal(test.journalled().filter(({ type }) => type === 'OPEN_ACCOUNT').length, 2)
    t.ok(test.exchange.moneyIsAllThere())
  },
)

t.test('a new user cannot spend more than the opening balance', async t => {
  const test = await openMarkets(t, { startingBalance: 10 })
  const requests = [request('new1', 'yes', 6), request('new1', 'yes', 6), request('new1', 'yes', 4)]
  const answers = await Promise.all(requests.map(order => test.exchange.placeOrder(order)))
  t.same(answers.map(endOf), ['1 resting', '2 rejected', '3 resting'])
  t.equal(test.money('new1'), 'cash 10 held 10 available 0')
  t.ok(test.exchange.moneyIsAllThere())
  await test.restart()
  t.equal(test.money('new1'), 'cash 10 held 10 available 0')
})

t.test('cancelling all ends every earlier order and leaves later ones alone', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await openMarkets(t, { shardCount: 3 })
  await test.place('ben buy 1 @ 1')
  for (let round = 1; round <= 200; round++) {
    const userId = dice.oneOf(['ben', `new${round}`])
    const order = (n: number) => {
      const market = dice.oneOf(MARKETS as [MarketCode])
      return request(userId, 'yes', 5, { market, ...(dice.percent(60) && named(`k${round} ${n}`)) })
    }
    const before = Array.from({ length: dice.between(1, 8) }, (_, n) => test.exchange.placeOrder(order(n)))
    if (dice.percent(50)) await tick()
    const all = test.exchange.cancelOrders(userId, undefined)
    const after = test.exchange.placeOrder(order(9))
    const ended = await all
    const orders = await Promise.all(before)
    if (orders.some(order => typeof order !== 'object' || isOpen(order.state))) {
      t.fail(`round ${round}: ${orders.map(endOf)}`, { ended })
    }
    t.match(await after, { state: 'resting' }, `round ${round}`)
    await test.exchange.cancelOrders(userId, undefined)
  }
})

t.test('cancels and status changes keep their place behind waiting orders', async t => {
  const test = await openMarkets(t)
  const resting = await test.place('ben sell 1 @ 6')
  const taker = test.exchange.placeOrder(request('ben', 'yes', 6, { ...named('k1'), timeInForce: 'IOC' }))
  const cancel = test.exchange.cancelOrder(orderId(resting))
  t.match(await taker, { state: 'filled' })
  t.match(await cancel, { state: 'filled' }, 'it came too late')
  const market = test.exchange.market(MARKET)
  if (market === undefined) throw new Error('the market is there')
  const last = test.exchange.placeOrder(request('ben', 'yes', 5, named('k2')))
  const halt = test.exchange.moveMarket(market, 'halt')
  const late = test.exchange.placeOrder(request('ben', 'yes', 5))
  t.match(await last, { state: 'resting' })
  t.equal(await halt, undefined)
  t.match(await late, { state: 'rejected', reason: 'market_halted' })
})

t.test('orders with the same key share a look-up, and block nobody else', async t => {
  const test = await openMarkets(t)
  await test.place('ben buy 1 @ 1')
  const { findOrderKey } = LookupReader.prototype
  let lookups = 0
  LookupReader.prototype.findOrderKey = function (...about) {
    lookups++
    return findOrderKey.apply(this, about)
  }
  t.teardown(() => Object.assign(LookupReader.prototype, { findOrderKey }))
  const order = request('ben', 'yes', 5, named('k1'))
  const batches = Array.from({ length: 100 }, () =>
    Array.from({ length: 100 }, () => test.exchange.placeOrder(order)),
  )
  const other = await test.exchange.placeOrder(request('ben', 'yes', 5))
  const ends = (await Promise.all(batches.flat())).map(endOf)
  t.equal(ends.filter(end => end === '2 resting').length, 100, 'as many as can wait')
  t.equal(ends.filter(end => end === 'queue_full').length, ORDERS - 100, 'and no more')
  t.equal(endOf(other), '3 resting')
  t.equal(lookups, 1)
  for (const _ of batches)
    await Promise.all(Array.from({ length: 100 }, () => test.exchange.placeOrder(order)))
  t.equal(lookups, 1 + 100, 'one per batch')
  t.equal(test.journalled().filter(({ type }) => type === 'CREATE_ORDER').length, 3)
})

t.test('the same key sent at once gives one order, and is refused for a different body', async t => {
  const test = await openMarkets(t)
  for (const userId of ['new1', 'new2']) {
    if (userId === 'new2') await test.place('new2 buy 1 @ 1')
    const [one, other, same] = await Promise.all([
      test.exchange.placeOrder(request(userId, 'yes', 5, named('k1', 'a'))),
      test.exchange.placeOrder(request(userId, 'yes', 6, named('k1', 'b'))),
      test.exchange.placeOrder(request(userId, 'yes', 5, named('k1', 'a'))),
    ])
    t.match(one, { state: 'resting' })
    t.equal(other, 'key_used')
    t.equal(one, same)
  }
})

t.test('a key refused by a full queue goes to the next request that uses it', async t => {
  const test = await openMarkets(t, { shardCount: 1, queueLengthMax: 1 })
  await test.place('ben buy 1 @ 1')
  const keyed = [1, 2].map(n => test.exchange.placeOrder(request('ben', 'yes', 5, named('k1', `${n}`))))
  const created = test.create()
  t.same((await Promise.all(keyed)).map(endOf), ['queue_full', 'queue_full'])
  await created
  t.match(await test.exchange.placeOrder(request('ben', 'yes', 5, named('k1', '2'))), { state: 'resting' })
})

t.test('a failing request does not block the lane', async t => {
  const lane = new ArrivalLane()
  const turns: string[] = []
  const turn = (name: string) => async () => {
    turns.push(name)
    return name
  }
  const first = newGate()
  const second = newGate()
  const throwing = async () => {
    turns.push('c')
    throw new Error('a turn that throws')
  }
  const answers = [
    lane.enter(turn('a'), { ready: first.promise, userId: 'asha' }),
    lane.enter(turn('b'), { ready: second.promise, userId: 'asha' }),
    lane.enter(throwing),
    lane.enter(turn('d')),
  ]
  const ends = Promise.allSettled(answers)
  second.open()
  await tick()
  t.same(turns, [], 'a ready request waits for earlier ones')
  first.fail(new Error('a wait that fails'))
  const [a, b, c, d] = await ends
  t.same(turns, ['b', 'c', 'd'])
  t.match(a, { status: 'rejected', reason: { message: 'a wait that fails' } })
  t.match(b, { value: 'b' })
  t.match(c, { status: 'rejected', reason: { message: 'a turn that throws' } })
  t.match(d, { value: 'd' })
  t.equal(lane.length, 0)
  void lane.enter(turn('e'))
  t.equal(turns.at(-1), 'e', 'an empty lane runs the turn at once')
})

t.test('the lane limits orders per user and in total, and keeps room for cancels', async t => {
  const lane = new ArrivalLane()
  const gate = newGate()
  let turns = 0
  const turn = async () => {
    turns++
    return 'taken'
  }
  const enter = (userId: string | undefined, count: number) =>
    Array.from({ length: count }, () => lane.enter(turn, { ready: gate.promise, ...(userId && { userId }) }))
  const answers = ['a', 'b', 'c', 'd', 'e'].flatMap(userId => enter(userId, 3000))
  answers.push(...enter(undefined, 3000))
  const operator = lane.enterAlways(turn)
  gate.open()
  const ends = await Promise.all(answers)
  t.equal(await operator, 'taken')
  const taken = (from: number, to: number) => ends.slice(from, to).filter(end => end === 'taken').length
  t.same(
    [0, 1, 2, 3].map(n => taken(n * 3000, n * 3000 + 3000)),
    [2048, 2048, 2048, 2048],
  )
  t.equal(taken(12_000, 15_000), 0, 'the lane is full of orders')
  t.equal(taken(15_000, 18_000), 2048, 'cancels have room behind them')
  t.equal(turns, 8192 + 2048 + 1, 'each request gets one turn')
  t.notOk(lane.isFull('a'), 'and there is room again')
})

t.test('key and transfer look-ups do not wait behind page reads', async t => {
  const test = await openMarkets(t, { threads: true })
  await Promise.all(Array.from({ length: 2000 }, () => test.place('ben buy 0.1 @ 1')))
  let pages = 0
  const everything = { market: undefined, state: undefined }
  const reads = Array.from({ length: 200 }, () =>
    test.exchange.archive.orders('ben', everything, undefined, 2000).then(
      () => pages++,
      () => undefined,
    ),
  )
  const transfer = { userId: 'ben', direction: 'deposit', amount: 10_000 as never, txnId: 't1' } as const
  t.match(await test.exchange.placeOrder(request('ben', 'yes', 2, named('k1'))), { state: 'resting' })
  t.match(await test.exchange.transfer(transfer), { txnId: 't1', amount: 10_000 })
  t.match(await test.exchange.transfer(transfer), { txnId: 't1', amount: 10_000 }, 'known from the disk')
  t.ok(pages < reads.length, `${pages} of ${reads.length} pages were read by then`)
  await Promise.all(reads)
})
