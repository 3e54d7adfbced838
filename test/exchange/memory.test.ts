import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import { assert } from '../../src/core/assert.js'
import { heldMemory } from '../fixtures/held-memory.js'
import { Operator } from '../fixtures/operator.js'
import { startTestServer } from '../fixtures/server-process.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'

const GUIDE = fileURLToPath(new URL('../../../src/docs/guides/architecture.md', import.meta.url))
/** Of the test runner, which follows promises, and of `fetch`. */
const OUTSIDE: ReadonlySet<string> = new Set(['Domain.ids', 'a variable.domains', 'a variable.fastTimers'])
const OUTCOMES = ['yes', 'void', 'no'] as const

t.setTimeout(240_000)

/** Returns the bytes by which each collection in the guide's table may grow with an event. */
function listed(): Map<string, number> {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split('## 10. Memory')
  const rows = section.matchAll(/^\| (`.*`) \|.*\| (\d+) \|$/gm)
  return new Map(
    [...rows].flatMap(([, names = '', bytes]) =>
      [...names.matchAll(/`(.+?)`/g)].map(([, name = '']) => [name, Number(bytes)] as const),
    ),
  )
}

interface Plan {
  readonly play: (count: number) => Promise<void>
  readonly count: number
  /** The growth of a collection with each event that is ignored, because something is just under way. */
  readonly noiseBytes: number
  readonly isExpected?: (name: string) => boolean
}

/** Plays events to warm up, then others; asserts what each of these left in memory. */
async function assertFlat(t: Test, { play, count, noiseBytes, isExpected }: Plan): Promise<void> {
  await play(count / 2)
  const before = JSON.stringify([...(await heldMemory())])
  await play(count)
  const after = await heldMemory()
  const bytesBefore = new Map(JSON.parse(before) as [string, number][])
  const bounds = listed()
  t.ok(bounds.size > 10, 'the guide lists what grows')
  t.ok((after.get('MarketDirectory.#slugs') ?? 0) > 0, 'private fields are seen')
  for (const [name, bytes] of after) {
    // Short buffers are parts of one that Node shares among them.
    const shared = name === 'Buffer.buffer' ? Buffer.poolSize : 0
    const growth = (bytes - (bytesBefore.get(name) ?? 0) - shared) / count
    if (growth <= noiseBytes || OUTSIDE.has(name) || isExpected?.(name)) continue
    const bound = bounds.get(name) ?? 0
    t.ok(growth <= bound, `${name} grows by ${growth.toFixed(1)} bytes with each event, ${bound} are listed`)
  }
}

/** Subscribes to an event's book, on a connection of its own. */
async function follow(url: string, event: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  socket.send(JSON.stringify(['subscribe_orderbook', event]))
  await once(socket, 'message')
  return socket
}

t.test('an event that is over leaves a record behind, and no orders, positions, prices or books', async t => {
  const test = await TestExchange.open(t)
  const operator = new Operator(test)
  let events = 0
  const play = async (count: number) => {
    for (let played = 0; played < count; played++) {
      events++
      const dates = { startAt: test.now, endAt: test.now + HOUR }
      const { terms } = await test.create({ ...dates, title: `Event ${events}`, category: `c${events % 5}` })
      // Users come and go: two new ones for each event, one of whom never trades again.
      const [comer, goer] = [`user${events}`, `goer${events}`]
      const orders = [`${comer} buy 10 @ 6`, `${goer} sell 6 @ 6`, 'asha buy 2 @ 5', 'ben sell 3 @ 7']
      await test.playAll([...orders, 'ben buy 1 @ 8'], terms.code)
      await operator.settle(OUTCOMES[events % 3] ?? 'yes', terms.code)
      test.now += HOUR
      test.exchange.advanceClock()
      await test.exchange.drain()
    }
  }
  await assertFlat(t, { play, count: 120, noiseBytes: 10 })
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('requests, lists and subscriptions of events that are over leave nothing at the doors', async t => {
  // Connections idle while the memory is looked at.
  const { client } = await startTestServer(t, {}, { keepAliveMs: HOUR })
  let events = 0
  const play = async (count: number) => {
    for (let played = 0; played < count; played++) {
      events++
      const event = await client.createEvent({ category: `c${events % 5}` })
      const socket = await follow(client.wsUrl(), event)
      await client.placeOrder(event, { userid: `user${events}`, client_order_id: `one${events}` })
      await client.placeOrder(event, { userid: 'ravi', offer_type: 'sell' })
      for (const path of [
        `/events/${event}`,
        `/events/${event}/orderbook`,
        '/events?limit=2&sort=trending',
      ]) {
        assert((await client.get(path)).status === 200, path)
      }
      const note = await client.post(`/events/${event}/comments`, { userid: 'ravi', text: 'Well?' })
      assert(note.status === 201, JSON.stringify(note.body))
      await client.post(`/events/${event}/close`, {})
      const resolution = { outcome: OUTCOMES[events % 3] }
      assert((await client.post(`/events/${event}/resolve`, resolution)).status === 200, 'it has an outcome')
      await client.get('/leaderboard')
      socket.close()
      await once(socket, 'close')
    }
  }
  // The clock is the real one: a day has not passed.
  const isExpected = (name: string) => name.startsWith('DayTrail.#steps')
  await assertFlat(t, { play, count: 60, noiseBytes: 20, isExpected })
})
