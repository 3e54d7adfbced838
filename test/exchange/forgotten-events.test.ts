import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { MarketCode } from '../../src/core/units.js'
import { assert } from '../../src/core/assert.js'
import { EVENT_SORTS } from '../../src/api/events/event-query.js'
import type { MarketDirectory } from '../../src/exchange/markets/market-directory.js'
import { allAnswers } from '../fixtures/archive/all-answers.js'
import { liveLong } from '../fixtures/archive/long-life.js'
import { Dice } from '../fixtures/dice.js'
import { memoryOf, openStandby, rowsOf } from '../fixtures/followed-exchange.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { appOn } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'
import { recoveredDesk } from '../fixtures/recovered-desk.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const DAY = 24 * HOUR
const STATUSES = ['', ...['trading', 'ended', 'settled', 'voided'].map(status => `status=${status}&`)]
const FILTERS = ['sot=test', 'category=CRICKET', 'status=settled&category=cricket', 'trend=yes', 'q=cup']

/** The codes of the events that memory has. */
const known = ({ directory }: { readonly directory: MarketDirectory }) =>
  Array.from(directory.allInMemory(), ({ terms }) => terms.code).sort((a, b) => a - b)

/** Lets some ticks pass, in which memory forgets. */
async function tick(test: TestExchange, count = 3): Promise<void> {
  for (let ticks = 0; ticks < count; ticks++) {
    test.exchange.advanceClock()
    await test.exchange.drain()
    test.now += 10_000
  }
}

/** Returns every list of events and groups, by path, a page after the other. */
async function lists(test: TestExchange): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const { app } = appOn(test)
  const paths = ['/groups?', '/events/categories?', '/events?event_ids=1000001,1000002,1000009&']
  for (const sort of ['', ...EVENT_SORTS.map(name => `sort=${name}&`)]) {
    for (const status of STATUSES) paths.push(`/events?${sort}${status}`)
    for (const filter of FILTERS) paths.push(`/events?${sort}${filter}&`)
  }
  for (const path of paths) {
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const asked: string = `${path}limit=3${cursor && `&cursor=${cursor}`}`
      const text: string = await (await app.request(asked)).text()
      answers.set(asked, text)
      cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1]
    }
  }
  for (const { terms, markets } of test.exchange.groups.all()) {
    for (const path of [`/groups/${terms.code}`, ...markets.map(one => `/events/${one.terms.code}`)]) {
      answers.set(path, await (await app.request(path)).text())
    }
  }
  return answers
}

/** Compares answers, one at a time so that a difference can be read. */
function same(t: Test, found: Map<string, string>, expected: Map<string, string>, what: string): void {
  t.same([...found.keys()], [...expected.keys()], what)
  for (const [path, text] of expected)
    if (found.get(path) !== text) t.equal(found.get(path), text, `${what}: ${path}`)
}

t.test(
  'every answer is the same whether memory knows events that are over or has forgotten them',
  async t => {
    const dice = Dice.fromEnvironment(t)
    const test = await TestExchange.open(t)
    // Without a place to read it from again, nothing is forgotten.
    Object.defineProperty(test.exchange.directory, 'source', { value: undefined, configurable: true })
    await liveLong(test, dice, 200)
    const cups = [await TestGroup.create(test, 3, { endAt: test.now + DAY })]
    cups.push(
      await TestGroup.create(test, 2, { title: 'Other cup', kind: 'independent', endAt: test.now + DAY }),
    )
    for (const cup of cups) {
      await cup.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4', 'B: asha sell 1 @ 3', 'B: cora buy 1 @ 3')
      await cup.close()
    }
    await cups[0]?.resolve('B')
    await cups[1]?.resolveOne('A', 'yes')
    await cups[1]?.resolveOne('B', 'void')
    for (const category of ['Cricket', 'cricket']) {
      const { terms } = await test.create({
        category,
        title: `Will it ${category}?`,
        slug: `will-${category}`,
      })
      await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'], terms.code)
      if (category === 'Cricket') await new Operator(test).settle('yes', terms.code)
    }
    test.now += 3 * DAY
    test.exchange.advanceClock()
    await test.exchange.drain()
    const expected = new Map([...(await allAnswers(test)), ...(await lists(test))])
    const before = known(test.exchange)
    const { now } = test

    Reflect.deleteProperty(test.exchange.directory, 'source')
    await tick(test)
    test.now = now
    const live = Array.from(test.exchange.directory.live(), ({ terms }) => terms.code)
    t.ok(before.length > live.length + 5)
    t.same(known(test.exchange), live, 'only events that go on are in memory')
    t.ok(test.exchange.moneyIsAllThere())
    same(t, new Map([...(await allAnswers(test)), ...(await lists(test))]), expected, 'forgotten')
    t.same(known(test.exchange), live, 'and reading changes nothing of that')

    await test.restart()
    test.now = now
    t.same(known(test.exchange), live, 'a start does not read them')
    same(t, new Map([...(await allAnswers(test)), ...(await lists(test))]), expected, 'after a start')
    t.ok(recoveredDesk(test.file).markets.inMemory(MARKET), 'unless they have been over for less than a day')
  },
)

