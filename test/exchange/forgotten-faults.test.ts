import t from 'tap'
import { assert } from '../../src/core/assert.js'
import type { MarketCode } from '../../src/core/units.js'
import type { EndedSource } from '../../src/exchange/markets/ended-units.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { appOn } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const DAY = 24 * HOUR
const LATER = { endAt: START + 300 * DAY }

const forget = async (test: TestExchange) => {
  test.now += 3 * DAY
  await tick(test)
}

async function tick(test: TestExchange): Promise<void> {
  test.exchange.advanceClock()
  await test.exchange.drain()
}

/** Puts something between memory and the tables; returns how to take it away. */
function between(
  { exchange: { directory } }: TestExchange,
  wrap: (source: EndedSource) => Partial<EndedSource>,
) {
  const { source } = directory
  assert(source !== undefined, 'the tables are read')
  const whole: EndedSource = {
    market: code => source.market(code),
    group: code => source.group(code),
    ofGroup: code => source.ofGroup(code),
    quotes: code => source.quotes(code),
    codeOfSlug: slug => source.codeOfSlug(slug),
    codeOfId: id => source.codeOfId(id),
    close: () => source.close(),
  }
  directory.readFrom({ ...whole, ...wrap(source) })
  return () => directory.readFrom(source)
}

t.test('a fault of the tables fails the requests for forgotten events, and no others', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'])
  await new Operator(test).settle('yes')
  const live = await test.create({ slug: 'live', ...LATER })
  const ended = await test.create({ slug: 'ended' })
  await new Operator(test).settle('no', ended.terms.code)
  const broken = () => {
    throw new Error('disk I/O error')
  }
  const mend = between(test, () => ({ market: broken, group: broken, ofGroup: broken }))
  test.now += 3 * DAY
  await tick(test)
  t.ok(test.exchange.directory.inMemory(ended.terms.code), 'nothing is forgotten unseen')
  mend()
  await tick(test)
  test.now += 10_000
  await tick(test)
  t.equal(test.exchange.directory.inMemory(ended.terms.code), undefined, 'it is tried again')

  const { app } = appOn(test)
  const ask = async (path: string, body?: object) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return (await app.request(path, { ...sent, headers: { 'Content-Type': 'application/json' } })).status
  }
  const order = {
    l1_expected_price: 5,
    l1_order_quantity: 1,
    userid: 'asha',
    offer_type: 'buy',
    order_type: 'LO',
  }
  const orders = () =>
    Promise.all([
      ask('/order/initiate', { ...order, event_id: String(MARKET) }),
      ask('/order/initiate', { ...order, event_id: String(live.terms.code) }),
      ask(`/events/${MARKET}`),
      ask('/events?status=trading'),
    ])
  const again = between(test, () => ({ market: broken }))
  t.same(await orders(), [500, 201, 500, 200])
  t.same(test.failures, [], 'a read that fails stops nothing')
  again()
  t.same(await orders(), [201, 201, 200, 200])
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('over WebSocket such a fault fails one message', async t => {
  const faults: Error[] = []
  const { client, exchange } = await openTestWindow(t, {}, { fault: error => faults.push(error) })
  const code = await client.createEvent({
    start_date: '2025-01-01T00:00:00Z',
    end_date: '2036-01-01T00:00:00Z',
  })
  const socket = await WsClient.connect(t, client.wsUrl())
  const { directory } = exchange
  directory.get = () => {
    throw new Error('disk I/O error')
  }
  const ask = { event: 'subscribe_orderbook', data: code }
  t.match(await socket.ask(ask), { event: 'error', data: { code: 500 } })
  t.match(faults, [{ message: 'disk I/O error' }])
  Reflect.deleteProperty(directory, 'get')
  t.match(await socket.ask(ask), { event: 'subscribed' })
})

t.test('an event is read without its image if the site cannot be', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const { app, site } = appOn(test)
  t.match(site.images.putEmoji(MARKET, '🏏'), { image: '🏏' })
  await new Operator(test).settle('yes')
  await forget(test)
  t.equal(test.exchange.market(MARKET)?.image, '🏏')
  between(test, () => ({}))
  site.images.of = () => {
    throw new Error('database disk image is malformed')
  }
  t.match(await (await app.request(`/events/${MARKET}`)).json(), { additional: { image: null } })
  t.equal((await test.place('asha buy 1 @ 5')).state, 'rejected')
})

