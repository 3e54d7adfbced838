import t from 'tap'
import { LIMITS } from '../../src/api/limits.js'
import { foldedName } from '../../src/core/plain-name.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import { amount, lots, NO_LOTS, ticks } from '../../src/core/units.js'
import { newProgress } from '../../src/core/market.js'
import { Desk } from '../../src/exchange/desk.js'
import { DeskMarket } from '../../src/exchange/markets/desk-market.js'
import { MarketLife } from '../../src/exchange/markets/market-life.js'
import { PrivateChannels } from '../../src/exchange/reads/private-channels.js'
import { Performances } from '../../src/exchange/reads/performances.js'
import type { Sources } from '../../src/exchange/sources.js'
import type { ShardPool } from '../../src/shard/shard-pool.js'
import { openReadOnly } from '../../src/store/database.js'
import { PastRows } from '../../src/store/rows/past-rows.js'
import { damagedCopy } from '../fixtures/damaged-copy.js'
import { appOn } from '../fixtures/http-scenario.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const COUNT = 20_000
const WHALE = 4 as AccountNumber

const codeOf = (number: number) => (1_000_000 + number) as MarketCode

/** Returns an event that opens in an hour, or was settled then. */
function eventOf(number: number, status: 'scheduled' | 'settled' = 'scheduled'): DeskMarket {
  const code = codeOf(number)
  return new DeskMarket({
    terms: {
      ...{ code, payout: ticks(1000), tickSize: ticks(1), minBet: amount(0), maxBet: amount(1) },
      ...{ capacity: lots(1000), startAt: (START + HOUR) as TimeMs, endAt: (START + 2 * HOUR) as TimeMs },
      escrow: (10 + number) as AccountNumber,
    },
    listing: {
      ...{ id: `id-${number}`, title: 'Rain', slug: `rain-${number}`, description: '', sot: 'weather' },
      createdAt: START as TimeMs,
    },
    progress: newProgress(status),
    resolved: undefined,
  })
}

/** A desk with events that open in an hour; one user holds contracts of each. */
function deskOfMany(): Desk {
  const desk = new Desk()
  desk.ledger.open(WHALE, 1000)
  desk.users.add('whale', WHALE)
  for (let number = 1; number <= COUNT; number++) {
    const market = eventOf(number)
    desk.markets.add(market)
    const none = { no: NO_LOTS, yesLocked: NO_LOTS, noLocked: NO_LOTS, paid: 0 }
    desk.ledger.restore(codeOf(number), WHALE, { yes: lots(100), ...none })
  }
  return desk
}

t.test('a tick looks at many events in turns, at each once, and never twice at a time', t => {
  const desk = deskOfMany()
  const later: (() => void)[] = []
  const moved: number[] = []
  const submit = (code: number) => {
    moved.push(code)
    return new Promise(() => {})
  }
  const shards = { submit, isFilled: () => false } as unknown as ShardPool
  let now = START as TimeMs
  const sources = { now: () => now, rest: (go: () => void) => later.push(go), messageId: () => 'id' }
  const life = new MarketLife({ desk, shards, sources: sources as unknown as Sources })
  life.advanceAll()
  t.equal(later.length, 1)
  for (let turn = 0; later.length > 0; turn++) {
    t.ok(turn < 10)
    later.shift()?.()
  }
  t.equal(moved.length, 0)
  now = (START + HOUR) as TimeMs
  let before = 0
  life.advanceAll()
  for (; moved.length > before; later.shift()?.()) {
    t.ok(moved.length - before < COUNT / 2, `${moved.length - before} in a turn`)
    before = moved.length
    life.advanceAll()
    t.ok(later.length <= 1, 'a tick begins nothing while the one before goes on')
  }
  t.equal(new Set(moved).size, COUNT)
  t.equal(moved.length, COUNT)
  life.advanceAll()
  life.stop()
  while (later.length > 0) later.shift()?.()
  t.equal(moved.length, COUNT)
  t.end()
})

t.test('the trails of many events that are over are freed in several ticks, each once', t => {
  const desk = new Desk()
  let freed = 0
  for (let number = 1; number <= COUNT; number++) {
    const market = eventOf(number, 'settled')
    Object.assign(market.day, { forgetOld: () => freed++ })
    desk.markets.add(market)
  }
  let now = START + 3 * HOUR
  const sources = { now: () => now } as unknown as Sources
  const life = new MarketLife({ desk, shards: {} as ShardPool, sources })
  life.advanceAll()
  t.equal(freed, 0, 'none is a day old')
  now += 48 * HOUR
  for (let tick = 0, before = -1; freed > before; tick++) {
    before = freed
    life.advanceAll()
    t.ok(freed - before <= COUNT / 2, `${freed - before} in a tick`)
    t.ok(tick < 10)
  }
  t.equal(freed, COUNT)
  t.end()
})

