import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { WebSocket } from 'ws'
import { assert } from '../../src/core/assert.js'
import { heldMemory, listedMemory } from '../fixtures/held-memory.js'
import { memoryDirectory } from '../fixtures/server/server-directory.js'
import { startTestServer } from '../fixtures/server-process.js'
import { LISTS, RowCount, SmallYear } from '../fixtures/small-year.js'
import { appOn } from '../fixtures/http-scenario.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'

/** Of the test runner, which follows promises, and of `fetch`. */
const OUTSIDE: ReadonlySet<string> = new Set(['Domain.ids', 'a variable.domains', 'a variable.fastTimers'])
/** More than a page of a list. */
const EVENTS = 40
/** Rows read for each event that is over: its own, three accounts, a timer; its place in the index of words. */
const READ_FOR_EVENT = [
  ['a start', 5],
  ['/events?q=', 1],
] as const
const OUTCOMES = ['yes', 'void', 'no'] as const

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
  const bounds = listedMemory()
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
  const test = await TestExchange.open(t, { file: join(memoryDirectory(t), 'raay.db') })
  const year = new SmallYear(test)
  const play = (count: number) => year.play(count)
  await assertFlat(t, { play, count: 120, noiseBytes: 10 })
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('requests, lists and subscriptions of events that are over leave nothing at the doors', async t => {
  // Connections idle while the memory is looked at.
  const { client } = await startTestServer(t, { data: memoryDirectory(t) }, { keepAliveMs: HOUR })
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
    // Waits until the tables have all of it: rows not written yet are kept.
    assert((await client.get('/portfolio/ravi/statement?limit=1')).status === 200, 'a statement')
  }
  // The clock is the real one: a day has not passed.
  const isExpected = (name: string) => name.startsWith('DayTrail.#steps')
  await assertFlat(t, { play, count: 60, noiseBytes: 20, isExpected })
})

t.test('a start and each list read what is live and what they show, not what is over', async t => {
  const test = await TestExchange.open(t, { file: join(memoryDirectory(t), 'raay.db') })
  const year = new SmallYear(test)
  const count = new RowCount()
  t.teardown(() => count.end())
  /** Returns the rows that a start and each list read from the files. */
  const read = async (): Promise<Map<string, number>> => {
    const rows = new Map([['a start', await count.of(() => test.restart())]])
    const { app } = appOn(test)
    for (const path of LISTS) {
      // The first answer may still count what the exchange keeps from then on.
      for (let again = 0; again < 2; again++) {
        const read = await count.of(async () => {
          const { status } = await app.request(path)
          assert(status === 200, `${path}: ${status}`)
        })
        rows.set(path, read)
      }
    }
    return rows
  }
  await year.play(EVENTS)
  const before = await read()
  await year.play(2 * EVENTS)
  const after = await read()
  for (const [what, rows] of after) {
    const more = rows - (before.get(what) ?? 0)
    const bound = READ_FOR_EVENT.find(([path]) => what.startsWith(path))?.[1] ?? 0
    t.ok(more <= 2 * EVENTS * bound, `${what} reads ${rows} rows, ${more} more`)
  }
})
