import t from 'tap'
import { asyncApiDocument } from '../../src/docs/asyncapi/asyncapi.js'
import { openApiDocument } from '../../src/docs/openapi/openapi.js'
import type { OpenApi } from '../fixtures/documented-api.js'
import { DocumentedApi } from '../fixtures/documented-api.js'
import type { AsyncApi } from '../fixtures/documented-socket.js'
import { DocumentedSocket } from '../fixtures/documented-socket.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { openTestWindow, WINDOW_NOW } from '../fixtures/sockets/ws-window.js'

const api = new DocumentedApi(JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as OpenApi)
const socket = new DocumentedSocket(JSON.parse(JSON.stringify(asyncApiDocument('1.2.3'))) as AsyncApi)

const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const TIMES = { start_date: iso(WINDOW_NOW - HOUR), end_date: iso(WINDOW_NOW + HOUR) }
const UPGRADE =
  'Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const EVIL = 'Origin: https://evil.example\r\n'
const OWN = 'Host: localhost\r\nOrigin: http://localhost\r\n'

/** The token in the examples. */
const SAMPLE_TOKEN = 'rs_q0Zr3t6w9zCfJNcRfUjXn2r5u8xADGKaPdSgVkYp3s'
/** The answers to requests about the connection, and about orders: those of the examples are unknown here. */
const ANSWERS: Readonly<Record<string, string>> = {
  authenticate: 'authenticated',
  cancelOnDisconnect: 'cancel_on_disconnect_set',
  placeOrder: 'order',
  placeOrders: 'orders',
  amendOrder: 'error',
  cancelOrder: 'error',
  cancelOrders: 'orders',
  cancelAll: 'orders_cancelled',
  replaceQuotes: 'quotes_replaced',
  cancelAfter: 'timer_set',
  previewOrder: 'order_previewed',
}
/** Refused for what the schema of no field says: an id or a name must be there. */
const BETWEEN_FIELDS = ['{"event":"cancel_order","data":{},"id":7}']
/** Taken without the user whom the document asks for: a caller with a user is meant. */
const OF_CALLER = ['{"event":"cancel_all","data":{},"id":7}']

