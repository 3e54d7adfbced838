import t from 'tap'
import { eventView, trendView } from '../../../src/api/events/event-view.js'
import type { TimeMs } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { EventPages } from '../../../src/http/event-pages.js'
import { Dice } from '../../fixtures/dice.js'
import { appOn } from '../../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../../fixtures/test-exchange.js'

const QUERIES = [
  {},
  { limit: '1' },
  { limit: '2' },
  { limit: '2', cursor: '1000002' },
  { cursor: '9999999' },
  { status: 'open' },
  { status: 'open', limit: '1' },
  { sot: 'a b', description: 'no' },
  { sot: 'a', category: 'b' },
  { sot: 'a b', category: '' },
  { category: 'b' },
  { description: 'no', limit: '2' },
  { sort: 'trending', limit: '2', description: 'no', trend: 'yes' },
  { sort: 'movers', limit: '2', cursor: '1000002' },
  { sort: 'volume', status: 'trading' },
] as const

type Asked = 'limit' | 'cursor' | 'status' | 'sot' | 'category' | 'description' | 'sort' | 'trend'
type Query = Readonly<Partial<Record<Asked, string>>>

/** Returns a number that is lower for an event listed earlier. */
function rankIn(sort: string | undefined, { day, progress, terms }: DeskMarket, now: TimeMs): number {
  if (sort === 'trending') return -day.volume(now)
  if (sort === 'movers') return -Math.abs(day.change(now) ?? 0)
  return sort === 'volume' ? -progress.volume : terms.code
}

/** Writes a page of the list as it must be now. */
function written({ exchange }: TestExchange, query: Query): string {
  const { limit = '100', cursor = '0', status, sot, category, description, sort, trend } = query
  const now = exchange.now()
  const sorted = [...exchange.directory.all()].sort(
    (a, b) => rankIn(sort, a, now) - rankIn(sort, b, now) || b.terms.code - a.terms.code,
  )
  const last = sort === undefined ? undefined : sorted.find(({ terms }) => terms.code === Number(cursor))
  const isAfter = ({ terms }: DeskMarket, index: number) =>
    sort === undefined ? terms.code > Number(cursor) : last === undefined || index > sorted.indexOf(last)
  const fitting = sorted
    .filter(isAfter)
    .filter(
      ({ progress, listing }) =>
        (status === 'trading'
          ? ['scheduled', 'open', 'halted'].includes(progress.status)
          : (status ?? progress.status) === progress.status) &&
        (sot ?? listing.sot) === listing.sot &&
        (category ?? listing.category ?? '') === (listing.category ?? ''),
    )
  const shown = fitting.slice(0, Number(limit))
  const events = shown.map(market => {
    const view = eventView(market, exchange.tradersOf(market.terms.code), now)
    return {
      ...view,
      ...(description === 'no' && { description: undefined }),
      ...(trend === 'yes' && { trend: trendView(market, now) }),
    }
  })
  const next_cursor = fitting.length > shown.length ? String(shown.at(-1)?.terms.code) : null
  const additional = { events, next_cursor }
  return JSON.stringify({ status: true, code: 200, message: 'Events fetched successfully', additional })
}