t.test('an outcome is read without the others of its group, and is the same as among them', async t => {
  const test = await TestExchange.open(t)
  const cups: TestGroup[] = []
  for (const title of ['Red', 'Green', 'Blue']) {
    const cup = await TestGroup.create(test, 20, { title })
    await cup.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4')
    await cup.close()
    await cup.resolve('A')
    cups.push(cup)
  }
  await forget(test)
  const { app } = appOn(test)
  let wholeCount = 0
  between(test, source => ({
    ofGroup: code => {
      wholeCount++
      return source.ofGroup(code)
    },
  }))
  const answer = await (await app.request('/events?sort=volume&status=settled&limit=3')).json()
  t.match((answer as { readonly additional: unknown }).additional, {
    events: cups.map(({ code }) => ({ event_id: String(code + 1) })).reverse(),
  })
  t.equal(wholeCount, 0)
  for (const cup of cups) {
    const code = (cup.code + 1) as MarketCode
    const alone = test.exchange.market(code)
    assert(alone !== undefined, 'an outcome is found')
    const group = test.exchange.groups.of(alone)
    t.equal(group?.markets.length, 20)
    t.equal(group?.markets[0], alone)
    t.equal(alone.pool, group?.pool)
    t.equal(test.exchange.market(code), alone)
  }
  t.equal(wholeCount, 3)
  const cup = cups[0] as TestGroup
  between(test, () => ({}))
  const order = await test.place('asha buy 1 @ 4', cup.codeOf('A'))
  t.match(order, { state: 'rejected' })
  t.equal(
    test.exchange.directory.inMemory(cup.codeOf('A')),
    cup.market('A'),
    'an order brings all of them back',
  )
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('one tick compares a bounded number of events with the tables, whatever waits', async t => {
  const test = await TestExchange.open(t)
  const cups: TestGroup[] = []
  for (let index = 0; index < 12; index++) {
    const cup = await TestGroup.create(test, 9, { title: `Cup ${index}` })
    await cup.close()
    await cup.resolve('A')
    cups.push(cup)
  }
  const going = await TestGroup.create(test, 9, { title: 'Going on', kind: 'independent', ...LATER })
  await going.close()
  await going.resolveOne('A', 'yes')
  let readCount = 0
  between(test, source => ({
    market: code => {
      readCount++
      return source.market(code)
    },
  }))
  test.now += 3 * DAY
  const counts: number[] = []
  for (let ticks = 0; ticks < 4; ticks++) {
    readCount = 0
    await tick(test)
    counts.push(readCount)
  }
  t.same(counts, [72, 36, 0, 0], 'a whole group may be begun at the bound, and none is looked at twice')
  for (const { code } of cups) t.equal(test.exchange.directory.inMemory((code + 1) as MarketCode), undefined)
})

t.test('a clock that is set back keeps no event in memory', async t => {
  const test = await TestExchange.open(t)
  const going = await TestGroup.create(test, 2, { title: 'Going on', kind: 'independent', ...LATER })
  await going.close()
  await going.resolveOne('A', 'yes')
  const { code } = (await test.create()).terms
  await new Operator(test).settle('yes', code)
  await forget(test)
  const { directory } = test.exchange
  t.ok(directory.inMemory(going.codeOf('A')), 'it waits for the other outcome')
  t.equal(directory.inMemory(code), undefined)
  t.match(await test.place('asha buy 1 @ 5', code), { state: 'rejected' })
  t.ok(directory.inMemory(code))
  test.now -= DAY
  await tick(test)
  t.equal(directory.inMemory(code), undefined)
})

t.test(
  'who stays subscribed to an event that is forgotten misses nothing, and who comes later neither',
  async t => {
    const { client, exchange, setNow } = await openTestWindow(t)
    const dates = { start_date: '2025-01-01T00:00:00Z', end_date: '2026-01-02T00:00:00Z' }
    const code = await client.createEvent(dates)
    const follow = async () => {
      const socket = await WsClient.connect(t, client.wsUrl())
      await socket.ask({ event: 'subscribe_orderbook', data: code })
      const seqs = () =>
        socket.messages
          .filter(({ event }) => event === `event_orderbook_${code}`)
          .map(({ data }) => (data as { readonly seq: number }).seq)
      return { socket, seqs }
    }
    const early = await follow()
    await client.post(`/events/${code}/close`, {})
    await client.post(`/events/${code}/resolve`, { outcome: 'yes' })
    await exchange.drain()
    const market = Number(code) as MarketCode
    setNow(WINDOW_NOW + 3 * DAY)
    exchange.advanceClock()
    await exchange.drain()
    exchange.advanceClock()
    t.equal(exchange.directory.inMemory(market), undefined)
    const order = {
      event_id: code,
      l1_expected_price: 5,
      l1_order_quantity: 1,
      userid: 'asha',
      offer_type: 'buy',
      order_type: 'LO',
    }
    await client.post('/order/initiate', order)
    const late = await follow()
    await late.socket.until(() => late.seqs().length === 1)
    const { seq } = exchange.market(market)?.progress ?? { seq: 0 }
    t.equal(late.seqs()[0], seq, 'as of the last message')
    await client.post('/order/initiate', order)
    await late.socket.until(() => late.seqs().includes(seq + 1))
    await early.socket.until(() => early.seqs().includes(seq + 1))
    t.same(
      early.seqs(),
      Array.from({ length: seq + 2 }, (_, index) => index),
    )
  },
)
