import t from 'tap'
import { TestGroup } from '../fixtures/group-exchange.js'
import { appOn } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const DAY = 24 * HOUR
const LIVE_UNTIL = START + 300 * DAY

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** An exchange with events that are over in each way, and one that goes on; `forgets` says whether it may. */
async function openOld(test: TestExchange, forgets: boolean) {
  const { exchange } = test
  if (!forgets) Object.defineProperty(exchange.directory, 'source', { value: undefined })
  const { app, faults } = appOn(test)
  const ask = async ({ method, path, body }: Asked): Promise<string> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request(path, { method, headers, ...init })
    return `${response.status} ${await response.text()}`
  }
  const operator = new Operator(test)
  const orders = ['asha buy 2 @ 5', 'ben sell 2 @ 5', 'ben sell 1 @ 6']
  const settled = (await test.create({ title: 'Settled', slug: 'settled', category: 'Cricket' })).terms.code
  await test.playAll(orders, settled)
  await operator.settle('yes', settled)
  const voided = (await test.create({ title: 'Voided', slug: 'voided' })).terms.code
  await test.playAll(orders, voided)
  await operator.settle('void', voided)
  const quoted = (await test.create({ title: 'Quoted', slug: 'quoted' })).terms.code
  await ask({ method: 'POST', path: `/events/${quoted}/liquidity`, body: { budget: 100, start_price: 5 } })
  await test.playAll(['asha buy 2 @ 5.5'], quoted)
  await operator.settle('no', quoted)
  const stopped = (await test.create({ title: 'Stopped', slug: 'stopped' })).terms.code
  await ask({ method: 'POST', path: `/events/${stopped}/liquidity`, body: { budget: 100, start_price: 5 } })
  await ask({ method: 'DELETE', path: `/events/${stopped}/liquidity` })
  await operator.settle('no', stopped)
  const cup = await TestGroup.create(test, 3)
  await cup.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4', 'B: asha sell 1 @ 3', 'B: cora buy 1 @ 3')
  await cup.close()
  await cup.resolve('B')
  const pair = await TestGroup.create(test, 2, { kind: 'independent', title: 'Pair' })
  await pair.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4')
  await pair.close()
  await pair.resolveOne('A', 'yes')
  await pair.resolveOne('B', 'void')
  const nothing = await TestGroup.create(test, 2, { title: 'Nothing' })
  await nothing.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4')
  await nothing.close()
  await nothing.resolve('void')
  const live = (await test.create({ title: 'Live', slug: 'live', endAt: LIVE_UNTIL })).terms.code
  const groups = [cup, pair, nothing]
  const outcomes = groups.map(group => group.codeOf('A'))
  const forget = async () => {
    test.now += 3 * DAY
    for (let ticks = 0; ticks < 3; ticks++) {
      exchange.advanceClock()
      await exchange.drain()
    }
  }
  await forget()
  const codes = [settled, voided, quoted, stopped, ...outcomes]
  const ordersOf = (code: number) =>
    test
      .rows<{ id: string }>(
        `SELECT market || '-' || number || '-' || suffix AS id FROM orders WHERE market = ${code} ORDER BY number LIMIT 2`,
      )
      .map(({ id }) => id)
  return { test, ask, faults, forget, codes, ordersOf, groups: groups.map(({ code }) => code), live }
}

const inDays = (days: number) => new Date(START + days * DAY).toISOString()

function* requestsOn(code: number, live: number, orders: readonly string[]): Generator<Asked> {
  const order = { event_id: `${code}`, l1_expected_price: 5, l1_order_quantity: 1 }
  const placed = { ...order, offer_type: 'buy', order_type: 'LO', userid: 'asha' }
  yield { method: 'GET', path: `/events/${code}` }
  for (const body of [
    { title: 'Another title' },
    { description: 'Other words' },
    { category: 'Tennis' },
    { source_url: 'https://example.org/x' },
    { end_date: inDays(200) },
    { max_bet: 90 },
    { quantity: 99_000 },
    {},
  ]) {
    yield { method: 'PATCH', path: `/events/${code}`, body }
  }
  for (const verb of ['halt', 'resume', 'close']) yield { method: 'POST', path: `/events/${code}/${verb}` }
  for (const outcome of ['yes', 'no', 'void']) {
    yield { method: 'GET', path: `/events/${code}/settlement?outcome=${outcome}` }
    yield { method: 'POST', path: `/events/${code}/resolve`, body: { outcome, note: 'Again' } }
  }
  yield { method: 'GET', path: `/events/${code}/liquidity` }
  yield { method: 'POST', path: `/events/${code}/liquidity?preview`, body: { budget: 10, start_price: 5 } }
  yield { method: 'POST', path: `/events/${code}/liquidity`, body: { budget: 10, start_price: 5 } }
  yield { method: 'DELETE', path: `/events/${code}/liquidity` }
  yield { method: 'GET', path: `/events/${code}/liquidity` }
  yield { method: 'PUT', path: `/events/${code}/image`, body: { emoji: '🏏' } }
  yield { method: 'GET', path: `/events/${code}` }
  yield { method: 'DELETE', path: `/events/${code}/image` }
  yield { method: 'POST', path: `/events/${code}/comments`, body: { text: 'Well', userid: 'asha' } }
  yield { method: 'GET', path: `/events/${code}/comments` }
  yield { method: 'PUT', path: `/portfolio/asha/watchlist/${code}` }
  yield { method: 'GET', path: '/portfolio/asha/watchlist' }
  yield { method: 'POST', path: '/order/preview', body: placed }
  yield { method: 'POST', path: '/order/initiate', body: placed }
  yield { method: 'POST', path: '/order/initiate', body: { ...placed, userid: 'newcomer' } }
  yield { method: 'GET', path: `/order?userid=asha&event_id=${code}` }
  yield { method: 'GET', path: `/order?userid=asha&state=open&event_id=${code}` }
  yield {
    method: 'POST',
    path: '/order/batch',
    body: { orders: [placed, { ...placed, event_id: `${live}` }] },
  }
  const quotes = [
    { offer_type: 'buy', price: 4, quantity: 1 },
    { offer_type: 'sell', price: 6, quantity: 1 },
  ]
  for (const some of [quotes, []]) {
    yield {
      method: 'PUT',
      path: '/order/quotes',
      body: { event_id: `${code}`, quotes: some, userid: 'asha' },
    }
  }
  for (const id of orders) {
    yield { method: 'GET', path: `/order/${id}` }
    yield { method: 'DELETE', path: `/order/${id}` }
    yield { method: 'POST', path: `/order/${id}/amend`, body: { price: 4, quantity: 1 } }
    yield { method: 'GET', path: `/order/queue?userid=asha&event_id=${code}` }
  }
  yield { method: 'DELETE', path: `/order?userid=asha&event_id=${code}` }
  yield { method: 'GET', path: `/events/${code}/orderbook` }
  yield { method: 'GET', path: `/events/${code}/trades` }
  yield { method: 'GET', path: `/events/${code}/candles?interval=1d` }
  yield { method: 'GET', path: `/events/tradeSummary?eventId=${code}` }
  yield { method: 'GET', path: `/events?event_ids=${code}` }
  yield { method: 'GET', path: `/events/${code}` }
}