t.test('the list of events reflects the latest change, whatever was read before', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  const check = async (what: string) => {
    await test.exchange.drain()
    // A sorted list keeps its order for a second or two.
    test.now += 2000
    for (const query of QUERIES) {
      // A sorted list cannot continue after an event that does not exist.
      if ('sort' in query && 'cursor' in query && [...test.exchange.directory.all()].length < 2) continue
      const path = `/events?${new URLSearchParams(query)}`.replace(/\?$/, '')
      for (const time of ['first', 'second']) {
        const before = written(test, query)
        const text = await (await app.request(path)).text()
        // Commits that follow, such as merged pairs, may come in between.
        if (text !== before && text !== written(test, query)) {
          t.fail(`${what}: ${path} is an old one the ${time} time`, { text, before })
        }
      }
    }
  }
  await check('no event')
  const markets: DeskMarket[] = []
  for (let count = 0; count < 3; count++) {
    markets.push(await test.create({ endAt: START + HOUR, sot: count === 1 ? 'a b' : 'a' }))
    await check('a new event')
  }
  const [first, second] = markets as [DeskMarket, DeskMarket]
  for (let step = 0; step < 25; step++) {
    const price = dice.percent(10) ? 'market' : `@ ${dice.between(46, 54) / 10}`
    const user = dice.oneOf(['asha', 'ben', 'cora', `new${step}`])
    const order = `${user} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 9)} ${price}`
    const placed = await test.place(order, dice.oneOf([first, second]).terms.code)
    if (dice.percent(30)) {
      await test.exchange.drain()
      await test.cancel(placed)
    }
    await check(order)
  }
  await test.exchange.editMarket(first, { terms: {}, listing: { description: 'Edited' } })
  await check('an edit')
  await test.exchange.editMarket(first, { terms: {}, listing: { category: 'b' } })
  await check('a category')
  await test.exchange.editMarket(second, { terms: { endAt: (START + 2 * HOUR) as TimeMs }, listing: {} })
  await check('another')
  for (const move of ['halt', 'resume', 'close'] as const) {
    await test.exchange.moveMarket(first, move)
    await check(move)
  }
  test.now = START + HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
  await check('the end')
  const refused = await test.exchange.resolveMarket(first, { outcome: 'yes', note: 'It was so' })
  t.equal(refused, undefined)
  await check('an outcome and its settlement')
  t.equal(first.progress.status, 'settled')
})

t.test('a page is kept while its events stay as they are, and dropped with each of them', async t => {
  const test = await TestExchange.open(t)
  const [first, second] = [await test.create(), await test.create()]
  const pages = new EventPages(({ terms }) => test.exchange.tradersOf(terms.code))
  const both = [first, second]
  const find = (rows: readonly DeskMarket[]) => pages.find('key', { rows, next: null })
  const keep = (rows: readonly DeskMarket[], shown = rows) =>
    pages.keep(
      'key',
      { rows, next: null },
      shown.map(market => pages.note(market)),
      'text',
    )
  const kept = keep(both)
  t.equal(find(both), kept)
  t.equal(pages.find('other', { rows: both, next: null }), undefined)
  t.equal(pages.find('key', { rows: both, next: '1000002' }), undefined, 'the search ends elsewhere')
  t.equal(find([first]), undefined, 'an event is gone')
  t.equal(find([second, first]), undefined)
  t.equal(find([...both, await test.create()]), undefined, 'an event is new')
  await test.place('asha buy 1 @ 5', second.terms.code)
  t.equal(find(both), undefined, 'one has another price')
  const again = keep(both, [first])
  await test.place('asha buy 1 @ 6', second.terms.code)
  t.equal(find(both), again, 'one that is not on the page may change')
  await test.place('ben sell 1 @ 5', first.terms.code)
  t.equal(find(both), undefined)
  keep(both)
  first.day.fill(undefined, [], test.exchange.now())
  t.equal(find(both), undefined, 'the trades from before a start are included')
})

t.test('after a restart the list shows the figures of the day as soon as they are read', async t => {
  const test = await TestExchange.open(t)
  for (let count = 0; count < 5; count++) {
    const { terms } = await test.create()
    await test.playAll(['asha buy 2 @ 3', 'ben sell 2 @ 3', 'asha buy 3 @ 4', 'ben sell 3 @ 4'], terms.code)
  }
  test.now += 60_000
  await test.restart()
  const { app } = appOn(test)
  const read = async () => {
    const { additional } = (await (await app.request('/events')).json()) as {
      additional: { events: { volume_24h: number }[] }
    }
    return additional.events.map(({ volume_24h }) => volume_24h)
  }
  await read()
  while ([...test.exchange.directory.all()].some(({ day }) => !day.isFilled)) {
    await new Promise(setImmediate)
    await read()
  }
  t.same(await read(), [5, 5, 5, 5, 5])
})

t.test('the pages kept are bounded, however many are asked for', async t => {
  const test = await TestExchange.open(t)
  const [market] = [await test.create()]
  const page = { rows: [market], next: null }
  const pages = new EventPages(() => 0, 10_000)
  for (let key = 0; key < 100; key++) pages.keep(String(key), page, [pages.note(market)], 'x')
  const found = Array.from({ length: 100 }, (_, key) => pages.find(String(key), page))
  t.ok(found.filter(kept => kept !== undefined).length < 10)
  t.ok(found.at(-1), 'the newest stays')
})
