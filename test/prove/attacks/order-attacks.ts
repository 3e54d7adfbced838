import type { Attack, Target } from './attack.js'

const BATCH = 100
const BATCHES_AT_ONCE = 5

/** 10,000 orders with one `client_order_id`, in 100 batches at once. */
const oneKey: Attack = {
  name: '10,000 orders under one key',
  prepare: async target => {
    events.set(target, await target.client.createEvent())
  },
  run: async target => {
    const order = { ...orderOf('keyed', events.get(target) ?? ''), client_order_id: 'the-only-one' }
    const batch = target.request('/order/batch', { orders: Array.from({ length: BATCH }, () => order) })
    const connections = await target.connect(100)
    for (const connection of connections) target.send(connection, batch)
    await target.answered(connections.length, 20)
    await target.holdUntilClosed(connections, 0)
  },
}

const events = new WeakMap<Target, string>()

/** 6,000 events, each with the largest payout and therefore the largest book. */
const manyEvents: Attack = {
  name: '6,000 new events with payout 100',
  run: async target => {
    const connections = await target.connect(20)
    for (let sent = 0; sent < 6000; sent++) {
      const connection = connections[sent % connections.length]
      if (connection === undefined) break
      target.send(connection, target.request('/events/create', eventOf(`Attack ${sent}`, 'x')))
      if (sent % 500 === 499) await target.answered(sent - 100, 10)
    }
    await target.answered(6000, 20)
    await target.holdUntilClosed(connections, 0)
  },
}

export const orderAttacks: readonly Attack[] = [oneKey, manyEvents]

/** Places resting orders of one user, in batches. */
export async function placeMany(target: Target, userid: string, code: string, count: number): Promise<void> {
  const orders = Array.from({ length: BATCH }, () => orderOf(target.user(userid), code))
  for (let placed = 0; placed < count; placed += BATCH * BATCHES_AT_ONCE) {
    const size = Math.min(BATCHES_AT_ONCE, (count - placed) / BATCH)
    const answers = await Promise.all(
      Array.from({ length: size }, () => target.client.post('/order/batch', { orders })),
    )
    const refused = answers.find(({ status }) => status >= 300)
    if (refused !== undefined) throw new Error(`a batch was refused: ${JSON.stringify(refused.body)}`)
  }
}

/** Returns the body of a new event with the largest payout. */
export function eventOf(title: string, description: string): Readonly<Record<string, unknown>> {
  return {
    title,
    description,
    start_date: '2020-01-01T00:00:00.000Z',
    end_date: '2099-01-01T00:00:00.000Z',
    min_bet: 0,
    max_bet: 1_000_000,
    sot: 'test',
    quantity: 1_000_000,
    payout: 100,
  }
}

function orderOf(userid: string, code: string): Readonly<Record<string, unknown>> {
  return {
    event_id: code,
    l1_expected_price: 1,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid,
  }
}
