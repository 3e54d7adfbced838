import t from 'tap'
import { RaayClient } from '../../src/client/client.js'
import { ClientWorld, ok, refusal } from '../fixtures/server/client-world.js'

const USER = 'asha'
const CODE = '1000001'

const say = (type: string, user_seq: number, fields: Record<string, unknown> = {}) => ({
  event: `user_${USER}`,
  data: { type, user_seq, ts: 0, ...fields },
})

const order = (number: number, state = 'resting') => ({ id: `${CODE}-${number}-a`, state })
const balance = (cash: number) => ({ cash, held: 1, available: cash - 1 })
const position = (event_id: string, yes: number) => ({ event_id, yes, no: 0, yes_locked: 0, no_locked: 0 })
const fill = (number: number) => ({ tradeId: `${CODE}-${number}` })

const snapshot = (user_seq: number, fields: Record<string, unknown> = {}) =>
  say('snapshot', user_seq, {
    balance: balance(100),
    positions: [],
    orders: [],
    more_positions: false,
    more_orders: false,
    ...fields,
  })

/** Starts a client that watches everything of its user, with the exchange's sequence and lists. */
function start() {
  const world = new ClientWorld()
  const exchange = { userSeq: 0, resting: [] as unknown[], partial: [] as unknown[] }
  world.reply = ({ path }) => {
    if (path.startsWith(`/portfolio/${USER}/balance`)) return ok({ user_seq: exchange.userSeq })
    if (path.includes('state=resting')) return ok({ orders: exchange.resting, next_cursor: null })
    if (path.includes('state=partially')) return ok({ orders: exchange.partial, next_cursor: null })
    return refusal(404)
  }
  const client = new RaayClient({ url: world.url, userid: USER, ...world.surroundings })
  const told: unknown[] = []
  const onError = (error: Error) => told.push(error)
  const orders = client.watchOrders({}, { onUpdate: ({ id, state }) => told.push(`${id} ${state}`), onError })
  const fills = client.watchMyTrades({}, { onUpdate: ({ tradeId }) => told.push(tradeId), onError })
  const money = client.watchBalance({}, { onUpdate: ({ cash }) => told.push(cash), onError })
  const contracts = client.watchPositions(
    {},
    { onUpdate: ({ length }) => told.push(`${length} held`), onError },
  )
  world.socket.open()
  world.socket.confirm()
  return { world, client, exchange, told, orders, fills, money, contracts }
}

async function comeBack(world: ClientWorld): Promise<void> {
  world.socket.end()
  await world.pass(125)
  world.socket.open()
  world.socket.confirm()
}

t.test('maintains what a user has, and reports each change once', async t => {
  const { world, client, told, orders, money, contracts } = start()
  t.equal(orders.state, undefined)
  world.socket.say(
    snapshot(7, { orders: [order(3), order(2)], positions: [position('1000002', 1), position(CODE, 2)] }),
  )
  t.equal(client.connection, 'live')
  t.same(orders.state, [order(3), order(2)])
  t.same(money.state, balance(100))
  t.same(contracts.state, [position(CODE, 2), position('1000002', 1)])
  t.same(told.splice(0), [100, '2 held'])

  world.socket.say(say('fill', 8, { fill: fill(1) }))
  world.socket.say(say('order', 9, { order: order(2, 'partially_filled') }))
  world.socket.say(say('order', 10, { order: order(3, 'cancelled') }))
  world.socket.say(say('order', 11, { order: order(4) }))
  world.socket.say(say('position', 12, { position: position(CODE, 0) }))
  world.socket.say(say('balance', 13, { balance: balance(50) }))
  t.same(told, [
    `${CODE}-1`,
    `${CODE}-2-a partially_filled`,
    `${CODE}-3-a cancelled`,
    `${CODE}-4-a resting`,
    '1 held',
    50,
  ])
  t.same(orders.state, [order(4), order(2, 'partially_filled')], 'newest first')
  t.same(contracts.state, [position('1000002', 1)])
  t.same(client.watchBalance().state, balance(50), 'a later watcher has it at once')
})

t.test('counts locked contracts as held', async t => {
  const { world, contracts } = start()
  world.socket.say(snapshot(0))
  const locked = { ...position(CODE, 0), no_locked: 2 }
  world.socket.say(say('position', 1, { position: locked }))
  t.same(contracts.state, [locked])
})

