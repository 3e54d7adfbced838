import { join } from 'node:path'
import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../src/core/units.js'
import { ticks } from '../../src/core/units.js'
import { Ladder } from '../../src/exchange/markets/ladder.js'
import { OpenOrders } from '../../src/exchange/orders/open-orders.js'
import { OwnOrders } from '../../src/exchange/orders/own-orders.js'
import { RestedOrders } from '../../src/exchange/orders/rested-orders.js'
import { CellReader } from '../../src/store/rows/cell-reader.js'
import { Dice } from '../fixtures/dice.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const OTHER = (MARKET + 1) as MarketCode
const USERS = ['asha', 'ben', 'cora', 'dev', 'esha']
const TERMS = { payout: ticks(1000), tickSize: ticks(1) }

/** Returns a user's open orders as the exchange lists them. */
async function listOf(test: TestExchange, userId: string): Promise<string> {
  const texts: string[] = []
  for (const state of ['resting', 'partially_filled'] as const) {
    const page = await test.exchange.archive.orders(userId, { market: undefined, state }, undefined, 100)
    if (typeof page !== 'object') continue
    texts.push(...page.rows.map(order => textOf(order as OrderRecord)))
  }
  return texts.join('\n')
}

const textOf = ({ arrival: _, ...order }: OrderRecord) => JSON.stringify(order)

t.test('orders go on after starts as if there had been none', async t => {
  const dice = Dice.fromEnvironment(t)
  const directory = t.testdir({ one: {}, two: {} })
  const open = (name: string) => TestExchange.open(t, { file: join(directory, name, 'raay.db') })
  const [test, always] = [await open('one'), await open('two')]
  const both = [test, always]
  for (const each of both) {
    await each.create()
    await each.create()
  }
  const placed: OrderRecord[] = []
  for (let step = 0; step < 200; step++) {
    const market = dice.percent(70) ? MARKET : OTHER
    const user = USERS[dice.between(0, USERS.length - 1)]
    const order = placed[dice.between(0, placed.length)]
    const [side, price, size] = [dice.percent(50), dice.between(1, 6), dice.between(1, 3)]
    const text = `${user} buy ${size} ${side ? 'yes' : 'no'} @ ${price - 0.5}`
    const isCancel = order !== undefined && dice.percent(30)
    for (const each of both) {
      each.now += 1
      if (isCancel) await each.exchange.cancelOrder(orderId(order))
      else {
        const record = await each.place(text, market)
        if (each === always) placed.push(record)
      }
      await each.exchange.drain()
    }
    if (step % 25 === 24) await test.restart()
    const asked = USERS[step % USERS.length] as string
    if (dice.percent(30)) t.equal(await listOf(test, asked), await listOf(always, asked))
    t.equal((await test.exchange.health()).openOrders, (await always.exchange.health()).openOrders)
  }
  await test.restart()
  for (const market of [MARKET, OTHER]) t.equal(test.book(market), always.book(market))
  for (const user of USERS) {
    t.equal(await listOf(test, user), await listOf(always, user))
    t.equal(test.money(user), always.money(user))
  }
  t.same(test.failures, [])
  // The directory is removed before what it closes by itself.
  for (const each of both) await each.close()
})

t.test('a user with many orders has their records at start, others when one is asked for', t => {
  const users = new Map([
    [7, 'maker'],
    [9, 'asha'],
  ])
  const rested = new RestedOrders(account => users.get(account))
  const own = new OwnOrders(rested)
  const [market, ladder] = [new OpenOrders(), new Ladder()]
  const row = (number: number, account: number, key?: string) => {
    const keyLength = key === undefined ? -1 : Buffer.byteLength(key)
    return `${number},${account},3,500,100,0,${number},0,0,4,${keyLength},tail${key ?? ''}`
  }
  const rows = Array.from({ length: 5000 }, (_, index) => row(index + 1, 7))
  rows.push(row(5001, 9, 'a, "quoted" न'), row(5007, 9), row(5008, 9, ''))
  const cells = new CellReader(Buffer.from(rows.join('')))
  while (!cells.isAtEnd) t.ok(rested.plain.add(cells.next(), cells, TERMS))
  rested.addMarket(MARKET, market, ladder, 0)
  const checked: number[] = []
  rested.begin(account => checked.push(account))
  t.same(checked, [7, 9])
  t.same([rested.length, own.length, market.size], [3, 5003, 5003])
  t.same(ladder.bids(), [[500, 500_300]])
  const counts = () => [7, 9].map(account => own.countOf(account as AccountNumber))
  t.same(counts(), [5000, 3])
  t.same([...market.holdings()].length, 5003)

  t.equal(market.get(5002 as OrderNumber), undefined)
  t.equal(rested.length, 3, 'an order that is not there is of no user')
  t.match(market.get(5001 as OrderNumber), { userId: 'asha', suffix: 'tail', key: 'a, "quoted" न' })
  t.same([rested.length, own.length, market.size], [0, 5003, 5003])
  t.same(counts(), [5000, 3])
  const keys = own.of(9 as AccountNumber).map(({ number, key }) => [number, key])
  t.same(keys, [
    [5001, 'a, "quoted" न'],
    [5007, undefined],
    [5008, ''],
  ])
  t.same([...market.values()].length, 5003)
  t.end()
})
