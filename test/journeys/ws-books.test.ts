import type { Socket } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import type { MarketCode } from '../../src/core/units.js'
import { CONGESTED_BYTES } from '../../src/ws/connection.js'
import { LAG_MAX } from '../../src/ws/feeds/book-feed.js'
import { Dice } from '../fixtures/dice.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { acceptedSockets, fillUp } from '../fixtures/sockets/server-sockets.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

const ROUNDS = 10
const ORDERS_A_ROUND = 200
const LEVELS = 300
/** Well above the backlog that marks a reader as slow, and well below the one that disconnects it. */
const FAR_BEHIND_BYTES = 1.5 * CONGESTED_BYTES
/** A reader that does not read answers no pings: none may be due on a busy machine either. */
const NEVER_PINGED = { beatMs: 3_600_000 }

t.test('the books of 20 clients match GET after 2,000 random orders', async t => {
  const { client, exchange, faults } = await startTestServer(t)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent({ max_bet: 500, quantity: 3000 })
  const sockets: WsClient[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < 2; n++) {
      const socket = await WsClient.connect(t, client.wsUrl())
      await socket.subscribe(code)
      sockets.push(socket)
    }
    const orders = Array.from({ length: ORDERS_A_ROUND }, () => randomOrder(client, code, dice))
    const wanderer = sockets[dice.between(0, sockets.length - 1)]
    if (wanderer !== undefined) {
      wanderer.send(['unsubscribe_orderbook', code])
      await wanderer.next(({ event }) => event === 'unsubscribed')
      wanderer.send({ event: 'subscribe_orderbook', data: code, from_seq: wanderer.book(code).seq })
    }
    await Promise.all(orders)
    const { seq, bids, asks } = await client.book(code)
    for (const socket of sockets) {
      const book = await socket.reaches(code, seq)
      t.same({ seq: book.seq, ...book.levels() }, { seq, bids, asks }, `round ${round}, seed ${dice.seed}`)
    }
  }
  t.same(
    sockets.flatMap(socket => socket.book(code).faults),
    [],
    'no message was missed, told twice, or out of order',
  )
  const types = new Set(sockets[0]?.messages.map(({ data }) => (data as { type?: string }).type))
  for (const type of ['delta', 'trade', 'ORDER_PLACED', 'ORDER_CANCELLED', 'ORDER_REJECTED']) {
    t.ok(types.has(type), `${type} was among them`)
  }
  t.ok(exchange.moneyIsAllThere())
  t.same(faults, [])
})

t.test(
  'disconnects a client that keeps asking and never reads, while the others receive everything',
  async t => {
    const { client } = await startTestServer(t)
    const code = await deepMarket(client)
    const others = await subscribed(t, client, code, 5)
    const slow = await WsClient.connect(t, client.wsUrl())
    slow.socket.pause()
    for (let n = 0; n < 8000; n++) slow.send(['subscribe_orderbook', code])
    await areCurrent(t, client, code, others)

    slow.socket.resume()
    // It hits the request limit or the backlog limit, depending on the size of the socket buffers.
    t.match(await slow.closed, { reason: /^too many messages/ })
    await areCurrent(t, client, code, others)
  },
)

t.test('merges the changes that a slow reader missed', async t => {
  const server = await startTestServer(t, {}, NEVER_PINGED)
  const { client } = server
  const code = await deepMarket(client)
  const others = await subscribed(t, client, code, 5)
  const { slow, end } = await slowReader(t, client, code)
  const unsent = end.writableLength
  for (let n = 0; n < 60; n++) await client.placeOrder(code, { l1_expected_price: 5, userid: `user${n}` })
  await areCurrent(t, client, code, others)
  t.ok(end.writableLength <= unsent, 'it was given nothing more')

  end.uncork()
  const { seq, bids, asks } = await client.book(code)
  const book = await slow.reaches(code, seq)
  t.same({ seq: book.seq, ...book.levels() }, { seq, bids, asks })
  t.same(book.faults, [])
  const deltas = slow.messages.filter(({ data }) => (data as { type?: string }).type === 'delta')
  t.ok(deltas.length < 5, `${deltas.length} deltas for 60 changes`)
  t.equal(slow.socket.readyState, slow.socket.OPEN)
})