t.test(
  'hands out the messages as they are, each once, and a later watcher knows the last number',
  async t => {
    const { world, client } = start()
    const heard: string[] = []
    client.watchMessages(
      {},
      {
        onUpdate: ({ type, user_seq }) => heard.push(`${user_seq} ${type}`),
        onError: error => heard.push(error.message),
      },
    )
    world.socket.say(snapshot(7))
    world.socket.say(say('fill', 8, { fill: fill(1) }))
    world.socket.say(say('fill', 8, { fill: fill(1) }))
    world.socket.say(say('order', 9, { order: order(2) }))
    await comeBack(world)
    world.socket.say(say('balance', 10, { balance: balance(3) }))
    t.same(heard, ['7 snapshot', '8 fill', '9 order', '10 balance'])
    t.equal(client.watchMessages().state, 10)
  },
)

t.test('waits for the account of a user who has none yet', async t => {
  const { world, client, told, money } = start()
  world.socket.say(snapshot(0, { balance: null }))
  t.equal(client.connection, 'live')
  t.equal(money.state, undefined)
  t.same(told.splice(0), ['0 held'])
  world.socket.say(say('balance', 1, { balance: balance(9) }))
  t.same(told, [9])
})

t.test('applies no message twice, and none past a gap', async t => {
  const { world, client, told } = start()
  world.socket.say(snapshot(7))
  told.splice(0)
  world.socket.say(say('fill', 7, { fill: fill(7) }))
  world.socket.say(say('fill', 9, { fill: fill(9) }))
  world.socket.say(say('fill', 10, { fill: fill(10) }))
  t.same(told, [])
  t.equal(client.connection, 'catching_up')
  t.match(world.socket.sent.slice(1), [{ event: 'subscribe_user', data: USER, from_seq: 7 }], 'asks once')
  world.socket.confirm()
  for (const seq of [8, 9, 10]) world.socket.say(say('fill', seq, { fill: fill(seq) }))
  world.socket.say(say('fill', 10, { fill: fill(10) }))
  t.equal(world.socket.sent.length, 2, 'a repeat is no hole')
  t.same(
    told,
    [8, 9, 10].map(seq => `${CODE}-${seq}`),
  )
})

t.test('keeps requesting a persistent gap from where it starts, then drops the connection', async t => {
  const { world } = start()
  world.socket.say(snapshot(7))
  for (let asked = 0; asked < 2; asked++) {
    world.socket.say(say('fill', 9))
    t.match(world.socket.sent.at(-1), { from_seq: 7 }, 'the numbering of a user never restarts')
    world.socket.confirm()
  }
  world.socket.say(say('fill', 9))
  t.ok(world.socket.isEnded)
})

t.test('is live only once everything missed has arrived, however much that is', async t => {
  const { world, client, exchange, told } = start()
  world.socket.say(snapshot(7))
  told.splice(0)
  exchange.userSeq = 9
  await comeBack(world)
  t.match(world.socket.sent, [{ event: 'subscribe_user', data: USER, from_seq: 7 }])
  t.equal(client.connection, 'catching_up', 'it may have missed something')
  world.socket.say(say('fill', 8, { fill: fill(8) }))
  await world.settle()
  t.equal(client.connection, 'catching_up')
  world.socket.say(say('fill', 9, { fill: fill(9) }))
  t.equal(client.connection, 'live')
  await comeBack(world)
  await world.settle()
  t.equal(client.connection, 'live', 'nothing was missed')
  t.equal(told.length, 2)
})

t.test('resubscribes when a message announced by a heartbeat does not arrive', async t => {
  const { world, exchange } = start()
  world.socket.say(snapshot(7))
  exchange.userSeq = 9
  await comeBack(world)
  await world.settle()
  const beat = { event: 'heartbeat', data: { ts: 0, seq: {}, user_seq: { [USER]: 9 } } }
  world.socket.say(beat)
  world.socket.say(say('fill', 8, { fill: fill(8) }))
  world.socket.say(beat)
  t.equal(world.socket.sent.length, 1, 'it is on its way')
  world.socket.say(beat)
  t.match(world.socket.sent.slice(1), [{ event: 'subscribe_user', data: USER, from_seq: 8 }])
})

