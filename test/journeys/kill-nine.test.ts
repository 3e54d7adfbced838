import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const KILLS = 3
const CLIENTS = 16
const USERS = 12

/** An order that got a 201, with its request. */
interface Acknowledged {
  readonly id: string
  readonly price: number
  readonly quantity: number
  readonly userid: string
}

t.test('kill -9 under load loses no acknowledged order and doubles none', async t => {
  const dice = Dice.fromEnvironment(t)
  const data = dataDirectory(t)
  const acknowledged: Acknowledged[] = []
  const events: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await spawnTestServer(t, { data, flags: ['--shards', '2'] })
    if (events.length === 0) for (let i = 0; i < 3; i++) events.push(await server.client.createEvent())
    await checkOrders(t, server.client, acknowledged)
    const until = acknowledged.length + dice.between(100, 900)
    const load = Array.from({ length: CLIENTS }, () =>
      trade(server.client, events, dice, acknowledged, until),
    )
    await Promise.race(load)
    t.equal(await server.kill('SIGKILL'), 'SIGKILL')
    await Promise.all(load)
  }
  const last = await spawnTestServer(t, { data })
  await checkOrders(t, last.client, acknowledged)
  t.equal(await last.kill('SIGTERM'), 0)
  t.equal(new Set(acknowledged.map(({ id }) => id)).size, acknowledged.length, 'no id was given twice')
  t.ok(acknowledged.length >= KILLS * 100, `${acknowledged.length} orders were acknowledged`)

  const { exchange } = await TestExchange.open(t, { file: join(data, 'raay.db') })
  t.ok(exchange.moneyIsAllThere())
})

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
