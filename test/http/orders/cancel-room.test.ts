import type { Test } from 'tap'
import t from 'tap'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, refusal } from '../../fixtures/http-scenario.js'
import { MARKET, TestExchange } from '../../fixtures/test-exchange.js'
import { readCommands } from '../../../src/store/command-text.js'

const OTHER = (MARKET + 1) as typeof MARKET
const ORDER = {
  event_id: String(MARKET),
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const QUEUE_FULL = 'The order queue is full: try again in a moment'

interface Answer {
  readonly status: number
  readonly id: string
  readonly retryAfter: string | null
  readonly body: { readonly message: string; readonly additional: Record<string, unknown> }
}

async function openApp(t: Test, options = {}): Promise<TestApp> {
  const test = await TestExchange.open(t, options)
  await test.create()
  await test.create()
  return appOn(test)
}

async function send({ app }: TestApp, method: string, path: string, body?: unknown): Promise<Answer> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await app.request(path, { method, ...text })
  const { status, headers } = response
  return {
    status,
    id: headers.get('x-order-id') ?? '',
    retryAfter: headers.get('retry-after'),
    body: (await response.json()) as Answer['body'],
  }
}

async function placeMany(app: TestApp, count: number): Promise<string[]> {
  const answers = Array.from({ length: count }, () => send(app, 'POST', '/order/initiate', ORDER))
  return (await Promise.all(answers)).map(({ id }) => id)
}

/** Returns the number of commands of a type in each batch. */
function batchLengths({ test }: TestApp, type: string): number[] {
  return test
    .journal()
    .map(({ sequence, commands }) => readCommands(commands, sequence).filter(one => one.type === type).length)
    .filter(length => length > 0)
}

