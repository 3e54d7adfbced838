import { join } from 'node:path'
import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
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

const idIn = ({ market, number, suffix }: OrderRecord) => `${market}-${number}-${suffix}`

/** Does something in one of the exchanges and returns the answer. */
type Step = (each: TestExchange) => Promise<unknown>

const nameOf = (step: number) => `"order" ${step}, न`

function placing(dice: Dice, step: number, placed: string[]): Step {
  const outcome = dice.percent(50) ? 'yes' : 'no'
  const price = dice.between(6, 11) / 2
  const request: OrderRequest = {
    market: dice.percent(70) ? MARKET : OTHER,
    userId: USERS[dice.between(0, USERS.length - 1)] as string,
    side: outcome,
    orderType: 'LO',
    selfTrade: 'off',
    outcome,
    yesPrice: outcome === 'yes' ? price : 10 - price,
    askedPrice: price,
    quantity: dice.between(1, 4),
    ...(dice.percent(40) && { key: { name: nameOf(step), fingerprint: 'one' } }),
    ...(dice.percent(20) && { postOnly: true }),
    ...(dice.percent(10) && { timeInForce: 'GTD', expiresAt: 2_000_000_000_000 as TimeMs }),
  }
  return async each => {
    const order = await each.exchange.placeOrder(request)
    if (typeof order === 'object') placed[step] = idIn(order)
    return order
  }
}

/** Chooses a step, usually to an order that was placed in a step before. */
function nextStep(dice: Dice, step: number, placed: string[]): Step {
  const place = placing(dice, step, placed)
  const earlier = dice.between(0, Math.max(0, step - 1))
  const id = placed[earlier] ?? 'none'
  const user = USERS[dice.between(0, USERS.length - 1)] as string
  const change = dice.percent(50) ? { quantity: dice.between(1, 5) } : { price: dice.between(5, 9) / 2 }
  const market = dice.percent(50) ? MARKET : undefined
  const kind = dice.between(1, 100)
  if (kind <= 60) return place
  if (kind <= 72) return ({ exchange }) => exchange.cancelOrder(id)
  if (kind <= 82) return ({ exchange }) => exchange.amendOrder(id, change)
  if (kind <= 90) return ({ exchange }) => exchange.cancelOrderNamed(user, nameOf(earlier))
  if (kind <= 98) return ({ exchange }) => exchange.findOrder(id)
  return ({ exchange }) => exchange.cancelOrders(user, market)
}

/** An answer without what differs between exchanges: when an order arrived. */
const answer = (value: unknown) =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'arrival' ? undefined : inner)) ?? 'none'

/** Halts and closes an event and gives it its result. */
async function finish({ exchange }: TestExchange, code: MarketCode, outcome: 'yes' | 'void'): Promise<void> {
  const market = exchange.market(code)
  if (market === undefined) throw new Error('the market is there')
  await exchange.moveMarket(market, 'halt')
  await exchange.moveMarket(market, 'close')
  await exchange.resolveMarket(market, { outcome })
  await exchange.drain()
}

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
  const placed: string[] = []
  const same = async (ask: Step, what: string) => {
    const [left, right] = [answer(await ask(test)), answer(await ask(always))]
    t.equal(left, right, what)
  }
  const sameLists = async (what: string) => {
    for (const user of USERS) {
      await same(each => listOf(each, user), `${user}'s orders ${what}`)
      await same(async each => each.money(user), `${user}'s money ${what}`)
    }
    for (const market of [MARKET, OTHER]) await same(async each => each.book(market), `the book ${what}`)
    await same(async each => (await each.exchange.health()).openOrders, `their number ${what}`)
    t.ok(test.exchange.moneyIsAllThere(), `the money ${what}`)
  }
  for (let step = 0; step < 300; step++) {
    const ask = nextStep(dice, step, placed)
    for (const each of both) each.now += 1
    await same(ask, `step ${step}`)
    for (const each of both) await each.exchange.drain()
    if (step % 25 === 24) await test.restart()
    if (step % 75 === 74) await test.restart()
    const asked = USERS[step % USERS.length] as string
    if (dice.percent(30)) await same(each => listOf(each, asked), `the list after step ${step}`)
    await same(async each => (await each.exchange.health()).openOrders, `the number after step ${step}`)
  }
  await test.restart()
  for (const id of placed)
    if (id !== undefined && dice.percent(20)) await same(each => each.exchange.findOrder(id), id)
  await sameLists('at last')
  await test.restart()
  await sameLists('after one more start')
  await test.restart()
  for (const each of both) {
    await finish(each, MARKET, 'yes')
    await finish(each, OTHER, 'void')
  }
  await sameLists('after both events')
  t.equal((await test.exchange.health()).openOrders, 0)
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
  t.same(checked, [9, 7, 9], 'the highest number is checked before all')
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

t.test(
  'all orders of a market are in order of arrival, with their fees, also if the user of a later one acts first',
  t => {
    const rested = new RestedOrders(account => `user${account}`)
    const market = new OpenOrders()
    const rows = [7, 9, 7, 9].map((account, index) => `${index + 1},${account},3,500,100,0,5,11,12,4,-1,tail`)
    const cells = new CellReader(Buffer.from(rows.join('')))
    while (!cells.isAtEnd) t.ok(rested.plain.add(cells.next(), cells, TERMS))
    rested.addMarket(MARKET, market, new Ladder(), 0)
    rested.begin(() => undefined)
    for (const holding of market.holdings()) t.match(holding, { feeMaker: 12, feeCredit: 0 })
    const numbers = () => Array.from(market.values(), ({ number }) => number)
    t.match(market.get(4 as OrderNumber), { userId: 'user9', feeTaker: 11, feeMaker: 12 })
    t.equal(rested.length, 2, 'the other user has done nothing')
    t.same(numbers(), [1, 2, 3, 4])
    t.same([rested.length, rested.plain.length], [0, 0], 'the arrays are freed after the last')
    t.end()
  },
)
