import type { Test } from 'tap'
import t from 'tap'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn } from '../../fixtures/http-scenario.js'
import { START, TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5.5,
  l1_order_quantity: 2,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const PLACED = { status: true, code: 201, message: 'Order placed successfully' }

async function openApp(t: Test): Promise<TestApp> {
  const test = await TestExchange.open(t)
  await test.create()
  return appOn(test)
}

async function post({ app }: TestApp, change: object, headers: Record<string, string> = {}, base = '') {
  const body = JSON.stringify({ ...ORDER, ...change })
  return app.request(`${base}/order/initiate`, { method: 'POST', body, headers })
}

t.test('the headers point to the order, under the same base path', async t => {
  const app = await openApp(t)
  for (const base of ['', '/api/v1']) {
    const answer = await post(app, {}, {}, base)
    t.equal(answer.status, 201)
    t.equal(answer.headers.get('preference-applied'), null)
    const id = answer.headers.get('x-order-id') ?? 'none'
    t.match(id, /^1000001-\d+-tail\d+$/)
    t.equal(answer.headers.get('location'), `${base}/order/${id}`)
    const found = await app.app.request(`${base}/order/${id}`)
    t.match(await found.json(), { status: true, code: 200, additional: { id, state: 'resting' } })
  }
})

t.test('refusals carry no order headers', async t => {
  const app = await openApp(t)
  for (const change of [{ event_id: '1000009' }, { l1_expected_price: 0 }]) {
    const answer = await post(app, change, { Prefer: 'wait' })
    t.equal(answer.headers.get('x-order-id'), null)
    t.equal(answer.headers.get('location'), null)
    t.equal(answer.headers.get('preference-applied'), null)
  }
})

t.test('a client that prefers to wait gets the order in the answer', async t => {
  const app = await openApp(t)
  const answer = await post(app, {}, { Prefer: 'wait' })
  const id = answer.headers.get('x-order-id')
  t.equal(answer.headers.get('preference-applied'), 'wait')
  const now = new Date(START).toISOString()
  t.strictSame(await answer.json(), {
    ...PLACED,
    additional: {
      ...{ id, orderBookId: '1000001', price: 5.5, quantity: 2, status: 'PLACED', createdAt: now },
      ...{
        event_id: '1000001',
        userid: 'asha',
        offer_type: 'buy',
        outcome: 'yes',
        order_type: 'LO',
        side: 'yes',
      },
      ...{ time_in_force: 'GTC', state: 'resting', reason: null, filled_quantity: 0, remaining_quantity: 2 },
      ...{ expires_at: null, average_price: null, client_order_id: null, updatedAt: now },
      quote_set: null,
      ...{ post_only: false, reduce_only: false },
    },
  })
  for (const prefer of ['wait=10', 'respond-async, Wait', 'return=minimal; wait']) {
    t.match(
      await (await post(app, {}, { Prefer: prefer })).json(),
      { additional: { state: 'resting' } },
      prefer,
    )
  }
  for (const prefer of ['', 'waiting', 'return=wait', 'respond-async', 'no-wait']) {
    t.strictSame(await (await post(app, {}, { Prefer: prefer })).json(), PLACED, prefer)
  }
})

t.test("a refused order stays pending and keeps the client's numbers", async t => {
  const app = await openApp(t)
  const asked = { l1_expected_price: 5.555, l1_order_quantity: 1.234 }
  const answer = await post(app, asked, { Prefer: 'wait' })
  const order = {
    price: 5.555,
    quantity: 1.234,
    status: 'PENDING',
    state: 'rejected',
    reason: 'price_off_tick',
  }
  const counts = { filled_quantity: 0, remaining_quantity: 1.234, average_price: null }
  t.match(await answer.json(), { additional: { ...order, ...counts } })
  t.equal(app.test.money('asha'), 'cash 1000 held 0 available 1000')
})

t.test('an order for NO reads as written, and rests on the YES axis', async t => {
  const app = await openApp(t)
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['buy', 'yes', 'yes', '1@3.7 | -'],
    ['sell', 'yes', 'no', '- | 1@3.7'],
    ['buy', 'no', 'no', '- | 1@6.3'],
    ['sell', 'no', 'yes', '1@6.3 | -'],
  ]
  for (const [offer_type, outcome, side, book] of rows) {
    const market = await app.test.create()
    const event_id = String(market.terms.code)
    const change = { event_id, offer_type, outcome, l1_expected_price: 3.7, l1_order_quantity: 1 }
    const answer = await post(app, change, { Prefer: 'wait' })
    const shown = { price: 3.7, quantity: 1, offer_type, outcome, side, state: 'resting' }
    t.match(await answer.json(), { additional: shown }, `${offer_type} ${outcome}`)
    t.equal(app.test.book(market.terms.code), book, `${offer_type} ${outcome}`)
  }
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('no price, quantity or amount ever shows floating-point noise', async t => {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000 })
  await test.create()
  const { app } = appOn(test)
  const orders: Promise<Response>[] = []
  for (let price = 10; price <= 990; price++) {
    const change = {
      userid: price % 3 === 0 ? 'asha' : 'ben',
      l1_expected_price: price / 100,
      l1_order_quantity: (price * 7 + 10) / 100,
      offer_type: price % 2 === 0 ? 'buy' : 'sell',
      outcome: price % 5 === 0 ? 'no' : 'yes',
      self_trade_prevention: 'maker',
    }
    orders.push(post({ app, test, faults: [] }, change, { Prefer: 'wait' }))
  }
  const texts = await Promise.all((await Promise.all(orders)).map(answer => answer.text()))
  const paths = ['/events/1000001', '/events/1000001/orderbook']
  for (const path of paths) texts.push(await (await app.request(path)).text())
  for (const [index, text] of texts.entries()) {
    const crumbs = text.match(/\d*\.\d{3,}(?!Z)|\de[+-]\d/)
    if (crumbs !== null) t.fail(`answer ${index} shows ${crumbs[0]}`, { text })
    const price = 10 + index
    if (price > 990) continue
    const shown = `"price":${price / 100},"quantity":${(price * 7 + 10) / 100},`
    if (!text.includes(shown)) t.fail(`answer ${index} shows ${shown}`, { text })
  }
  for (const path of ['/portfolio/asha/balance', '/portfolio/asha/positions']) {
    const money = await (await app.request(path)).text()
    t.notMatch(money, /\.\d{5,}/, 'money has four decimals at most')
  }
  t.match(texts.join(), /"average_price":\d+\.\d+/, 'some of them traded')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an average price between two ticks is rounded', async t => {
  const app = await openApp(t)
  await app.test.playAll(['ben sell 1 @ 5', 'ben sell 1 @ 5.01', 'ben sell 1 @ 5.01'])
  const answer = await post(app, { l1_order_quantity: 3 }, { Prefer: 'wait' })
  t.match(await answer.json(), { additional: { state: 'filled', average_price: 5.01, filled_quantity: 3 } })
})
