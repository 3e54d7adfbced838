import t from 'tap'
import { ClientAddresses } from '../../../src/access/limits/client-address.js'
import { Limiter } from '../../../src/access/limits/limiter.js'
import { eventRoutes } from '../../../src/api/events/event-routes.js'
import { priceOf } from '../../../src/http/limits/cost-of.js'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { accessFor, appOn, checkScenarios, peer, refusal } from '../../fixtures/http-scenario.js'
import { readAll, readPage } from '../../fixtures/paging.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

interface Event {
  readonly event_id: string
}

const TITLES = [
  'Will X reach $100k by 2026?',
  'Café Crème wins',
  'क्या दिल्ली में वर्षा होगी?',
  'NEAR above 5 AND below 6',
  'Snow – "here" & там 🎉',
  'Decomposed cafe\u0301',
  'title:rain OR wind*',
  'Ｔｏｋｙｏ ﬁnale²',
  '\u0958ीमत और ता\u095bा',
]

const FOUND: readonly (readonly [string, readonly number[]])[] = [
  ['will', [1]],
  ['WILL x', [1]],
  ['2026 will', [1]],
  ['will snow', []],
  ['$100K', [1]],
  ['100', [1]],
  ['00k', []],
  ['cafe', [2, 6]],
  ['CAFÉ', [2, 6]],
  ['cafe\u0301 creme', [2]],
  ['caf', [2, 6]],
  ['दिल्ली', [3]],
  ['दिल', [3]],
  ['वर्षा दिल्ली', [3]],
  ['दल', []],
  ['там', [5]],
  ['ТАМ', [5]],
  ['here', [5]],
  ['"here"', [5]],
  ['"', []],
  ['""', []],
  ['"""', []],
  ['*', []],
  ['wind*', [7]],
  ['*wind', [7]],
  ['NEAR(', [4]],
  ['NEAR(5 6, 1)', []],
  ['NEAR', [4]],
  ['AND', [4]],
  ['OR', [7]],
  ['NOT', []],
  ['rain OR snow', []],
  ['title:rain', [7]],
  ['description:it', []],
  ['does it rain', []],
  ['-will', [1]],
  ['^will', [1]],
  ['{title}:rain', [7]],
  ['🎉', []],
  ['🎉 snow', [5]],
  ['tokyo', [8]],
  ['ＴＯＫ', [8]],
  ['finale2', [8]],
  ['ﬁnal', [8]],
  ['finale²', [8]],
  ['\u0958ीमत', [9]],
  ['क\u093cीमत', [9]],
  ['ताज\u093cा', [9]],
  ['ता\u095bा', [9]],
  ['ताजा', []],
  ["'; DROP TABLE markets; --", []],
  ['\0', []],
  ['wi\0ll', []],
  ['\ud800', []],
  ['%', []],
  ['_', []],
]

async function create(t: Parameters<typeof TestExchange.open>[0]): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  for (const title of TITLES) await test.create({ title })
  return test
}

t.test('events are found by the words of their titles, whatever the spelling', async t => {
  const test = await create(t)
  for (const round of ['at once', 'after a restart']) {
    const app = appOn(test)
    for (const [q, expected] of FOUND) {
      const { rows } = await readPage<Event>(
        app,
        `/events?q=${encodeURIComponent(Buffer.from(q).toString())}`,
      )
      t.same(
        rows.map(({ event_id }) => Number(event_id) - 1_000_000),
        expected,
        `${round}: ${q}`,
      )
    }
    await test.restart()
  }
})

