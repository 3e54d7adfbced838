import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import { lots } from '../../src/core/units.js'
import { MarketDirectory } from '../../src/exchange/markets/market-directory.js'
import { openReadOnly } from '../../src/store/database.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const USERS = ['asha', 'ben', 'cora', 'dev']
const OTHER = (MARKET + 1) as typeof MARKET
const DAY = [
  ...[
    'asha buy 10 @ 5',
    'ben sell 4 @ 5',
    'cora buy 3 @ 5',
    'asha buy 2 @ 4.5',
    'ben sell 3 @ 6',
    'asha sell 2 @ 6',
  ],
  ...['dev buy 4 market', 'dev sell 1 @ 7', 'cora buy 2 no @ 4.2', 'ben buy 1 @ 9.99', 'dev buy 9 @ 5.8'],
]

/** Returns everything a user or a client can see. */
function seen(test: TestExchange): unknown {
  const markets = Array.from(test.exchange.directory.all(), ({ terms, listing, progress, openOrders }) => ({
    ...{ terms, listing, book: test.book(terms.code), orders: [...openOrders.values()].map(withoutArrival) },
    // The shape of a batch's change carries the code too.
    progress: { ...progress, code: terms.code },
    contracts: USERS.map(user => test.contracts(user, terms.code)),
    traders: test.exchange.tradersOf(terms.code),
  }))
  return { markets, money: USERS.map(user => test.money(user)) }
}

/** Returns an order as everybody sees it: the number of its arrival is in memory only. */
const withoutArrival = ({ arrival: _, ...order }: OrderRecord) => order

t.test('a restart changes nothing that a user or client can see', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  await test.playAll(DAY)
  await test.playAll(DAY.slice(3), OTHER)
  for (let round = 0; round < 3; round++) {
    const [before, hashes] = [seen(test), await test.exchange.stateHashes()]
    await test.restart()
    t.same(seen(test), before)
    t.same(await test.exchange.stateHashes(), hashes)
    t.ok(test.exchange.moneyIsAllThere())
    await test.playAll(['dev sell 1 @ 5', 'cora buy 1 @ 6'])
  }
  t.same(test.failures, [])
})

t.test('numbers, codes and sequences continue after a restart', async t => {
  const test = await TestExchange.open(t)
  await test.create({ slug: 'first' })
  const first = await test.place('asha buy 1 @ 5')
  const refused = await test.place('asha buy 1 @ 9.99')
  t.same([first.number, refused.number], [1, 2])
  const { seq } = test.exchange.market(MARKET)?.progress ?? {}
  await test.restart()
  const told: number[] = []
  test.exchange.onPublication(({ messages }) => told.push(...messages.map(message => message.seq)))
  const next = await test.place('ben sell 1 @ 5')
  t.equal(next.number, 3, 'a refused order keeps its number')
  t.equal(told[0], (seq ?? 0) + 1)
  t.equal((await test.create({ slug: 'second' })).terms.code, OTHER)
  const accounts = test.rows<{ number: number; owner: string }>(
    'SELECT number, owner FROM accounts WHERE number > 3',
  )
  t.same(accounts, [
    { number: 4, owner: 'escrow:1000001' },
    { number: 5, owner: 'user:asha' },
    { number: 6, owner: 'user:ben' },
    { number: 7, owner: 'escrow:1000002' },
  ])
  const trades = test.rows<{ trade: number }>('SELECT trade FROM trades')
  t.same(trades, [{ trade: 1 }])
})

t.test('orders keep their place in the queue across a restart', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 2 @ 5', 'ben buy 2 @ 5', 'asha buy 2 @ 5', 'cora sell 1 @ 5'])
  await test.restart()
  await test.playAll(['cora sell 2 @ 5'])
  const fills = test.rows<{ maker: number; quantity: number }>(
    'SELECT maker, quantity FROM trades ORDER BY trade',
  )
  t.same(fills, [
    { maker: 1, quantity: 100 },
    { maker: 1, quantity: 100 },
    { maker: 2, quantity: 100 },
  ])
})

t.test('the number of shards may change at any start', async t => {
  const file = join(t.testdir(), 'raay.db')
  const places = { one: 1, three: 3, two: 2 }
  let before: unknown
  for (const [name, shardCount] of Object.entries(places)) {
    await t.test(name, async t => {
      const test = await TestExchange.open(t, { file, shardCount })
      if (before === undefined) {
        for (const slug of ['a', 'b', 'c']) await test.create({ slug })
        for (const market of [0, 1, 2]) await test.playAll(DAY, (MARKET + market) as typeof MARKET)
      } else t.same(seen(test), before)
      t.equal((await test.exchange.stateHashes()).length, shardCount)
      t.match(test.endOf(await test.place('dev sell 1 @ 9')), /^resting/)
      t.ok(test.exchange.moneyIsAllThere())
      before = seen(test)
    })
  }
})

