import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import { Dice } from '../fixtures/dice.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const KILLS = 3
const CLIENTS = 16
const SOCKETS = 4
/** The messages of a socket without an answer yet. */
const IN_FLIGHT = 10
const USERS = 12

/** An order that got a 201, with its request. */
interface Acknowledged {
  readonly id: string
  readonly price: number
  readonly quantity: number
  readonly userid: string
}

t.test('kill -9 under load on both doors loses no acknowledged order and doubles none', async t => {
  const dice = Dice.fromEnvironment(t)
  const data = dataDirectory(t)
  const acknowledged: Acknowledged[] = []
  const events: string[] = []
  const unanswered: Body[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await spawnTestServer(t, { data, flags: ['--shards', '2'] })
    if (events.length === 0) for (let i = 0; i < 3; i++) events.push(await server.client.createEvent())
    await sendAgain(t, server.client, unanswered.splice(0), acknowledged)
    await checkOrders(t, server.client, acknowledged)
    const until = acknowledged.length + dice.between(100, 900)
    const load = Array.from({ length: CLIENTS }, () =>
      trade(server.client, events, dice, acknowledged, until),
    )
    for (let socket = 0; socket < SOCKETS; socket++) {
      const name = `${kill}-${socket}`
      load.push(tradeOverSocket(server.client, { name, events, dice, acknowledged, unanswered, until }))
    }
    await Promise.race(load)
    t.equal(await server.kill('SIGKILL'), 'SIGKILL')
    await Promise.all(load)
  }
  const last = await spawnTestServer(t, { data })
  await sendAgain(t, last.client, unanswered, acknowledged)
  await checkOrders(t, last.client, acknowledged)
  t.same(await repeatedNames(last.client), [], 'a name has one order')
  t.equal(await last.kill('SIGTERM'), 0)
  t.equal(new Set(acknowledged.map(({ id }) => id)).size, acknowledged.length, 'no id was given twice')
  t.ok(acknowledged.length >= KILLS * 100, `${acknowledged.length} orders were acknowledged`)

  const { exchange } = await TestExchange.open(t, { file: join(data, 'raay.db') })
  t.ok(exchange.moneyIsAllThere())
})

/** The body of an order with a name. */
interface Body {
  readonly event_id: string
  readonly l1_expected_price: number
  readonly l1_order_quantity: number
  readonly userid: string
  readonly client_order_id: string
}

interface SocketLoad {
  readonly name: string
  readonly events: readonly string[]
  readonly dice: Dice
  readonly acknowledged: Acknowledged[]
  /** Filled with the orders that had no answer when the server was gone. */
  readonly unanswered: Body[]
  readonly until: number
}

/** Sends named orders over a WebSocket, many in flight, until enough are acknowledged or the server is gone. */
async function tradeOverSocket(client: ServerClient, load: SocketLoad): Promise<void> {
  const { name, events, dice, acknowledged, unanswered, until } = load
  const socket = new WebSocket(client.wsUrl())
  const inFlight = new Map<number, Body>()
  let last = 0
  const send = () => {
    while (inFlight.size < IN_FLIGHT && acknowledged.length < until) {
      last++
      const body = {
        event_id: dice.oneOf(events as [string, ...string[]]),
        l1_expected_price: dice.between(450, 550) / 100,
        l1_order_quantity: dice.between(10, 500) / 100,
        offer_type: dice.percent(50) ? 'buy' : 'sell',
        order_type: 'LO',
        userid: `user-${dice.between(1, USERS)}`,
        client_order_id: `${name}-${last}`,
      }
      inFlight.set(last, body)
      socket.send(JSON.stringify({ event: 'place_order', data: body, id: last }))
    }
    if (inFlight.size === 0) socket.close()
  }
  socket.on('open', send)
  socket.on('message', text => {
    const { event, id, data } = JSON.parse(String(text)) as {
      event: string
      id: number
      data: { additional: { id: string } }
    }
    const body = inFlight.get(id)
    if (event !== 'order' || body === undefined) return
    inFlight.delete(id)
    acknowledged.push(acknowledgedAs(data.additional.id, body))
    send()
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  unanswered.push(...inFlight.values())
}

function acknowledgedAs(id: string, body: Body): Acknowledged {
  const { l1_expected_price: price, l1_order_quantity: quantity, userid } = body
  return { id, price, quantity, userid }
}

/** Sends the orders without an answer again, twice and by the other door. */
async function sendAgain(
  t: Test,
  client: ServerClient,
  bodies: readonly Body[],
  acknowledged: Acknowledged[],
): Promise<void> {
  for (const body of bodies) {
    const id = await client.placeOrder(body.event_id, { ...body })
    if ((await client.placeOrder(body.event_id, { ...body })) !== id) t.fail(`${id} was placed twice`)
    acknowledged.push(acknowledgedAs(id, body))
  }
}

/** Returns the names that more than one order has. */
async function repeatedNames(client: ServerClient): Promise<string[]> {
  const repeated: string[] = []
  for (let user = 1; user <= USERS; user++) {
    const names = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await client.get(`/order?userid=user-${user}&limit=1000${cursor}`)
      const page = body.additional as {
        orders: { client_order_id: string | null }[]
        next_cursor: string | null
      }
      for (const { client_order_id: name } of page.orders) {
        if (name !== null && names.has(name)) repeated.push(name)
        names.add(name ?? '')
      }
      cursor = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`
    }
  }
  return repeated
}

/** Sends orders as one client until enough are acknowledged or the server is gone. */
async function trade(
  client: ServerClient,
  events: readonly string[],
  dice: Dice,
  acknowledged: Acknowledged[],
  until: number,
): Promise<void> {
  while (acknowledged.length < until) {
    const price = dice.between(450, 550) / 100
    const quantity = dice.between(10, 500) / 100
    const userid = `user-${dice.between(1, USERS)}`
    const fields = {
      l1_expected_price: price,
      l1_order_quantity: quantity,
      offer_type: dice.percent(50) ? 'buy' : 'sell',
      userid,
    }
    const event = events[dice.between(0, events.length - 1)] as string
    try {
      const id = await client.placeOrder(event, fields)
      acknowledged.push({ id, price, quantity, userid })
    } catch {
      // The server was killed: this order may or may not exist, so the test claims nothing about it.
      return
    }
  }
}

async function checkOrders(t: Test, client: ServerClient, orders: readonly Acknowledged[]): Promise<void> {
  let wrong = 0
  for (const { id, price, quantity, userid } of orders) {
    const { status, body } = await client.get(`/order/${id}`)
    const order = body.additional as { price: number; quantity: number; userid: string } | undefined
    const isThere = status === 200 && order !== undefined
    if (isThere && order.price === price && order.quantity === quantity && order.userid === userid) continue
    wrong++
    if (wrong < 5) t.fail(`${id} was acknowledged and is now ${status}: ${JSON.stringify(order)}`)
  }
  t.equal(wrong, 0, `all ${orders.length} acknowledged orders are there`)
}