function* requestsOnGroup(code: number): Generator<Asked> {
  yield { method: 'GET', path: `/groups/${code}` }
  for (const body of [
    { title: 'World cup' },
    { description: 'More words' },
    { end_date: inDays(200) },
    { title: 'World cup', max_bet: 90 },
    {},
  ]) {
    yield { method: 'PATCH', path: `/groups/${code}`, body }
    yield { method: 'GET', path: `/groups/${code}` }
  }
  for (const verb of ['halt', 'resume', 'close']) yield { method: 'POST', path: `/groups/${code}/${verb}` }
  for (const winner of [`${code + 1}`, `${code + 2}`, 'void', '9999999']) {
    yield { method: 'GET', path: `/groups/${code}/settlement?winner=${winner}` }
    yield { method: 'POST', path: `/groups/${code}/resolve`, body: { winner } }
  }
  for (const outcome of ['yes', 'no', 'void']) {
    const outcomes = [{ event_id: `${code + 1}`, outcome }]
    yield { method: 'POST', path: `/groups/${code}/resolve`, body: { outcomes } }
  }
  const direction = 'from_no'
  for (const outcomes of [[`${code + 1}`], [`${code + 1}`, `${code + 2}`]]) {
    const body = { userid: 'asha', direction, quantity: 1, outcomes }
    yield { method: 'POST', path: `/groups/${code}/convert`, body }
    yield { method: 'POST', path: `/groups/${code}/convert?preview`, body }
  }
  yield { method: 'GET', path: `/groups/${code}/position/asha` }
  yield { method: 'GET', path: `/groups/${code}/money` }
  yield { method: 'GET', path: `/groups/${code}/liquidity` }
  yield { method: 'POST', path: `/groups/${code}/liquidity`, body: { budget: 10 } }
  yield { method: 'DELETE', path: `/groups/${code}/liquidity` }
}

function* others(): Generator<Asked> {
  for (const title of ['Settled', 'Live', 'Another']) {
    const dates = { start_date: inDays(0), end_date: inDays(400) }
    const body = {
      title,
      description: 'Words',
      ...dates,
      min_bet: 1,
      max_bet: 100,
      sot: 'test',
      quantity: 100,
    }
    yield { method: 'POST', path: '/events/create', body: { ...body, initial_price: 5 } }
  }
  for (const path of [
    '/groups',
    '/events',
    '/events/categories',
    '/activity',
    '/leaderboard',
    '/comments',
    '/profiles/asha',
    '/profiles/ben',
    '/portfolio/asha/settlements',
    '/portfolio/asha/performance',
    '/portfolio/asha/positions',
    '/ledger/fees',
    '/ledger/verify',
    '/admin/actions',
  ]) {
    yield { method: 'GET', path }
  }
}

t.test('an event that memory has forgotten answers every request as one that it remembers', async t => {
  const remembering = await openOld(await TestExchange.open(t), false)
  const forgetting = await openOld(await TestExchange.open(t), true)
  const { codes, groups, live } = forgetting
  const { directory } = forgetting.test.exchange
  t.same(remembering.codes, codes)
  const isForgotten = () => codes.every(code => directory.inMemory(code) === undefined)
  const compare = async (requests: Iterable<Asked>) => {
    for (const asked of requests) {
      const [expected, found] = [await remembering.ask(asked), await forgetting.ask(asked)]
      if (found !== expected) t.equal(found, expected, `${asked.method} ${asked.path}`)
    }
  }
  for (const code of codes) {
    t.ok(isForgotten())
    t.equal(remembering.test.exchange.directory.inMemory(code)?.terms.code, code)
    await compare(requestsOn(code, live, forgetting.ordersOf(code)))
    await Promise.all([remembering.forget(), forgetting.forget()])
  }
  for (const code of groups) {
    t.ok(isForgotten())
    await compare(requestsOnGroup(code))
    await Promise.all([remembering.forget(), forgetting.forget()])
  }
  await compare(others())
  for (const { faults, test } of [remembering, forgetting]) {
    t.same(faults, [])
    t.same(test.failures, [])
    t.ok(test.exchange.moneyIsAllThere())
  }
})