t.test('pairs left unmerged by a stop are merged at the next start', async t => {
  const directory = t.testdir()
  const image = join(directory, 'crashed.db')
  await t.test('a crash between the fill and the merge', async t => {
    const test = await TestExchange.open(t, { file: join(directory, 'raay.db') })
    await test.create()
    await test.playAll(['asha buy 10 @ 5', 'ben sell 10 @ 5', 'cora buy 6 @ 7'])
    const sale = await test.place('asha sell 10 @ 9')
    await test.playAll(['asha sell 6 @ 7'])
    t.equal(test.contracts('asha'), 'yes 10 no 6 locked 10 0')
    let isTaken = false
    test.exchange.onPublication(() => {
      if (!isTaken) test.crashImage(image)
      isTaken = true
    })
    await test.exchange.cancelOrder(orderId(sale))
    await test.exchange.drain()
    t.equal(test.contracts('asha'), 'yes 4 no 0')
  })
  await t.test('the start after it', async t => {
    const test = await TestExchange.open(t, { file: image })
    const merges = () => test.journalled().filter(({ type }) => type === 'MERGE_PAIRS').length
    t.ok(test.exchange.moneyIsAllThere(), 'also while the merge is on its way')
    await test.exchange.drain()
    t.equal(test.contracts('asha'), 'yes 4 no 0')
    t.equal(test.money('asha'), 'cash 992 held 0 available 992')
    t.equal(merges(), 1)
    await test.restart()
    await test.exchange.drain()
    t.equal(merges(), 1, 'and never again')
    t.ok(test.exchange.moneyIsAllThere())
  })
})

t.test('the exchange continues after a crash behind any commit', async t => {
  const directory = t.testdir()
  const images: { readonly file: string; readonly answered: readonly string[] }[] = []
  const answered: string[] = []
  await t.test('crashes', async t => {
    const test = await TestExchange.open(t, { file: join(directory, 'raay.db') })
    await test.create({ capacity: lots(2000) })
    test.exchange.onPublication(() => {
      const file = test.crashImage(join(directory, `crash-${images.length}.db`))
      images.push({ file, answered: [...answered] })
    })
    for (const order of DAY) answered.push(orderId(await test.place(order)))
  })
  t.ok(images.length >= DAY.length)
  for (const [index, { file, answered }] of images.entries()) {
    await t.test(`crash ${index}`, async t => {
      const test = await TestExchange.open(t, { file })
      await test.exchange.drain()
      t.ok(test.exchange.moneyIsAllThere())
      for (const id of answered)
        if ((await test.exchange.findOrder(id)) === undefined) t.fail(`${id} is lost`)
      t.match(test.endOf(await test.place('eve buy 1 @ 1')), /^resting/)
      t.same(test.failures, [])
    })
  }
})

t.test('markets are listed by code, even if a later one was committed first', async t => {
  const test = await TestExchange.open(t)
  const markets = [await test.create(), await test.create({ title: 'Snow', slug: 'snow' })]
  const directory = new MarketDirectory()
  for (const market of [...markets].reverse()) directory.add(market)
  t.same(
    Array.from(directory.all(), ({ terms }) => terms.code),
    markets.map(({ terms }) => terms.code),
  )
})

t.test('empties the write-ahead log when the exchange is idle, but not while the log is read', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5'])
  const log = `${test.file}-wal`
  const looks = async (count: number) => {
    for (let look = 0; look < count; look++) test.exchange.advanceClock()
    await test.exchange.stateHashes()
    return statSync(log).size
  }
  const full = statSync(log).size
  t.ok(full > 0)
  t.equal(await looks(9), full, 'not while orders may still follow')

  const reader = openReadOnly(test.file)
  reader.exec('BEGIN')
  t.equal(reader.prepare('SELECT count(*) FROM orders').pluck().get(), 2)
  await test.place('asha buy 1 @ 4')
  t.ok((await looks(10)) > 0, 'a reader still needs it')
  reader.exec('COMMIT')
  reader.close()

  t.equal(await looks(10), 0)
  await test.place('asha buy 1 @ 3')
  t.ok(statSync(log).size > 0, 'and orders go on')
  t.ok(test.exchange.moneyIsAllThere())
})
