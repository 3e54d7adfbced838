import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { mutated, seedRequests } from '../fixtures/server/server-mutations.js'
import { exchanged, wrongAnswers } from '../fixtures/server/server-raw.js'
import { spawnTestServer, startTestServer } from '../fixtures/server-process.js'
import { hostileFrames } from '../fixtures/sockets/frame-grammar.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { openRawSocket } from '../fixtures/sockets/ws-raw.js'

const TOGETHER = 50

interface ListedEvent {
  readonly event_id: string
  readonly volume_24h: number
}

t.test('a thousand nonsensical requests break nothing and cause no 5xx', async t => {
  const { client, port, exchange, faults, data, close } = await startTestServer(t)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent()
  const seeds = seedRequests(code)
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < 1000; sent += TOGETHER) {
    const texts = Array.from({ length: TOGETHER }, () => mutated(dice, dice.oneOf(seeds)))
    const settled = async () => {
      await client.get('/healthz')
      await exchange.drain()
    }
    for (const [index, answers] of (await exchanged(port, texts, settled)).entries()) {
      const wrong = wrongAnswers(answers)
      if (wrong.length > 0) t.same(wrong, [], `seed ${dice.seed}: ${JSON.stringify(texts[index])}`)
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    t.match(await client.get('/healthz'), { status: 200 })
  }
  t.comment(JSON.stringify([...statuses]))
  for (const status of [101, 200, 201, 400, 404, 422]) t.ok(statuses.has(status), `${status} came up`)
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
  await close()
  const again = await startTestServer(t, { data })
  t.ok(again.exchange.moneyIsAllThere(), 'and what they left behind can be read back')
})

t.test('five hundred streams of nonsensical frames close only their own connections', async t => {
  const { client, port, faults } = await startTestServer(t)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent()
  const witness = await WsClient.connect(t, client.wsUrl())
  await witness.subscribe(code)
  for (let sent = 0; sent < 500; sent += TOGETHER) {
    const streams = Array.from({ length: TOGETHER }, () => hostileFrames(dice, code))
    await Promise.all(
      streams.map(async stream => {
        const connection = await openRawSocket(port)
        connection.write(stream)
        await client.get('/healthz')
        await (dice.percent(30) ? connection.reset() : connection.end())
      }),
    )
    await client.placeOrder(code, { l1_expected_price: dice.between(10, 990) / 100 })
    const { seq, bids, asks } = await client.book(code)
    const book = await witness.reaches(code, seq)
    t.same({ ...book.levels(), faults: book.faults }, { bids, asks, faults: [] }, `seed ${dice.seed}`)
  }
  t.same(faults, [])
})

t.test('nonsensical JSON is refused or accepted, and everything accepted can be read back', async t => {
  const { client, exchange, faults, data, close } = await startTestServer(t)
  const code = await client.createEvent()
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  const values = [
    'null true [] {} "" "x" -1 0 0.1 1e999 -1e999 1e-400 1.7976931348623157e308 9007199254740993'.split(' '),
    [
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '"\\u0000"',
      '"\\ufeff"',
      '"x\\u0000y"',
      '"ﷺﷺﷺ"',
      '"🂡"',
      '{"toString":1}',
      '{"__proto__":1}',
    ],
    [deep, `{"a":${deep}}`, `"${'x'.repeat(90_000)}"`, `"${'\\u0000'.repeat(10_000)}"`],
  ].flat()
  const targets = [
    ['/order/initiate', JSON.stringify(ORDER(code))],
    ['/events/create', JSON.stringify(EVENT)],
    ['/portfolio/ada/deposit', JSON.stringify({ amount: 5, txn_id: 'd1' })],
    ['/portfolio/ada/withdraw', JSON.stringify({ amount: 5, txn_id: 'w1' })],
    [`/events/${await client.createEvent()}/resolve`, JSON.stringify(RESOLUTION)],
  ] as const
  const wrong: string[] = []
  for (const [path, seed] of targets) {
    const fields = JSON.parse(seed) as Record<string, unknown>
    for (const value of values) {
      const bodies = Object.keys(fields).map(field =>
        JSON.stringify({ ...fields, [field]: '@' }).replace('"@"', () => value),
      )
      for (const body of [value, ...bodies]) {
        const { status, body: answer } = await client.send('POST', path, body)
        const isEnvelope = answer.status === status < 400 && answer.code === status
        if (status >= 500 || !isEnvelope)
          wrong.push(`${path} ${body.slice(0, 200)}: ${JSON.stringify(answer)}`)
      }
    }
  }
  t.same(wrong, [])
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
  const books = await eventsOf(client)
  await close()
  const again = await startTestServer(t, { data })
  const traded = books.filter(({ volume_24h: volume }) => volume > 0)
  await again.client.untilDayCounted(traded.map(({ event_id: event }) => event))
  t.same(await eventsOf(again.client), books, 'after a restart too')
  t.ok(again.exchange.moneyIsAllThere())
})

t.test('raay start survives all of it and shuts down cleanly on request', async t => {
  const server = await spawnTestServer(t, { flags: ['--shards', '2'] })
  const { client } = server
  const port = Number(new URL(client.url).port)
  const dice = Dice.fromEnvironment(t)
  const code = await client.createEvent()
  const seeds = seedRequests(code)
  for (let sent = 0; sent < 300; sent += TOGETHER) {
    const texts = Array.from({ length: TOGETHER }, () => mutated(dice, dice.oneOf(seeds)))
    for (const answers of await exchanged(port, texts, () => client.placeOrder(code))) {
      t.same(wrongAnswers(answers), [], `seed ${dice.seed}`)
    }
    const connections = await Promise.all(texts.slice(0, 10).map(() => openRawSocket(port)))
    for (const connection of connections) connection.write(hostileFrames(dice, code))
    await client.get('/healthz')
    await Promise.all(connections.map(connection => connection.reset()))
  }
  t.match(await client.get('/healthz'), { status: 200 })
  t.equal(await server.kill('SIGTERM'), 0)
  t.notMatch(server.stderr(), /fatal|"level":[56]0|Error/, 'not a word of anything wrong')
})

async function eventsOf(client: ServerClient): Promise<readonly ListedEvent[]> {
  const { body } = await client.get('/events?limit=1000')
  return (body.additional as { readonly events: readonly ListedEvent[] }).events
}

const ORDER = (code: string) => ({
  event_id: code,
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'ada',
  outcome: 'yes',
  self_trade_prevention: 'off',
  time_in_force: 'GTD',
  expires_at: '2099-01-01T00:00:00.000Z',
})
const RESOLUTION = { outcome: 'void', source_url: 'https://example.org', note: 'x' }
const EVENT = {
  title: 'Will it?',
  description: 'x',
  start_date: '2020-01-01T00:00:00.000Z',
  end_date: '2099-01-01T00:00:00.000Z',
  min_bet: 1,
  max_bet: 10,
  sot: 'x',
  quantity: 5,
  payout: 10,
  tick_size: 0.1,
}
