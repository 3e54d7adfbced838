import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { runRaay } from '../fixtures/raay-command.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import type { ChannelData } from '../fixtures/sockets/ws-local-book.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` }
const START = { flags: ['--shards', '2'], env: { RAAY_ADMIN_TOKEN: TOKEN } }

/** Runs an operator command against a server; fails the test if it is refused. */
async function raay(t: Test, url: string, ...argv: string[]): Promise<void> {
  const ended = await runRaay(['event', ...argv], { RAAY_URL: url, RAAY_ADMIN_TOKEN: TOKEN })
  t.equal(ended.code, 0, `raay event ${argv.join(' ')}: ${ended.stderr}`)
}

async function cash(client: ServerClient, userid: string): Promise<number> {
  const { body } = await client.get(`/portfolio/${userid}/balance`)
  return (body.additional as { readonly cash: number }).cash
}

/** Returns the statuses that the channel has published, with the outcome if there is one. */
function statuses({ messages }: WsClient): string[] {
  return messages.flatMap(({ data }) => {
    const { type, status, outcome } = data as ChannelData & { readonly outcome?: string }
    if (type !== 'status') return []
    return [outcome === undefined ? String(status) : `${status} ${outcome}`]
  })
}

async function trade(client: ServerClient, event: string): Promise<void> {
  const yes = { userid: 'asha', l1_expected_price: 6.5, l1_order_quantity: 10 }
  await client.placeOrder(event, yes)
  const no = { userid: 'ravi', offer_type: 'sell', l1_expected_price: 6.5, l1_order_quantity: 4 }
  await client.placeOrder(event, no)
}

t.test('runs an event from creation to payout, by command line and over HTTP, across restarts', async t => {
  const data = dataDirectory(t)
  let server = await spawnTestServer(t, { data, ...START })
  const event = await server.client.createEvent({ title: 'Will it be paid?' })
  const socket = await WsClient.connect(t, server.client.wsUrl())
  await socket.subscribe(event)
  const deposit = { amount: 100.25, txn_id: 'd1' }
  const paid = await server.client.post('/portfolio/asha/deposit', deposit, AUTHORIZED)
  t.match(paid.body.additional, { cash: 1_000_100.25, type: 'deposit' })
  await trade(server.client, event)
  await raay(t, server.url, 'halt', event)
  const late = await server.client.placeOrder(event, { userid: 'ravi' })
  const { body } = await server.client.get(`/order/${late}`)
  t.match(body.additional, { state: 'rejected', reason: 'market_halted' })
  await raay(t, server.url, 'resume', event)
  await raay(t, server.url, 'close', event)
  await socket.until(() => statuses(socket).length >= 3)
  t.equal(await server.kill('SIGKILL'), 'SIGKILL')

  server = await spawnTestServer(t, { data, ...START })
  const again = await WsClient.connect(t, server.client.wsUrl())
  t.match(await again.subscribe(event), { status: 'closed', bids: [], asks: [] })
  await raay(t, server.url, 'resolve', event, 'yes', '--source-url', 'https://example.org/paid')
  await again.until(() => statuses(again).at(-1) === 'settled yes')
  t.same(statuses(socket), ['halted', 'open', 'closed'])
  t.same(statuses(again), ['resolved yes', 'settled yes'])
  for (const client of [socket, again]) t.same(client.book(event).faults, [], 'seq follows seq')
  // 4 contracts at 6.50: asha paid 26 for 40, ravi paid 14 for nothing.
  t.equal(await cash(server.client, 'asha'), 1_000_114.25)
  t.equal(await cash(server.client, 'ravi'), 999_986)
  const state = async ({ client }: { readonly client: ServerClient }) =>
    Promise.all(
      [`/events/${event}`, ...['asha', 'ravi'].flatMap(user => lists(user))].map(
        async path => (await client.get(path)).body.additional,
      ),
    )
  const before = await state(server)
  t.match(before[0], { status: 'settled', outcome: 'yes', source_url: 'https://example.org/paid' })
  t.match(before[1], { settlements: [{ outcome: 'yes', yes: 4, paid: 26, payment: 40, result: 14 }] })
  t.equal(await server.kill('SIGTERM'), 0)

  server = await spawnTestServer(t, { data, ...START })
  await server.client.untilDayCounted([event])
  t.same(await state(server), before, 'the same after a restart, and nothing is paid twice')
  const repeat = await server.client.post('/portfolio/asha/deposit', deposit, AUTHORIZED)
  t.strictSame(
    [repeat.status, repeat.body],
    [paid.status, paid.body],
    'a repeat is answered as the first time',
  )
  await raay(t, server.url, 'resolve', event, 'yes')
  t.same(await state(server), before)
  t.equal(await server.kill('SIGTERM'), 0)
  const { exchange } = await TestExchange.open(t, { file: join(data, 'raay.db') })
  t.ok(exchange.moneyIsAllThere())
})

const lists = (user: string) => [`/portfolio/${user}/settlements`, `/portfolio/${user}/statement`]

t.test('a voided event refunds every stake', async t => {
  const data = dataDirectory(t)
  const server = await spawnTestServer(t, { data, ...START })
  const { client, url } = server
  const event = await client.createEvent({ title: 'Will it be called off?' })
  const socket = await WsClient.connect(t, client.wsUrl())
  await socket.subscribe(event)
  await trade(client, event)
  // asha sells two of her four to cora, at a profit that the void takes back.
  await client.placeOrder(event, { userid: 'cora', l1_expected_price: 9, l1_order_quantity: 2 })
  const sale = { userid: 'asha', offer_type: 'sell', l1_expected_price: 9, l1_order_quantity: 2 }
  await client.placeOrder(event, sale)
  await raay(t, url, 'void', event, '--note', 'The match was called off')
  const users = ['asha', 'ravi', 'cora']
  await Promise.all(
    users.map(async user => {
      const isPaid = async () => {
        const { body } = await client.get(`/portfolio/${user}/settlements`)
        return (body.additional as { settlements: unknown[] }).settlements.length === 1
      }
      while (!(await isPaid()));
      t.equal(await cash(client, user), 1_000_000, user)
    }),
  )
  const { body } = await client.get('/portfolio/asha/balance')
  t.match(body.additional, { held: 0, available: 1_000_000 }, 'her open order holds nothing any more')
  await socket.until(() => statuses(socket).length > 0)
  t.same(statuses(socket), ['voided void'])
  t.same(socket.book(event).faults, [])
  t.match((await client.get(`/events/${event}`)).body.additional, {
    ...{ status: 'voided', outcome: 'void', open_interest: 0, note: 'The match was called off' },
  })
  t.equal(await server.kill('SIGTERM'), 0)
  const { exchange } = await TestExchange.open(t, { file: join(data, 'raay.db') })
  t.ok(exchange.moneyIsAllThere())
})
