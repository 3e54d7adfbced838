import t from 'tap'
import { RaayClient } from '../../src/client/client.js'
import type { Asked, Reply } from '../fixtures/server/client-world.js'
import { ClientWorld, ok, refusal } from '../fixtures/server/client-world.js'

const CODE = '1000001'
const event = `event_orderbook_${CODE}`

const snapshot = (seq: number, fields: Record<string, unknown> = {}) => ({
  event,
  data: { type: 'snapshot', seq, ts: 0, status: 'open', bids: [], asks: [], last_price: null, ...fields },
})

const message = (type: string, seq: number, fields: Record<string, unknown> = {}) => ({
  event,
  data: { type, seq, prev_seq: seq - 1, ts: 0, ...fields },
})

const tradeOf = (number: number) => ({
  tradeId: `${CODE}-${number}`,
  price: number / 100,
  qty: 1,
  taker_side: 'yes',
  ts: number,
})

const trade = (seq: number, ...numbers: number[]) => message('trade', seq, { trades: numbers.map(tradeOf) })

/** Serves the pages of GET /events/:code/trades for this many trades in all. */
function pagesOf(count: number, pageLength = 1000): (asked: Asked) => Reply {
  return ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const before = Number(query.get('cursor')?.split('-')[1] ?? count + 1)
    const length = Math.max(0, Math.min(pageLength, Number(query.get('limit')), before - 1))
    const trades = Array.from({ length }, (_, n) => ({ ...tradeOf(before - 1 - n), event_id: CODE }))
    return ok({ trades, next_cursor: before - length > 1 ? `${CODE}-${before - length}` : null })
  }
}

/** Starts a client that has subscribed and received this snapshot. */
async function start(seq: number, watch: (client: RaayClient) => void, trades = 0) {
  const world = new ClientWorld()
  world.reply = pagesOf(trades)
  const client = new RaayClient({ url: world.url, ...world.surroundings })
  watch(client)
  world.socket.open()
  world.socket.confirm()
  world.socket.say(snapshot(seq))
  await world.settle()
  return { world, client }
}

/** Cuts the connection and reconnects, to a snapshot. */
async function comeBack(world: ClientWorld, seq: number): Promise<void> {
  world.socket.end()
  await world.pass(125)
  world.socket.open()
  world.socket.confirm()
  world.socket.say(snapshot(seq))
}

t.test('maintains the book: changes are absolute, 0 removes a level, trades move the last price', async t => {
  let books = 0
  const listener = { onUpdate: () => books++, onError: (error: Error) => t.fail(error.message) }
  const { world, client } = await start(3, client => client.watchOrderBook(CODE, listener))
  const book = () => client.watchOrderBook(CODE).state
  world.socket.say(
    message('delta', 4, {
      bids: [
        [4.9, 6],
        [5, 1],
      ],
      asks: [
        [5.2, 3],
        [5.1, 2.5],
      ],
    }),
  )
  t.same(book(), {
    event_id: CODE,
    seq: 4,
    status: 'open',
    bids: [
      [5, 1],
      [4.9, 6],
    ],
    asks: [
      [5.1, 2.5],
      [5.2, 3],
    ],
    last_price: null,
  })
  world.socket.say(message('delta', 5, { bids: [[5, 0]], asks: [[5.1, 1]] }))
  world.socket.say(trade(6, 501, 502))
  world.socket.say(message('ORDER_CANCELLED', 7, { payload: {} }))
  world.socket.say(message('status', 8, { status: 'halted' }))
  t.same(book(), {
    event_id: CODE,
    seq: 8,
    status: 'halted',
    bids: [[4.9, 6]],
    asks: [
      [5.1, 1],
      [5.2, 3],
    ],
    last_price: 5.02,
  })
  t.equal(books, 5, 'the snapshot and four changes')
  world.socket.say(snapshot(20, { last_price: 5.5 }))
  t.match(book(), { seq: 20, status: 'open', bids: [], asks: [], last_price: 5.5 })
})