t.test('closes a reader that never reads with 1013 once it is too far behind', async t => {
  const server = await startTestServer(t, { queueLengthMax: 2 * LAG_MAX }, NEVER_PINGED)
  const { client } = server
  const code = await deepMarket(client)
  const others = await subscribed(t, client, code, 5)
  const { slow, end } = await slowReader(t, client, code)
  await Promise.all(Array.from({ length: LAG_MAX + 100 }, () => placeRefused(server, code)))
  const { seq } = await client.book(code)
  for (const other of others) t.same((await other.reaches(code, seq)).faults, [])
  t.ok(end.writableLength < 2 * CONGESTED_BYTES, 'what it did not read is not piled up')

  end.uncork()
  t.match(await slow.closed, { code: 1013, reason: 'too slow' })
  await areCurrent(t, client, code, others)
})

async function randomOrder(client: ServerClient, code: string, dice: Dice): Promise<string> {
  const isMarket = dice.percent(15)
  return client.placeOrder(code, {
    l1_expected_price: dice.between(45, 55) / 10,
    l1_order_quantity: dice.oneOf([1, 2, 10, 0.5, dice.between(10, 3000) / 100, 9999]),
    offer_type: dice.oneOf(['buy', 'sell']),
    order_type: isMarket ? 'MO' : 'LO',
    userid: `user${dice.between(1, 8)}`,
    self_trade_prevention: dice.oneOf(['taker', 'maker', 'off']),
  })
}

/** Creates an event with a book that makes long snapshots. */
async function deepMarket(client: ServerClient): Promise<string> {
  const code = await client.createEvent()
  await Promise.all(
    Array.from({ length: LEVELS }, (_, n) => client.placeOrder(code, { l1_expected_price: (n + 10) / 100 })),
  )
  return code
}

async function subscribed(t: Test, client: ServerClient, code: string, count: number): Promise<WsClient[]> {
  const sockets: WsClient[] = []
  for (let n = 0; n < count; n++) {
    const socket = await WsClient.connect(t, client.wsUrl())
    await socket.subscribe(code)
    sockets.push(socket)
  }
  return sockets
}

/** Connects a reader that counts as slow until the server's socket, which it returns with it, is uncorked. */
async function slowReader(
  t: Test,
  client: ServerClient,
  code: string,
): Promise<{ slow: WsClient; end: Socket }> {
  const accepted = acceptedSockets(t)
  const slow = await WsClient.connect(t, client.wsUrl())
  const end = accepted.at(-1)
  if (end === undefined) throw new Error('a connection has two ends')
  await slow.subscribe(code)
  const noise = JSON.stringify({ event: 'noise', data: { text: 'x'.repeat(4000) } })
  end.cork()
  fillUp(end, FAR_BEHIND_BYTES, noise)
  return { slow, end }
}

async function areCurrent(
  t: Test,
  client: ServerClient,
  code: string,
  sockets: readonly WsClient[],
): Promise<void> {
  await client.placeOrder(code, { l1_expected_price: 6 })
  const { seq, bids, asks } = await client.book(code)
  for (const socket of sockets) {
    const book = await socket.reaches(code, seq)
    t.same({ seq: book.seq, ...book.levels(), faults: book.faults }, { seq, bids, asks, faults: [] })
  }
}

/** Places an order off the tick, which publishes one message and leaves the book unchanged. */
async function placeRefused({ exchange }: TestServer, code: string): Promise<void> {
  await exchange.placeOrder({
    market: Number(code) as MarketCode,
    userId: 'ada',
    side: 'yes',
    orderType: 'LO',
    selfTrade: 'taker',
    outcome: 'yes',
    yesPrice: 5.001,
    askedPrice: 5.001,
    quantity: 1,
  })
}
