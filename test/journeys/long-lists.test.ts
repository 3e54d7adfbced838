import { join } from 'node:path'
import t from 'tap'
import { Population } from '../bench/populate.js'
import { listsAt, readAll } from '../fixtures/paging.js'
import { readLongLists } from '../fixtures/server/long-lists.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { startTestServer } from '../fixtures/server-process.js'

/** `npm run prove -- --pages 100000` reads lists of the promised length. */
const ORDERS = 10_000
const MARKETS = 5
const EVENTS = 200

t.test('pages through 10,000 orders while others arrive: in order, no duplicates, no gaps', async t => {
  const data = dataDirectory(t)
  const population = new Population(join(data, 'raay.db'))
  await population.begin()
  const ids = await population.manyOrders('asha', ORDERS, MARKETS)
  await population.close()
  const { url, exchange, faults } = await startTestServer(t, { data })
  const { wrong, rows, arrived } = await readLongLists(url, 'asha', ids)
  t.same(wrong, [])
  t.ok(rows > 2 * ORDERS && arrived > 20, `${rows} rows were read, ${arrived} orders arrived meanwhile`)
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
})

t.test('pages through events while others are created: by code, no duplicates, no gaps', async t => {
  const { url, client, faults } = await startTestServer(t)
  const create = (count: number) => Promise.all(Array.from({ length: count }, () => client.createEvent()))
  const first = await create(EVENTS)
  const later: string[] = []
  const more = async () => {
    later.push(...(await create(3)))
  }
  const events = await readAll<{ readonly event_id: string }>(listsAt(url), '/events', 23, more)
  const codes = events.map(({ event_id }) => event_id)
  t.same(codes, [...first, ...later].sort().slice(0, codes.length), 'what is created is behind what was read')
  t.ok(codes.length >= EVENTS + later.length - 3, `${codes.length} events`)
  t.same(faults, [])
})