t.test('handles repeated and merged messages correctly', async t => {
  let books = 0
  const listener = { onUpdate: () => books++, onError: (error: Error) => t.fail(error.message) }
  const { world, client } = await start(3, client => client.watchOrderBook(CODE, listener))
  const first = message('delta', 4, { bids: [[5, 1]] })
  world.socket.say(first)
  world.socket.say(message('delta', 9, { prev_seq: 4, bids: [[5, 3]] }))
  world.socket.say(first)
  world.socket.say(message('delta', 9, { bids: [[5, 7]] }))
  t.match(client.watchOrderBook(CODE).state, { seq: 9, bids: [[5, 3]] })
  t.equal(books, 3)
  world.socket.say(message('delta', 10, { prev_seq: 8, bids: [[5, 4]] }))
  t.match(
    client.watchOrderBook(CODE).state,
    { seq: 10, bids: [[5, 4]] },
    'part of it is known, the rest is new',
  )
  t.equal(world.socket.sent.length, 1, 'there was nothing to ask')
})

t.test('shows nothing past a gap, resubscribes from where it was, and continues', async t => {
  const { world, client } = await start(3, client => client.watchOrderBook(CODE))
  world.socket.say(message('delta', 5, { bids: [[5, 5]] }))
  t.equal(client.connection, 'catching_up')
  world.socket.say(message('delta', 6, { bids: [[5, 6]] }))
  t.match(client.watchOrderBook(CODE).state, { seq: 3, bids: [] })
  t.match(world.socket.sent.slice(1), [{ event: 'subscribe_orderbook', data: CODE, from_seq: 3 }], 'once')
  world.socket.confirm()
  for (const seq of [4, 5, 6]) world.socket.say(message('delta', seq, { bids: [[5, seq]] }))
  t.match(client.watchOrderBook(CODE).state, { seq: 6, bids: [[5, 6]] })
  t.equal(client.connection, 'live')
})

t.test('requests a full book when a gap cannot be filled, then drops the connection', async t => {
  const { world } = await start(3, client => client.watchOrderBook(CODE))
  world.socket.say(message('delta', 5))
  world.socket.confirm()
  world.socket.say(message('delta', 6))
  t.notOk('from_seq' in (world.socket.sent.at(-1) ?? {}), 'from the beginning')
  world.socket.confirm()
  world.socket.say(message('delta', 7))
  t.ok(world.socket.isEnded)
  await world.pass(125)
  world.socket.open()
  t.match(world.socket.sent, [{ data: CODE, from_seq: 3 }])
  world.socket.confirm()
  world.socket.say(message('delta', 4))
  world.socket.say(message('delta', 9))
  t.match(world.socket.sent.at(-1), { from_seq: 4 }, 'the holes of before are forgotten')
})

t.test('ignores messages of an earlier subscription until its own begins', async t => {
  const { world, client } = await start(3, client => client.watchTrades('1000002'))
  const watch = client.watchOrderBook(CODE)
  world.socket.say(message('delta', 9, { bids: [[5, 9]] }))
  t.equal(watch.state, undefined)
  world.socket.confirm()
  world.socket.say(snapshot(10))
  t.equal(watch.state?.seq, 10)
})

t.test('delivers each trade once, in order, from now on', async t => {
  const { world, client } = await start(3, client => client.watchOrderBook(CODE), 7)
  const watch = client.watchTrades(CODE)
  t.equal(client.connection, 'catching_up', 'it is not known yet which one is the first')
  await watch.ready()
  t.equal(client.connection, 'live')
  world.socket.say(trade(4, 8))
  world.socket.say(trade(5, 9, 10))
  world.socket.say(trade(5, 9, 10))
  t.same((await watch.next()).value, {
    tradeId: `${CODE}-8`,
    event_id: CODE,
    price: 0.08,
    qty: 1,
    taker_side: 'yes',
    ts: '1970-01-01T00:00:00.008Z',
  })
  t.match((await watch.next()).value, { tradeId: `${CODE}-9` })
  t.match((await watch.next()).value, { tradeId: `${CODE}-10` })
  world.reply = pagesOf(10)
  const later = client.watchTrades(CODE, { after: `${CODE}-5` })
  await later.ready()
  const seen = Array.from({ length: 5 }, async () => (await later.next()).value?.tradeId)
  t.same(
    await Promise.all(seen),
    [6, 7, 8, 9, 10].map(number => `${CODE}-${number}`),
  )
})

t.test('keeps messages that arrive while the first trade is being fetched', async t => {
  const seen: string[] = []
  const listener = {
    onUpdate: ({ tradeId }: { tradeId: string }) => seen.push(tradeId),
    onError: (error: Error) => t.fail(error.message),
  }
  const { world, client } = await start(3, client => client.watchOrderBook(CODE), 9)
  client.watchTrades(CODE, {}, listener)
  world.socket.say(trade(4, 8))
  world.socket.say(trade(5, 9))
  await world.settle()
  t.same(seen, [`${CODE}-8`, `${CODE}-9`], 'though the newest one that was found is the 9th')
})