t.test('events that refused orders bring back are forgotten as fast as they come', t => {
  const desk = new Desk()
  const stored = (code: MarketCode) => {
    const { terms, listing, progress, resolved } = eventOf(code - 1_000_000, 'settled')
    return { terms, listing, progress, resolved, traders: 0, lastNumber: 0 as OrderNumber }
  }
  const none = () => undefined
  desk.markets.readFrom({
    ...{ market: stored, group: none, ofGroup: () => [], quotes: () => [] },
    ...{ codeOfSlug: none, codeOfId: none, close: none },
  })
  for (let number = 1; number <= COUNT; number++) {
    const { terms, listing } = eventOf(number, 'settled')
    const times = { createdAt: listing.createdAt, endAt: terms.endAt, overAt: terms.endAt }
    const end = { code: terms.code, group: undefined, status: 'settled', sot: 'weather', traders: 0 } as const
    desk.markets.addEnded({ ...end, ...times, category: undefined, volume: NO_LOTS })
  }
  const inMemory = () => [...desk.markets.allInMemory()].length
  let now = (START + 96 * HOUR) as TimeMs
  let most = 0
  for (let number = 1; number <= COUNT; number++) {
    desk.forgetting.recall(codeOf(number))
    if (number % 200 > 0) continue
    most = Math.max(most, inMemory())
    now = (now + 1000) as TimeMs
    desk.forgetting.advance(now)
  }
  t.ok(most < 4000, `${most} at a time`)
  let ticks = 0
  for (; inMemory() > 0 && ticks < 100; ticks++) {
    now = (now + 1000) as TimeMs
    desk.forgetting.advance(now)
  }
  t.ok(ticks < 90, `${ticks} ticks until all are forgotten`)
  t.end()
})

t.test('the snapshot of a user has a bounded number of positions, and says that there are more', t => {
  const desk = deskOfMany()
  const channels = new PrivateChannels(desk, {
    ask: () => Promise.reject(new Error('nothing is read')),
  } as never)
  const { positions, hasMorePositions, orders } = channels.snapshot('whale')
  t.same([positions.length, hasMorePositions, orders.length], [LIMITS.snapshotPositionsMax, true, 0])
  t.same([positions[0]?.market, positions.at(-1)?.market], [codeOf(1), codeOf(LIMITS.snapshotPositionsMax)])
  for (let number = LIMITS.snapshotPositionsMax + 1; number <= COUNT; number++) {
    const sold = { yes: -100, no: 0, yesLocked: 0, noLocked: 0, paid: 0 }
    desk.ledger.post([], [{ market: codeOf(number), account: WHALE, ...sold }] as never)
  }
  t.match(channels.snapshot('whale'), { hasMorePositions: false })
  t.equal(channels.snapshot('whale').positions.length, LIMITS.snapshotPositionsMax)
  t.match(channels.snapshot('nobody'), { userSeq: 0, positions: [], hasMorePositions: false, orders: [] })
  t.end()
})

t.test('a performance looks up a bounded number of prices, and none beyond 5,000 events', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  const database = openReadOnly(test.file)
  t.teardown(() => database.close())
  const account = 5 as AccountNumber
  const range = { from: START as TimeMs, to: (START + HOUR) as TimeMs }
  const pointsOf = (count: number) => {
    const markets = Array.from({ length: count }, (_, number) => codeOf(number + 1))
    return new Performances(database).read(account, markets, range, 400)
  }
  for (const [count, points] of [
    [1, 400],
    [1000, 10],
    [5000, 2],
    [5001, 0],
    [100_000, 0],
  ] as const) {
    const performance = pointsOf(count)
    t.ok(
      performance.points.length <= points && performance.points.length > 0 === points > 0,
      `${count} events`,
    )
  }
  t.same(pointsOf(100_000).totals, pointsOf(1).totals, 'the totals need no prices')
  await test.close()
  for (const [count, points] of [
    [1000, 9],
    [4999, 2],
    [5001, 0],
    [50_000, 0],
  ] as const) {
    const file = damagedCopy(test.file, tables =>
      tables.exec(`INSERT INTO settlements
        SELECT ${account}, 2000000 + value, 'yes', 100, 0, 0, 0, ${START + 1}
        FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ${count})
          SELECT value FROM n)`),
    )
    const reader = openReadOnly(file)
    t.teardown(() => reader.close())
    const performance = new Performances(reader).read(account, [], range, 400)
    t.equal(performance.points.length, points, `${count} events that were settled`)
    t.same(performance.totals, pointsOf(1).totals)
    t.ok(new PastRows(reader).settlements(account, START as TimeMs, 10).length <= 10)
  }
})

t.test('names of ASCII characters fold as all others do', t => {
  for (let code = 0x20; code < 0x7f; code++) {
    const name = `a${String.fromCharCode(code)}Z`
    t.equal(foldedName(name), name.normalize('NFKC').toLowerCase().normalize('NFKC').trim())
  }
  t.equal(foldedName('ÉLAN'), 'élan')
  const { users } = new Desk()
  for (const [index, name] of ['Asha', 'ASHA', 'ben', 'ASHa', 'ＡＳＨＡ'].entries())
    users.add(name, (10 + index) as AccountNumber)
  t.same(users.likeFolded('asha'), ['Asha', 'ASHA', 'ASHa', 'ＡＳＨＡ'])
  t.same(users.likeFolded('ben'), ['ben'])
  t.same(users.likeFolded('cora'), [])
  t.end()
})

t.test(
  'a page of a list whose filter fits nothing looks at a bounded number of events, and goes on',
  async t => {
    const test = await TestExchange.open(t)
    for (let number = 1; number <= COUNT + 1; number++) test.exchange.directory.add(eventOf(number))
    const { app } = appOn(test)
    for (const query of ['sot=none', 'category=none&sort=volume', 'status=halted']) {
      const page = async (cursor: string) => {
        const response = await app.request(`/events?${query}${cursor}`)
        const { additional } = (await response.json()) as {
          additional: { events: unknown[]; next_cursor: unknown }
        }
        return additional
      }
      const { events, next_cursor: next } = await page('')
      t.same(events, [])
      t.type(next, 'string', query)
      t.match(await page(`&cursor=${next}`), { events: [], next_cursor: null })
    }
  },
)