t.test('an empty search lists every event, and a long one is refused', async t => {
  const test = await create(t)
  const app = appOn(test)
  for (const q of ['', '%20', '%09%20', '+']) {
    t.equal((await readPage(app, `/events?q=${q}`)).rows.length, TITLES.length, q)
    t.equal((await readPage(app, `/api/v1/events?q=${q}`)).rows.length, TITLES.length, q)
  }
  const none = { status: true, code: 200, message: 'Events fetched successfully' }
  const long: Scenario = {
    name: 'long',
    path: `/events?q=${'x'.repeat(201)}`,
    status: 422,
    answer: refusal(422, 'q: Expected at most 200 characters'),
  }
  const words = `/events?q=${'q%20'.repeat(100)}`
  const answer = { ...none, additional: { events: [], next_cursor: null } }
  await checkScenarios(t, app, [long, { name: 'many words', path: words, status: 200, answer }])
})

t.test('pages of a search neither skip nor repeat while events are created and end', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const make = (index: number) => test.create({ title: `Rain ${index}`, sot: index % 3 === 0 ? 'a' : 'b' })
  for (let index = 1; index <= 30; index++) await make(index)
  const before = (await readAll<Event>(app, '/events?q=rain', 1000)).map(({ event_id }) => event_id)
  t.equal(before.length, 30)
  let made = 30
  for (const query of ['?q=rain', '?q=ra&sot=a', '?q=rain&status=open', '?q=', '']) {
    const all = (await readAll<Event>(app, `/events${query}`, 1000)).map(({ event_id }) => event_id)
    for (const limit of [1, 7, 30]) {
      const read = (
        await readAll<Event>(app, `/events${query}`, limit, async () => made < 120 && make(++made))
      ).map(({ event_id }) => event_id)
      t.same(read.slice(0, all.length), all, `${query} by ${limit}`)
      t.equal(new Set(read).size, read.length)
    }
  }
})

t.test('an event that was refused or is not on disk is not found', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ title: 'Rain today', slug: 'one' })
  await test.create({ title: 'Rain tomorrow', slug: 'one' }).catch(() => undefined)
  const onItsWay = test.create({ title: 'Rain on Monday', slug: 'two' })
  const count = async () => (await readPage(app, '/events?q=rain')).rows.length
  t.equal(await count(), 1)
  await onItsWay
  t.equal(await count(), 2)
})

t.test("one address's searches leave others their history: few at once, and charged as such", async t => {
  const test = await TestExchange.open(t)
  await test.create({ title: 'Rain' })
  let watchMs = 0
  const limiter = new Limiter(() => watchMs)
  const limits = { addresses: new ClientAddresses(() => undefined), limiter }
  const { app } = appOn(test, accessFor(), undefined, limits)
  const get = async (path: string, address = '203.0.113.7') =>
    app.request(
      path,
      { headers: { Host: 'localhost' } },
      { incoming: { ...peer(address).incoming, headers: {} } },
    )
  const paths = ['/events?q=r', '/api/v1/events?limit=5&q=r', '/events?%71=r', '/events?sort=closing&q=r']
  for (const path of [...paths, '/events?sort=newest&q=%20r', '/events?q=&q=r']) {
    t.equal(priceOf(eventRoutes.listEvents, 'GET', path)?.cost.history, true, `${path} is turned away early`)
  }
  t.equal(
    priceOf(eventRoutes.listEvents, 'GET', '/events?q=%20')?.cost.history,
    undefined,
    'a list that memory has is not',
  )

  const many = await Promise.all([...paths, ...paths].map(path => get(path)))
  t.same(
    many.map(({ status }) => status),
    [200, 200, 200, 200, 429, 429, 429, 429],
  )
  t.match(await many[4]?.json(), { message: 'An address may run 4 searches at once: try again in 1 s' })
  t.equal((await get('/events?q=r')).status, 200, 'once they have ended, it may go on')
  t.equal((await get('/events?q=r', '203.0.113.8')).status, 200)

  limiter.charge('history', { user: undefined, credential: undefined, address: '203.0.113.7' }, 4000)
  t.equal((await get('/events?q=r')).status, 429, 'an address that owes time of the reader')
  t.equal((await get('/events')).status, 200)
  watchMs += 10_000
  t.equal((await get('/events?q=r')).status, 200)
})