t.test('fetches the trades between the last one and a snapshot across pages, without duplicates', async t => {
  const seen: number[] = []
  const listener = {
    onUpdate: ({ tradeId }: { tradeId: string }) => seen.push(Number(tradeId.split('-')[1])),
    onError: (error: Error) => t.fail(error.message),
  }
  const { world, client } = await start(3, client => client.watchTrades(CODE, {}, listener), 4)
  world.socket.say(trade(4, 5))
  world.reply = pagesOf(12, 3)
  await comeBack(world, 2000)
  t.equal(client.connection, 'catching_up')
  // The pages fetched later contain them, too.
  world.socket.say(trade(2001, 11, 12))
  world.socket.say(trade(2002, 13))
  t.same(seen, [5], 'a later one waits for those before it')
  await world.settle()
  t.same(seen, [5, 6, 7, 8, 9, 10, 11, 12, 13])
  t.equal(world.asked.length, 4, 'one for the first trade, then three pages: no more than it needs')
  t.equal(client.connection, 'live')
})

t.test('keeps fetching missed trades through refusals and further cuts', async t => {
  const seen: number[] = []
  const listener = {
    onUpdate: ({ tradeId }: { tradeId: string }) => seen.push(Number(tradeId.split('-')[1])),
    onError: (error: Error) => t.fail(error.message),
  }
  const { world } = await start(3, client => client.watchTrades(CODE, {}, listener), 4)
  world.reply = () => refusal(503)
  await comeBack(world, 2000)
  await world.pass(60_000)
  world.socket.say({ event: 'heartbeat', data: { ts: 0, seq: { [CODE]: 2000 } } })
  t.ok(world.asked.length > 10)
  t.same(seen, [])
  await comeBack(world, 3000)
  world.reply = pagesOf(6)
  await world.pass(10_000)
  t.same(seen, [5, 6])
})

t.test('stops fetching once nobody is watching', async t => {
  const { world, client } = await start(3, client => client.watchOrderBook(CODE), 4)
  world.reply = () => refusal(503)
  const watch = client.watchTrades(CODE)
  await world.pass(30_000)
  watch.close()
  t.equal(client.connection, 'live')
  await world.pass(30_000)
  const { length } = world.asked
  await world.pass(30_000)
  t.equal(world.asked.length, length)
})

t.test('a tape cut off before it began has no gap after its beginning', async t => {
  const seen: string[] = []
  const listener = {
    onUpdate: ({ tradeId }: { tradeId: string }) => seen.push(tradeId),
    onError: (error: Error) => t.fail(error.message),
  }
  const { world, client } = await start(3, client => client.watchOrderBook(CODE))
  world.reply = () => 'nothing'
  client.watchTrades(CODE, {}, listener)
  world.socket.say(trade(4, 8))
  world.reply = pagesOf(10)
  await comeBack(world, 2000)
  await world.settle()
  world.socket.say(trade(2001, 11))
  t.same(seen, [`${CODE}-11`])
})

t.test('starts over when the exchange has different data', async t => {
  const seen: string[] = []
  const listener = {
    onUpdate: ({ tradeId }: { tradeId: string }) => seen.push(tradeId),
    onError: (error: Error) => t.fail(error.message),
  }
  const { world, client } = await start(500, client => client.watchTrades(CODE, {}, listener), 100)
  const book = client.watchOrderBook(CODE)
  world.reply = pagesOf(2)
  await comeBack(world, 5)
  await world.settle()
  world.socket.say(trade(6, 3))
  t.same(seen, [`${CODE}-3`])
  t.equal(book.state?.seq, 6)
})

t.test('reports a gap that is too long to fetch, or that it may not read', async t => {
  const { world, client } = await start(3, client => client.watchOrderBook(CODE), 200_000)
  const far = client.watchTrades(CODE, { after: `${CODE}-1` })
  await t.rejects(far.next(), { name: 'Too Far Behind', message: /read them with fetchTrades/ })
  world.reply = () => refusal(403)
  await t.rejects(client.watchTrades(CODE).next(), { code: 403 })
  t.equal(client.connection, 'live', 'the book goes on')
  t.throws(() => client.watchTrades(CODE, { after: '1000002-1' }), { code: 422, message: /^after:/ })
  t.throws(() => client.watchTrades(CODE, { after: `${CODE}-x` }), { code: 422 })
})