t.test('one, several or all orders of a halted event can be cancelled and show how they ended', async t => {
  const app = await openApp(t)
  const ids = await placeMany(app, 6)
  await send(app, 'POST', '/order/initiate', { ...ORDER, userid: 'ben', offer_type: 'sell' })
  const market = app.test.exchange.market(MARKET)
  if (market === undefined) throw new Error('the event exists')
  await app.test.exchange.moveMarket(market, 'halt')
  const late = await send(app, 'POST', '/order/initiate', ORDER)
  t.match((await send(app, 'GET', `/order/${late.id}`)).body.additional, { reason: 'market_halted' })

  const one = await send(app, 'DELETE', `/order/${ids[1]}`)
  t.match(one, { status: 200, body: { message: 'Order cancelled successfully' } })
  t.match(one.body.additional, { id: ids[1], state: 'cancelled', remaining_quantity: 1 })
  const filled = await send(app, 'DELETE', `/order/${ids[0]}`)
  t.match(filled.body, { message: 'Order had ended already', additional: { state: 'filled' } })
  const batch = await send(app, 'POST', '/order/batch', { cancels: ids.slice(1, 4) })
  t.match(batch, { status: 200, body: { message: '3 of 3 orders cancelled' } })
  const results = batch.body.additional.results as object[]
  t.match(
    results,
    ids.slice(1, 4).map(id => ({ code: 200, additional: { id, state: 'cancelled' } })),
  )
  const all = await send(app, 'DELETE', '/order?userid=asha')
  t.match(all, { status: 200, body: { message: 'Orders cancelled successfully' } })
  t.match(all.body.additional, { ended: 2, still_open: 0, orders: [{ id: ids[4] }, { id: ids[5] }] })
  t.equal(app.test.book(), '- | -')
  t.equal(app.test.money('asha'), 'cash 995 held 0 available 995')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('a queue that refuses orders keeps a quarter more room for cancels, and no more', async t => {
  const app = await openApp(t, { queueLengthMax: 16, shardCount: 1 })
  const ids = await placeMany(app, 16)
  await app.test.place('ben buy 1 @ 1')
  const orders = Array.from({ length: 20 }, () => app.test.tryPlace('ben buy 1 @ 1'))
  const ends = await Promise.all(ids.slice(0, 6).map(id => send(app, 'DELETE', `/order/${id}`)))
  t.equal((await Promise.all(orders)).filter(order => order === 'queue_full').length, 4)
  t.same(
    ends.map(({ status }) => status),
    [200, 200, 200, 200, 503, 503],
  )
  for (const [index, { body }] of ends.slice(0, 4).entries()) {
    t.match(body, { message: 'Order cancelled successfully' })
    t.match(body.additional, { id: ids[index], state: 'cancelled', reason: 'user_cancelled' })
  }
  t.match(ends[5], { retryAfter: '1', body: refusal(503, QUEUE_FULL) })
  t.match(await send(app, 'DELETE', `/order/${ids[5]}`), { status: 200 }, 'a moment later there is room')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('a cancel-all stays within the room of the queue and still cancels every order', async t => {
  const app = await openApp(t, { queueLengthMax: 40, shardCount: 1 })
  // The first order of all brings the opening of its account, which takes a place of its own.
  for (const count of [1, 39, 40, 40]) await placeMany(app, count)
  await app.test.place('ben buy 1 @ 2')
  const placed = app.test.place('ben buy 1 @ 1')
  const all = await send(app, 'DELETE', '/order?userid=asha')
  await placed
  t.match(all, { status: 200, body: { message: 'Orders cancelled successfully' } })
  t.match(all.body.additional, { ended: 120, still_open: 0 })
  t.equal((all.body.additional.orders as unknown[]).length, 120)
  t.same(batchLengths(app, 'CANCEL_ORDER'), [49, 50, 21], 'a queue of 40 holds 50 with cancels')
  t.equal(app.test.book(), '1@2 1@1 | -')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('when others take the room, the answer says how many orders are still open', async t => {
  const app = await openApp(t, { queueLengthMax: 8 })
  for (const length of [1, 7, 8, 8, 8, 8]) {
    await Promise.all(Array.from({ length }, () => app.test.place('cora buy 1 @ 3')))
    await Promise.all(Array.from({ length }, () => app.test.place('asha buy 1 @ 4')))
  }
  await app.test.playAll(['asha buy 1 @ 4', 'asha buy 1 @ 4'], OTHER)
  // The shard of the other event is the first to be under way, and done before the one that cora fills.
  const first = app.test.place('ben buy 1 @ 1', OTHER)
  const cora = app.test.exchange.cancelOrders('cora', undefined)
  const onlyHere = send(app, 'DELETE', `/order?userid=asha&event_id=${MARKET}`)
  const everywhere = await send(app, 'DELETE', '/order?userid=asha')
  t.match(await onlyHere, { status: 503, body: refusal(503, QUEUE_FULL) }, 'none is cancelled')
  t.match(everywhere, { status: 200 })
  t.equal(everywhere.body.message, '40 orders are still open because the queue is full. Retry to cancel them')
  t.match(everywhere.body.additional, { ended: 2, still_open: 40 })
  t.match(everywhere.body.additional.orders, [{ event_id: String(OTHER), state: 'cancelled' }, {}])
  await Promise.all([first, cora])
  const rest = await send(app, 'DELETE', '/order?userid=asha')
  t.match(rest.body.additional, { ended: 40, still_open: 0 })
  t.equal(app.test.book(), '- | -')
  t.ok(app.test.exchange.moneyIsAllThere())
})

t.test('more than a thousand orders are all cancelled, and a thousand are shown', async t => {
  const app = await openApp(t)
  await Promise.all(Array.from({ length: 1100 }, () => app.test.place('asha buy 0.1 @ 1')))
  const all = await send(app, 'DELETE', '/order?userid=asha')
  t.match(all.body.additional, { ended: 1100, still_open: 0 })
  t.equal((all.body.additional.orders as unknown[]).length, 1000)
  t.equal(app.test.book(), '- | -')
  t.same(batchLengths(app, 'CANCEL_ORDER'), [500, 500, 100])
  t.ok(app.test.exchange.moneyIsAllThere())
})
