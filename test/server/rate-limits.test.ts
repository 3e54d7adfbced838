import { BlockList } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { RATE_LIMITS } from '../../src/api/rate-limits.js'
import { SOCKET_LIMITS } from '../../src/api/socket-limits.js'
import type { Config } from '../../src/server/config/config.js'
import type { RawAnswer } from '../fixtures/server/server-raw.js'
import { RawConnection, wrongAnswers } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { handshake } from '../fixtures/sockets/ws-raw.js'
import { bearer, TOKENS } from '../fixtures/tokens.js'

const ORDER = { l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy', order_type: 'LO' }
/** More than the limit; a slow machine refills one in ten seconds. */
const ATTEMPTS = RATE_LIMITS.logins.address + 20
const loopback = () => {
  const proxies = new BlockList()
  proxies.addSubnet('127.0.0.0', 8)
  return proxies
}

async function start(t: Test, config: Partial<Config> = {}) {
  const server = await startTestServer(t, { rateLimits: 'on', access: TOKENS, ...config })
  const code = await server.client.createEvent()
  return { ...server, code }
}

t.test('nothing is limited by default in open mode on this machine', async t => {
  const server = await startTestServer(t, { rateLimits: 'auto' })
  const { headers } = await server.client.get('/events')
  t.equal(headers.get('ratelimit'), null)
})

t.test('an upgrade refused by a limit has the envelope of other refusals, and its id', async t => {
  const { port, faults } = await startTestServer(t, { rateLimits: 'on' })
  const time = 'GET /time HTTP/1.1\r\nHost: localhost\r\n\r\n'
  let answer: RawAnswer | undefined
  // The bucket is filled again meanwhile: a slow machine needs more.
  while (answer?.status !== 429) {
    const spent = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(port)))
    for (const connection of spent) connection.write(time.repeat(100))
    await Promise.all(spent.map(connection => connection.answered(100)))
    const upgrade = await RawConnection.open(port)
    upgrade.write(handshake().replace('Host:', 'X-Request-Id: mine-1\r\nHost:'))
    answer = (await upgrade.answered())[0]
    await Promise.all([upgrade, ...spent].map(connection => connection.reset()))
  }
  t.same(wrongAnswers([answer]), [])
  t.match(answer.headers, {
    'x-request-id': 'mine-1',
    'raay-reason': 'too_many_requests',
    'retry-after': /^\d+$/,
    ratelimit: /^"reads";r=0;t=\d+$/,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  t.match(answer.body, /The limit of reads is reached/)
  t.same(faults, [])
})

t.test('answers say what is left, and a refusal when to try again', async t => {
  const { url, client, code, exchange, faults } = await start(t)
  const asha = bearer({ sub: 'asha' })
  const order = JSON.stringify({ ...ORDER, event_id: code })
  const place = (headers: Record<string, string>) =>
    fetch(`${url}/order/initiate`, { method: 'POST', body: order, headers })
  const first = await place(asha)
  t.equal(first.status, 201)
  t.equal(first.headers.get('ratelimit-policy'), '"orders";q=400;w=10')
  t.match(first.headers.get('ratelimit'), /^"orders";r=399;t=\d+$/)

  // Batches of 100: the clock refills 40 a second, so a few more than the limit get through on a slow machine.
  const batch = JSON.stringify({ orders: Array.from({ length: 100 }, () => JSON.parse(order)) })
  let refused: Response | undefined
  for (let count = 0; refused === undefined && count < 1000; count++) {
    const answer = await fetch(`${url}/order/batch`, { method: 'POST', body: batch, headers: asha })
    if (answer.status === 429) refused = answer
  }
  t.match(await refused?.json(), { message: /^The limit of orders is reached, 400 in 10 s for a key/ })
  t.match(refused?.headers.get('retry-after'), /^[1-9]\d?$/)
  t.match(refused?.headers.get('ratelimit'), /^"orders";r=0;t=\d+$/, 'once')
  t.equal(refused?.headers.get('raay-reason'), 'too_many_requests')

  const cancelled = await fetch(`${url}/order`, { method: 'DELETE', body: '{}', headers: asha })
  t.equal(cancelled.status, 200, 'cancels have a limit of their own')
  t.equal((await place(bearer({ sub: 'ravi' }))).status, 201, 'and other users theirs')
  // The bucket fills in ten minutes: a few more than the limit get through on a slow machine.
  const comment = JSON.stringify({ text: 'Rain is likely.' })
  let isHeardOut = true
  for (let count = 0; isHeardOut && count < 100; count++) {
    const path = `${url}/events/${code}/comments`
    isHeardOut = (await fetch(path, { method: 'POST', body: comment, headers: asha })).status === 201
  }
  t.notOk(isHeardOut, 'nobody talks without end')
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/events/${code}/comments`, { method: 'POST', body: comment, headers })
  const refusals = RATE_LIMITS.comments.address
  const answers = await Promise.all(Array.from({ length: refusals }, () => post(asha)))
  t.ok(answers.filter(({ status }) => status === 429).length > refusals - 5)
  t.equal((await post(bearer({ sub: 'ravi' }))).status, 201, 'and takes nothing from the neighbours')
  const { headers } = await client.get('/events')
  t.equal(headers.get('ratelimit'), null, "holders of the operator's key are not limited")
  t.ok(exchange.moneyIsAllThere())
  t.same(faults, [])
})

t.test('a batch costs what it does: cancels are no orders', async t => {
  const { url, code } = await start(t)
  const send = async (body: object, headers = bearer({ sub: 'asha' })) => {
    const answer = await fetch(`${url}/order/batch`, { method: 'POST', body: JSON.stringify(body), headers })
    const [, kind, left] = /^"(\w+)";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? []
    return [answer.status, kind, Number(left)]
  }
  const order = { ...ORDER, event_id: code }
  t.same(await send({ cancels: ['x'] }), [200, 'cancels', 799])
  const cancels = Array.from({ length: 100 }, () => 'x')
  // The clock refills 80 cancels a second.
  const [status, kind, left] = await send({ cancels })
  t.same([status, kind], [200, 'cancels'])
  t.ok(Number(left) >= 699 && Number(left) < 800, `${left}`)
  t.same(await send({ orders: [order, order] }), [200, 'orders', 399], 'no order was counted before')
  t.same(await send({ cancels, orders: [] }, bearer({ sub: 'ravi' })), [422, 'cancels', 799])

  let refused = 0
  for (let count = 0; count < 1000 && refused === 0; count++) {
    const [status] = await send({ orders: Array.from({ length: 100 }, () => order) })
    if (status === 429) refused++
  }
  t.equal(refused, 1)
  const [after, which] = await send({ cancels: ['x', 'y'] })
  t.same([after, which], [200, 'cancels'], 'who has no orders left can still cancel')
})

t.test('forged tokens are counted for their address before they are looked at', async t => {
  const { url } = await start(t)
  const forged = { Authorization: `Bearer ${'a'.repeat(40)}.b.c` }
  const statuses = new Set<number>()
  for (let count = 0; count < ATTEMPTS; count++) {
    statuses.add((await fetch(`${url}/auth/login`, { method: 'POST', body: '{}', headers: forged })).status)
  }
  t.ok(statuses.has(429))
  t.equal((await fetch(`${url}/healthz`)).status, 200, 'health is never limited')
})

t.test('behind a trusted proxy each client has a limit of its own, whatever they forge', async t => {
  const direct = await start(t)
  const behind = await start(t, { trustedProxies: loopback() })
  const isRefusedAt = async (url: string, forwardedFor: (index: number) => string) => {
    const codes: number[] = []
    for (let index = 0; index < ATTEMPTS; index++) {
      const headers = { 'X-Forwarded-For': forwardedFor(index) }
      codes.push((await fetch(`${url}/auth/login`, { method: 'POST', body: '{}', headers })).status)
    }
    return codes.includes(429)
  }
  t.equal(await isRefusedAt(direct.url, index => `203.0.113.${index}`), true, 'nobody trusts a stranger')
  t.equal(await isRefusedAt(behind.url, index => `203.0.113.${index}`), false)
  t.equal(await isRefusedAt(behind.url, index => `203.0.${index}.1, 198.51.100.7`), true, 'left of the truth')
})

t.test('bytes of pipelined answers are charged once each', async t => {
  const server = await start(t)
  const connection = await RawConnection.open(server.port)
  const head = `GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`
  connection.write(head.repeat(10))
  const answers = await connection.answered(10)
  t.same(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  )
  await connection.end()
})

t.test('an address has a limited number of sockets, of however many users', async t => {
  const { client, code } = await start(t)
  const connect = (user: string) => WsClient.connect(t, client.wsUrl(), { headers: bearer({ sub: user }) })
  const users = Array.from({ length: SOCKET_LIMITS.perAddressMax.users }, (_, index) => `user-${index}`)
  const [first] = await Promise.all(users.map(connect))
  const late = await connect('one-more')
  t.match(await late.closed, { code: 1008, reason: /an address 200 of users/ })
  first?.socket.close()
  await first?.closed
  const again = await connect('one-more')
  again.send({ event: 'subscribe_orderbook', data: code, id: 1 })
  t.match(await again.next(({ event }) => event === 'subscribed'), { id: 1 })
})
