import t from 'tap'
import { RaayClient } from '../../src/client/node-client.js'
import type { PriceTicks, TimeMs } from '../../src/core/units.js'
import { TRY_AGAIN_LATER } from '../../src/ws/connection.js'
import { BookFeed, LAG_MAX } from '../../src/ws/feeds/book-feed.js'
import { Dice } from '../fixtures/dice.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { FakeConnection } from '../fixtures/sockets/ws-connection.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { openTestWindow } from '../fixtures/sockets/ws-window.js'
import { steppedShare } from '../fixtures/stepped-share.js'
import { TestExchange } from '../fixtures/test-exchange.js'

interface Outcome {
  readonly event_id: string
  readonly status: string
  readonly outcome: string | null
  readonly best_bid: number | null
  readonly best_ask: number | null
  readonly last_price: number | null
}

interface Data {
  readonly type: string
  readonly seq: number
  readonly prev_seq?: number
  readonly outcomes: readonly Outcome[]
}

/** The prices that a reader has, kept as the guide says. */
class Reader {
  readonly connection = new FakeConnection()
  readonly outcomes = new Map<string, Outcome>()
  seq = -1
  faults = 0
  #read = 0

  get data(): Data[] {
    return this.connection.received as unknown as Data[]
  }

  /** Reads what has arrived. */
  read(): this {
    for (const { type, seq, prev_seq, outcomes } of this.data.slice(this.#read)) {
      if (type !== 'snapshot' && prev_seq !== this.seq) this.faults++
      this.seq = seq
      for (const outcome of outcomes) this.outcomes.set(outcome.event_id, outcome)
    }
    this.#read = this.data.length
    return this
  }
}

/** A feed of an exchange with a group; sweeps run when the test says so. */
async function openFeed(t: Parameters<typeof TestExchange.open>[0], length = 3) {
  const test = await TestExchange.open(t)
  const cup = await TestGroup.create(test, length)
  const sweeps: (() => void)[] = []
  const feed = new BookFeed(
    () => 7 as TimeMs,
    steppedShare(sweep => sweeps.push(sweep)),
  )
  test.exchange.onPublication(publication => feed.publish(publication))
  const join = (fromSeq?: number, reader = new Reader()) => {
    feed.subscribeGroup(reader.connection.asConnection, cup.group, fromSeq)
    return reader.read()
  }
  const run = () => {
    while (sweeps.length > 0) sweeps.shift()?.()
  }
  /** Returns the prices that the exchange shows now. */
  const now = () =>
    cup.group.markets.map(({ terms, progress, ladder }) => ({
      event_id: String(terms.code),
      status: progress.status,
      outcome: progress.outcome ?? null,
      best_bid: rupees(ladder.bids(1)[0]?.[0]),
      best_ask: rupees(ladder.asks(1)[0]?.[0]),
      last_price: rupees(progress.lastPrice),
    }))
  return { test, cup, feed, join, run, now }
}

const OPEN = { start_date: '2025-01-01T00:00:00Z', end_date: '2036-01-01T00:00:00Z' }

const rupees = (ticks: number | undefined) => (ticks === undefined ? null : ticks / 100)

t.test('a reader gets all outcomes at once, and then those that have changed, in a chain', async t => {
  const { cup, join, run, now } = await openFeed(t)
  const reader = join()
  t.match(reader.data, [{ type: 'snapshot', code: String(cup.code), ts: 7 }])
  t.same(reader.data[0]?.outcomes, now())
  await cup.play('A: asha buy 10 @ 4', 'B: asha buy 10 @ 3')
  t.equal(reader.data.length, 1, 'a batch writes nothing itself')
  run()
  t.match(reader.data[1], {
    type: 'prices',
    prev_seq: reader.data[0]?.seq,
    outcomes: [{ best_bid: 4 }, { best_bid: 3 }],
  })
  t.equal(reader.data[1]?.outcomes.length, 2, 'the third outcome has not changed')
  await cup.play('A: asha buy 1 @ 2')
  run()
  t.equal(reader.data.length, 2, 'an order behind the best price changes no price')
  await cup.play('A: ben sell 10 @ 4')
  run()
  t.match(reader.data[2], { outcomes: [{ best_bid: 2, last_price: 4 }] })
  await cup.close()
  t.equal(await cup.resolve('B'), 'A settled no, B settled yes, C settled no')
  run()
  reader.read()
  t.same([...reader.outcomes.values()], now(), 'statuses and results come, too')
  t.equal(reader.faults, 0)
})

t.test('readers that reconnect anywhere, or read slowly, always have the prices of now', async t => {
  const dice = Dice.fromEnvironment(t)
  const { cup, join, run, now } = await openFeed(t, 4)
  const [steady, slow, absent] = [join(), join(), join()]
  const seqs: [number, ...number[]] = [steady.seq]
  for (let round = 0; round < 40; round++) {
    slow.connection.isCongested = dice.percent(70)
    const [letter, side] = [dice.oneOf(['A', 'B', 'C', 'D']), dice.oneOf(['asha buy', 'ben sell'])]
    await cup.play(`${letter}: ${side} ${dice.between(1, 5)} @ ${dice.between(1, 9)}`)
    run()
    if (dice.percent(30)) {
      // It was away: what it has seen, or any number that it may name.
      join(dice.percent(70) ? absent.seq : dice.oneOf(seqs), absent)
    }
    seqs.push(steady.read().seq)
  }
  slow.connection.isCongested = false
  slow.read()
  join(slow.seq, slow)
  join(absent.seq, absent)
  run()
  for (const [name, reader] of Object.entries({ steady, slow, absent })) {
    reader.read()
    t.same([...reader.outcomes.values()], now(), name)
    t.equal(reader.seq, steady.seq, name)
  }
  t.equal(steady.faults + slow.faults, 0)
  t.ok(slow.data.length < steady.data.length, 'several changes came as one')
})

t.test('from_seq: nothing new, what is new, or all where that is not known', async t => {
  const { test, cup, join, run } = await openFeed(t)
  await cup.play('A: asha buy 1 @ 1')
  const first = join()
  await cup.play('A: asha buy 10 @ 4', 'B: asha buy 10 @ 3')
  run()
  const { seq } = first.read()
  t.same(join(seq).data, [], 'it has everything')
  t.match(join(first.data[0]?.seq).data, [{ type: 'prices', seq, prev_seq: first.data[0]?.seq }])
  for (const unknown of [0, seq + 1, Number.MAX_SAFE_INTEGER]) {
    t.match(join(unknown).data, [{ type: 'snapshot', seq }], `from ${unknown}`)
  }
  // Messages of the books go on while no price changes: the next number is known to be later.
  await cup.play('C: asha buy 10 @ 2', 'C: asha buy 1 @ 1')
  run()
  const before = first.read().seq
  await test.restart()
  const feed = new BookFeed(
    () => 7 as TimeMs,
    steppedShare(() => {}),
  )
  const later = new Reader()
  feed.subscribeGroup(later.connection.asConnection, TestGroup.of(test, cup.code).group, before)
  t.match(later.data, [{ type: 'snapshot' }], 'a new run knows nothing of the one before')
  t.ok(later.read().seq > before, `${later.seq} follows ${before}`)
})

t.test('the channel of a group that is over is forgotten with its last reader', async t => {
  const { cup, feed, join } = await openFeed(t)
  const gone = join()
  await cup.close()
  await cup.resolve('A')
  feed.unsubscribe(gone.connection.asConnection, cup.code)
  t.equal(feed.count, 0)
  // A channel that is still there would know what came before.
  t.match(join(gone.seq).data, [{ type: 'snapshot' }])
})

t.test('a reader that does not read while much happens is closed with 1013', async t => {
  const { test, cup, feed, join, run } = await openFeed(t)
  const stalled = join()
  stalled.connection.isCongested = true
  const market = cup.market('A')
  for (const [seq, lastPrice] of [
    [LAG_MAX, 400],
    [LAG_MAX + 1, 300],
  ] as const) {
    market.progress = { ...market.progress, seq, lastPrice: lastPrice as PriceTicks }
    feed.publish({ market, at: 7 as TimeMs, messages: [] })
    run()
  }
  t.match(stalled.connection.closings, [[TRY_AGAIN_LATER, 'too slow']])
  t.same(test.failures, [])
})

t.test('over a socket: codes of groups alone, each counted, and heartbeats name them', async t => {
  const { client, beat } = await openTestWindow(t)
  const event = await client.createEvent(OPEN)
  const code = await client.createGroup(OPEN)
  const socket = await WsClient.connect(t, client.wsUrl())
  for (const wrong of [event, '1000099', 'x']) {
    t.match(await socket.ask(['subscribe_group', wrong]), { event: 'error', reason: 'group_not_found' })
    t.match(await socket.ask(['unsubscribe_group', wrong]), { event: 'error', reason: 'group_not_found' })
  }
  t.match(await socket.ask(['subscribe_orderbook', code]), { event: 'error', reason: 'event_not_found' })
  t.match(await socket.ask({ method: 'subscribe_group', events: [code], id: 3 }), { data: code, id: 3 })
  const name = `event_group_${code}`
  const { data } = await socket.next(({ event }) => event === name)
  t.match(data, { type: 'snapshot', outcomes: [{ status: 'open', best_bid: null }, {}] })
  beat()
  t.match(await socket.next(({ event }) => event === 'heartbeat'), {
    data: { seqs: { [code]: (data as Data).seq } },
  })
  t.match(await socket.ask(['unsubscribe_group', Number(code)]), { event: 'unsubscribed', data: code })
  await client.placeOrder(String(Number(code) + 1))
  await socket.ask('?')
  t.equal(socket.messages.filter(({ event }) => event === name).length, 1, 'nothing comes after the end')
})

t.test('a program watches a group: the prices of all outcomes, after each change', async t => {
  const { client: server } = await openTestWindow(t)
  const code = await server.createGroup(OPEN)
  const client = new RaayClient({ url: server.url, userid: 'asha' })
  t.teardown(() => client.close())
  const watch = client.groups.watch(code)
  await watch.ready()
  t.match(watch.state, { code, outcomes: [{ best_bid: null }, { best_bid: null }] })
  const first = String(Number(code) + 1)
  await client.createOrder({ event_id: first, offer_type: 'buy', price: 4, quantity: 1 })
  for await (const { outcomes } of watch) if (outcomes[0]?.best_bid === 4) break
  const unknown = client.groups.watch('1000099')
  await t.rejects(unknown.ready(), { code: 404, reason: 'group_not_found' })
})