t.test(
  'an order for a forgotten event has the next number, and the event stays until the tables have it',
  async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'])
    await new Operator(test).settle('yes')
    await test.create({ slug: 'other', endAt: START + 100 * DAY })
    test.now += 3 * DAY
    await tick(test)
    t.same(known(test.exchange), [MARKET + 1])
    for (const restarts of [false, true]) {
      const numbers: number[] = []
      for (let count = 0; count < 3; count++) {
        const order = await test.place('asha buy 1 @ 5')
        t.match(order, { state: 'rejected', market: MARKET })
        numbers.push(order.number)
      }
      t.same(numbers, restarts ? [6, 7, 8] : [3, 4, 5])
      t.same(known(test.exchange), [MARKET, MARKET + 1], 'it is in memory while it may change')
      t.ok(test.exchange.moneyIsAllThere())
      await tick(test)
      t.same(known(test.exchange), [MARKET + 1])
      await test.restart()
    }
  },
)

t.test('the slug and the id of a forgotten event stay taken, and its code', async t => {
  const test = await TestExchange.open(t)
  const { exchange } = test
  const { listing } = await test.create()
  await new Operator(test).settle('void')
  const other = await test.create({ slug: 'other', endAt: START + 100 * DAY })
  test.now += 3 * DAY
  await tick(test)
  t.equal(exchange.directory.inMemory(MARKET), undefined)
  t.ok(exchange.directory.hasSlug(listing.slug))
  t.ok(exchange.directory.hasId(listing.id))
  t.notOk(exchange.directory.hasSlug('another'))
  const refusal = await exchange.editMarket(other, { terms: {}, listing: { slug: listing.slug } })
  t.equal(refusal, 'slug_used')
  const edited = await exchange.editMarket(other, { terms: {}, listing: { slug: 'new' } })
  t.equal(edited, undefined)
  // The tables may still have the old one.
  t.notOk(exchange.directory.hasSlug('other'))
  await test.restart()
  const next = await test.create({ slug: 'next' })
  t.equal(next.terms.code, MARKET + 2)
})

t.test('the words of a forgotten group can be edited, and are kept', async t => {
  const test = await TestExchange.open(t)
  const cup = await TestGroup.create(test, 3)
  await cup.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4')
  await cup.close()
  await cup.resolve('A')
  test.now += 3 * DAY
  await tick(test)
  const isKnown = () => [...known(test.exchange)].includes((cup.code + 1) as MarketCode)
  t.equal(isKnown(), false)
  await test.exchange.groups.edit(cup.group, { title: 'World cup' })
  t.equal(cup.group.listing.title, 'World cup')
  t.equal(isKnown(), true)
  t.equal(cup.group.markets.length, 3)
  t.ok(test.exchange.moneyIsAllThere())
  await tick(test)
  t.equal(isKnown(), false)
  t.equal(cup.group.listing.title, 'World cup')
  t.same(
    test.exchange.groups.all().map(({ terms }) => terms.code),
    [cup.code],
  )
})

t.test('an event is not forgotten before the tables have the end of it', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'])
  await new Operator(test).settle('yes')
  await test.exchange.drain()
  const { directory } = test.exchange
  const { source } = directory
  assert(source !== undefined, 'the tables are read')
  const stored = source.market(MARKET)
  t.match(stored, { progress: { status: 'settled' }, lastNumber: 2 })
  for (const behind of [
    { ...stored, lastNumber: 1 },
    { ...stored, progress: { ...stored?.progress, status: 'resolved' } },
    undefined,
  ]) {
    Object.defineProperty(directory, 'source', {
      value: { ...source, market: () => behind },
      configurable: true,
    })
    test.now += 3 * DAY
    await tick(test)
    t.same(known(test.exchange), [MARKET])
  }
  Reflect.deleteProperty(directory, 'source')
  await tick(test)
  t.same(known(test.exchange), [])
})

t.test('an exchange that follows forgets, too, and takes what comes for a forgotten event', async t => {
  const exchanges: TestExchange[] = []
  t.teardown(async () => {
    for (const one of exchanges) await one.close()
  })
  const leader = await TestExchange.open(t)
  const standby = await openStandby(t, join(dirname(leader.file), 'standby.db'))
  exchanges.push(standby)
  const users = ['asha', 'ben', 'newcomer']
  const follow = () => standby.exchange.follow(rowsOf(leader, standby.exchange.sequence))
  const pass = async (time: number) => {
    for (const one of [leader, standby]) {
      one.now += time
      await tick(one)
    }
  }
  const cup = await TestGroup.create(leader, 3)
  await cup.play('A: asha buy 2 @ 4', 'A: ben sell 2 @ 4')
  await cup.close()
  await cup.resolve('A')
  const codes: MarketCode[] = []
  for (const outcome of ['yes', 'void'] as const) {
    const { code } = (await leader.create({ slug: outcome })).terms
    await leader.playAll(['asha buy 1 @ 5', 'ben sell 1 @ 5'], code)
    await new Operator(leader).settle(outcome, code)
    codes.push(code)
  }
  const live = (await leader.create({ slug: 'live', endAt: START + 100 * DAY })).terms.code
  await follow()
  await pass(3 * DAY)
  for (const one of [leader, standby]) t.same(known(one.exchange), [live])
  for (const code of codes) await leader.place('newcomer buy 1 @ 5', code)
  await leader.exchange.groups.edit(cup.group, { title: 'World cup' })
  await follow()
  for (const one of [leader, standby]) t.equal(known(one.exchange).length, 6, 'what may change is in memory')
  t.same(memoryOf(standby, users), memoryOf(leader, users))
  await pass(0)
  for (const one of [leader, standby]) {
    t.same(known(one.exchange), [live])
    t.ok(one.exchange.moneyIsAllThere())
    t.same(one.failures, [])
  }
  t.same(memoryOf(standby, users), memoryOf(leader, users))
})