t.test('asks for the target sequence until it gets a reply', async t => {
  const { world, client } = start()
  world.socket.say(snapshot(7))
  const { reply } = world
  world.reply = () => refusal(503)
  await comeBack(world)
  await world.pass(30_000)
  t.equal(client.connection, 'catching_up')
  world.reply = reply
  await world.pass(5000)
  t.equal(client.connection, 'live')
})

t.test('stops fetching once nobody is watching', async t => {
  const { world, client, orders, fills, money, contracts } = start()
  client.watchOrderBook(CODE)
  world.socket.say(snapshot(7))
  world.reply = () => refusal(503)
  await comeBack(world)
  world.socket.say({ event: 'subscribed', data: USER, id: world.socket.sent[0]?.id })
  await world.pass(30_000)
  t.ok(world.asked.length > 5)
  for (const watch of [orders, fills, money, contracts]) watch.close()
  await world.pass(30_000)
  const { length } = world.asked
  await world.pass(30_000)
  t.equal(world.asked.length, length)
})

t.test('a user unknown to the exchange has missed nothing', async t => {
  const { world, client } = start()
  world.socket.say(snapshot(0, { balance: null }))
  world.reply = () => refusal(404)
  await comeBack(world)
  await world.settle()
  t.equal(client.connection, 'live')
})

t.test('starts over when the exchange was restored from a backup, and at no other snapshot', async t => {
  const { world, exchange, told, orders, money, contracts } = start()
  world.socket.say(snapshot(7, { orders: [order(3)], positions: [position(CODE, 1)] }))
  world.socket.say(snapshot(5))
  t.same(orders.state, [order(3)], 'nobody asked')
  exchange.userSeq = 4
  await comeBack(world)
  world.socket.say(snapshot(4, { orders: [order(1)], balance: balance(5) }))
  t.same(orders.state, [order(1)])
  t.same(money.state, balance(5))
  t.same(contracts.state, [])
  world.socket.say(snapshot(2))
  t.same(money.state, balance(5), 'nobody asked again')
  told.splice(0)
  world.socket.say(say('fill', 5, { fill: fill(5) }))
  t.same(told, [`${CODE}-5`])
})

t.test('lists the open orders that do not fit a snapshot, and trusts the channel for the rest', async t => {
  const { world, client, exchange, orders } = start()
  exchange.resting = [order(6), order(5), order(4), order(2), order(1)]
  exchange.partial = [order(2, 'partially_filled')]
  const ready = orders.ready()
  world.socket.say(snapshot(7, { orders: [order(5), order(4), order(3)], more_orders: true }))
  t.equal(client.connection, 'catching_up')
  world.socket.say(say('order', 8, { order: order(4, 'filled') }))
  world.socket.say(say('order', 9, { order: order(5, 'partially_filled') }))
  await ready
  t.equal(client.connection, 'live')
  t.same(
    new Map(orders.state?.map(({ id, state }) => [id, state])),
    new Map([
      [order(6).id, 'resting'],
      [order(5).id, 'partially_filled'],
      [order(2).id, 'partially_filled'],
      [order(1).id, 'resting'],
    ]),
    'the 4th has been filled since; the 3rd is no longer listed, and its message is on its way',
  )
})

t.test('fetches the older orders again after a cut', async t => {
  const { world, client, exchange, orders } = start()
  exchange.userSeq = 7
  const { reply } = world
  world.reply = () => 'nothing'
  world.socket.say(snapshot(7, { orders: [order(3)], more_orders: true }))
  world.reply = reply
  exchange.resting = [order(3), order(2)]
  await comeBack(world)
  await world.settle()
  t.equal(client.connection, 'live')
  t.same(orders.state, [order(3), order(2)])
})

t.test('a refusal reaches every watch of the user', async t => {
  const world = new ClientWorld()
  const client = new RaayClient({ url: world.url, userid: USER, ...world.surroundings })
  const all = [client.watchOrders(), client.watchMyTrades(), client.watchBalance(), client.watchPositions()]
  const ready = all.map(watch => watch.ready().catch((error: Error) => error.name))
  world.socket.open()
  const { id } = world.socket.sent.at(-1) ?? {}
  world.socket.say({ event: 'error', id, data: { code: 403, name: 'Forbidden', message: 'not yours' } })
  t.same(await Promise.all(ready), Array(4).fill('Forbidden'))
  for (const watch of all)
    await t.rejects((): Promise<unknown> => watch.next(), { code: 403, name: 'Forbidden' })
  t.ok(world.socket.isEnded)
})