const CHUNKED = 'Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
/** Responses sent before routing; a 408 takes a minute, so it is left out. */
const RAW = [
  ['getHealth', 400, 'GET /healthz HTTP/9\r\n\r\n'],
  ['getHealth', 431, `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['getHealth', 200, 'GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['getVersion', 421, 'GET /version HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['placeOrder', 403, `POST /order/initiate HTTP/1.1\r\nHost: localhost\r\n${EVIL}\r\n`],
  ['placeOrder', 415, `POST /order/initiate HTTP/1.1\r\n${OWN}Content-Length: 2\r\n\r\n{}`],
  ['placeOrder', 411, `POST /order/initiate HTTP/1.1\r\n${CHUNKED}${'1\r\n{\r\n'.repeat(1000)}`],
  ['haltEvent', 403, `POST /events/1000001/halt HTTP/1.1\r\nHost: localhost\r\n${EVIL}\r\n`],
  ['openWebSocket', 403, `GET /ws HTTP/1.1\r\n${UPGRADE}${EVIL}\r\n`],
  ['openWebSocket', 421, `GET /ws HTTP/1.1\r\n${UPGRADE.replace('localhost', 'evil.example')}\r\n`],
  ['openWebSocket', 400, `GET /ws?token=rs_x HTTP/1.1\r\n${UPGRADE}\r\n`],
  ['openWebSocket', 101, `GET /ws HTTP/1.1\r\n${UPGRADE}\r\n`],
  ['getDoors', 101, `GET / HTTP/1.1\r\n${UPGRADE}\r\n`],
] as const

t.test('raw socket responses sent before routing match the documents', async t => {
  const { port } = await startTestServer(t)
  for (const [id, status, text] of RAW) {
    const connection = await RawConnection.open(port)
    connection.write(text)
    const [answer] = await connection.answered()
    connection.socket.destroy()
    const headers = new Headers(answer?.headers)
    t.same(api.faultsIn(id, { status: answer?.status ?? 0, headers, text: answer?.body ?? '' }), [])
    t.equal(answer?.status, status, id)
  }
})

t.test('a real server serves the documents and the page', async t => {
  const { client, url } = await startTestServer(t)
  for (const id of ['getOpenApi', 'getAsyncApi', 'getDocs', 'getDocsStyle', 'getDocsScript']) {
    const response = await fetch(url + api.place(id).path)
    const { status, headers } = response
    t.same(api.faultsIn(id, { status, headers, text: await response.text() }), [], id)
    t.equal(status, 200)
  }
  t.match(await client.get('/'), { body: { additional: { docs: '/docs' } } })
})

t.test('every WebSocket message matches the document', async t => {
  const tokens = new TokenBook()
  tokens.give(SAMPLE_TOKEN, 'asha', { expiresAt: WINDOW_NOW + HOUR })
  const { beat, client } = await openTestWindow(t, { finder: tokens })
  const code = await client.createEvent(TIMES)
  const group = await client.createGroup(TIMES)
  const ws = await WsClient.connect(t, client.wsUrl())
  for (const name of socket.requests) {
    for (const { name: way, payload } of socket.messages.get(name)?.examples ?? []) {
      const { event } = await ws.ask(payload)
      const expected = ANSWERS[name] ?? (name.startsWith('un') ? 'unsubscribed' : 'subscribed')
      t.equal(event, expected, `${name} ${way}`)
    }
  }
  await ws.ask(['subscribe_user', 'asha'])
  await ws.subscribe(code)
  await ws.ask(['subscribe_group', group])
  await client.placeOrder(String(Number(group) + 1))
  await ws.next(({ data }) => (data as { readonly type?: string }).type === 'prices')
  const id = await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 10 })
  await client.placeOrder(code, { userid: 'ravi', l1_order_quantity: 4, offer_type: 'sell' })
  await client.placeOrder(code, { userid: 'asha', l1_expected_price: 99 })
  await client.send('DELETE', `/order/${id}`)
  await client.post(`/events/${code}/close`, {})
  await client.post(`/events/${code}/resolve`, { outcome: 'yes' })
  await ws.until(() => ws.messages.some(({ data }) => isSettled(data)))
  const again = await WsClient.connect(t, client.wsUrl())
  await again.ask(['subscribe_user', 'asha'])
  await again.ask(['subscribe_user', 'stranger'])
  await again.ask({ event: 'subscribe_user', data: 'asha', from_seq: 0, id: 'all' })
  await again.subscribe(code)
  await again.subscribe(code, 0)
  beat()
  await again.next(({ event }) => event === 'heartbeat')
  for (const message of [...ws.messages, ...again.messages]) t.same(socket.faultsIn(message), [])
})

t.test('the exchange refuses exactly the messages that the document rules out', async t => {
  const tokens = new TokenBook()
  tokens.give(SAMPLE_TOKEN, 'asha', { role: 'admin' })
  const { client } = await openTestWindow(t, { finder: tokens })
  await client.createEvent(TIMES)
  await client.createGroup(TIMES)
  const ws = await WsClient.connect(t, client.wsUrl())
  await ws.ask(['authenticate', { token: SAMPLE_TOKEN }])
  for (const name of socket.requests) {
    for (const { payload } of socket.messages.get(name)?.examples ?? []) {
      for (const changed of changesOf(payload)) {
        const answer = await ws.ask(changed)
        const isUnknownOrder = name in ANSWERS && (answer.data as { code?: number }).code === 404
        const isTaken = answer.event !== 'error' || isUnknownOrder
        const text = JSON.stringify(changed)
        const isRight = socket.faultsOf(name, changed).length === 0 || OF_CALLER.includes(text)
        const isAllowed = isRight && !BETWEEN_FIELDS.includes(text)
        t.equal(isTaken, isAllowed, text)
        t.same(socket.faultsIn(answer), [])
      }
    }
  }
  t.match(await ws.ask('{'), { event: 'error', data: { code: 400 } })
  t.match(await ws.ask(['subscribe_orderbook', '1000009']), { event: 'error', data: { code: 404 } })
  for (const message of ws.messages) t.same(socket.faultsIn(message), [])
})

t.test('every documented message has been seen', async t => {
  t.same(socket.unseen(), [])
})

/** Returns variants of a request: each part left out, and each value replaced by an invalid one. */
function changesOf(payload: unknown): unknown[] {
  if (Array.isArray(payload)) return [[], payload.slice(0, 1), [payload[0], null], ['other', payload[1]]]
  const fields = payload as Readonly<Record<string, unknown>>
  return Object.keys(fields).flatMap(field => {
    const { [field]: _, ...less } = fields
    return field === 'id' ? [less] : [less, { ...fields, [field]: {} }]
  })
}

function isSettled(data: ServerMessage['data']): boolean {
  return (data as { readonly status?: string } | undefined)?.status === 'settled'
}
