import type { Test } from 'tap'
import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import type { SeasonTerms } from '../../src/core/season.js'
import type { TimeMs } from '../../src/core/units.js'
import { amount, UNITS_PER_RUPEE } from '../../src/core/units.js'
import type { ExchangeOptions } from '../../src/exchange/exchange-options.js'
import type { Room } from '../../src/store/room-state.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const OTHER = (MARKET + 1) as typeof MARKET
const SECOND = 1000

const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)

function terms(changes: Partial<Record<'startsAt' | 'endsAt' | 'stake', number>> = {}): SeasonTerms {
  const { startsAt = START + HOUR, endsAt = START + 3 * HOUR, stake = 500 } = changes
  return { name: 'Autumn', startsAt: startsAt as TimeMs, endsAt: endsAt as TimeMs, stake: rupees(stake) }
}

async function open(t: Test, options: Partial<ExchangeOptions> = {}): Promise<TestExchange> {
  const test = await TestExchange.open(t, options as object)
  for (let count = 0; count < 2; count++) await test.create()
  return test
}

/** Lets time pass, then a tick of the clock, until all that follows from it is done. */
async function pass(test: TestExchange, ms: number): Promise<void> {
  test.now += ms
  test.exchange.advanceClock()
  await test.exchange.drain()
}

/** Creates a season that starts in an hour; returns its number. */
async function create(test: TestExchange, changes: Parameters<typeof terms>[0] = {}): Promise<number> {
  const season = await test.exchange.seasons.create(terms(changes))
  if (typeof season === 'string' || 'refusal' in season)
    throw new Error(`no season: ${JSON.stringify(season)}`)
  return season.number
}

const refusalOf = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'refusal' in answer ? answer.refusal : answer

t.test('a turn cancels all orders, gives each user the stake, and lets trading go on', async t => {
  const test = await open(t)
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6', 'asha buy 5 @ 3', 'ben sell 2 @ 9'])
  const resting = await test.place('cora buy 1 @ 2', OTHER)
  const quoted = { userId: 'cora', market: OTHER, set: 'main', quotes: [] } as const
  await test.exchange.quotes.replace({ ...quoted })
  const number = await create(test)

  await pass(test, HOUR - SECOND)
  t.equal(test.endOf(resting), 'resting 0', 'not before its time')
  await pass(test, SECOND)
  t.equal(test.endOf(resting), 'cancelled 0 season_turn')
  // Asha has put ₹60 into the open event, Ben ₹40.
  t.equal(test.money('asha'), 'cash 440 held 0 available 440')
  t.equal(test.money('ben'), 'cash 460 held 0 available 460')
  t.equal(test.money('cora'), 'cash 500 held 0 available 500')
  t.equal(test.contracts('asha'), 'yes 10 no 0', 'contracts stay')
  t.match(test.exchange.seasons.find(number), { begunAt: START + HOUR, turnedAt: START + HOUR })
  t.equal(await test.playAll(['asha buy 1 @ 4']), 'resting 0')
  t.ok(test.exchange.moneyIsAllThere())

  await test.restart()
  await pass(test, SECOND)
  t.equal(test.money('cora'), 'cash 500 held 0 available 500')
  const txns = test.rows<{ txn_id: string; amount: number }>(
    'SELECT txn_id, amount FROM transfers ORDER BY amount',
  )
  t.match(
    txns.map(({ amount: value }) => value / UNITS_PER_RUPEE),
    [500, 500, 500],
  )
  t.ok(verifyFile(test.file).ok)
})

t.test('cash never goes below 0, so that a void may return more than the stake', async t => {
  const test = await open(t)
  await test.playAll(['asha buy 90 @ 6', 'ben sell 90 @ 6'])
  await create(test, { stake: 100 })
  await pass(test, HOUR)
  t.equal(test.money('asha'), 'cash 0 held 0 available 0')
  const market = test.exchange.market(MARKET)
  if (market === undefined) return
  await test.exchange.moveMarket(market, 'close')
  t.equal(await test.exchange.resolveMarket(market, { outcome: 'void' }), undefined)
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 540 held 0 available 540')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('who took more out of an open event than they put in starts with more than the stake', async t => {
  const test = await open(t)
  await test.playAll(['asha buy 10 @ 2', 'ben sell 10 @ 2', 'cora buy 10 @ 8', 'asha sell 10 @ 8'])
  await create(test)
  await pass(test, HOUR)
  t.equal(test.money('asha'), 'cash 560 held 0 available 560')
})

t.test('payments to a group count once, whichever outcomes they were for', async t => {
  const test = await open(t)
  const group = await TestGroup.create(test, 3)
  await group.play('A: asha sell 10 @ 4', 'A: ben buy 10 @ 4', 'B: asha sell 10 @ 3', 'B: ben buy 10 @ 3')
  t.equal(await group.convert('asha release 10 of AB'), 'cash 100')
  await create(test)
  await pass(test, HOUR)
  // 60 + 70 paid, 100 released.
  t.equal(test.money('asha'), 'cash 470 held 0 available 470')
  t.equal(test.money('ben'), 'cash 430 held 0 available 430')
  t.ok(verifyFile(test.file).ok)
})

t.test('accounts opened in a season start with its stake, others as before', async t => {
  const test = await open(t)
  await create(test)
  await test.place('early buy 1 @ 1')
  await pass(test, HOUR)
  await test.place('late buy 1 @ 1')
  t.equal(test.money('late'), 'cash 500 held 1 available 499')
  await pass(test, 2 * HOUR)
  await test.place('after buy 1 @ 1')
  t.equal(test.money('after'), 'cash 1000 held 1 available 999')
})

t.test('while a turn is under way nothing else moves money', async t => {
  const room: { state: Room['state'] } = { state: 'ok' }
  const test = await open(t, { room: room as Room })
  const group = await TestGroup.create(test, 2)
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  const order = await test.place('asha buy 3 @ 4', OTHER)
  await create(test)
  const { exchange } = test
  const market = exchange.market(MARKET)
  if (market === undefined) return
  await exchange.moveMarket(market, 'close')

  test.now += HOUR
  exchange.advanceClock()
  // The turn has begun, and is not on disk yet.
  const amended = exchange.amendOrder(orderId(order), { price: 5 })
  t.equal(await test.tryPlace('asha buy 1 @ 5', OTHER), 'season_turn')
  t.equal(await amended, 'season_turn')
  const quote = { userId: 'asha', side: 'yes', orderType: 'LO', selfTrade: 'taker', market: OTHER } as const
  const quotes = [{ ...quote, outcome: 'yes', yesPrice: 4, askedPrice: 4, quantity: 1 }] as const
  const replaced = exchange.quotes.replace({
    userId: 'asha',
    market: OTHER,
    set: 'a',
    quotes: quotes as never,
  })
  t.equal(await replaced, 'season_turn')
  t.equal(await group.tryConvert('asha build 1 of -'), 'season_turn')
  // It waits for disk space.
  room.state = 'low'
  await exchange.drain()
  const transfer = { userId: 'asha', amount: rupees(1), txnId: 'mine' } as const
  for (const direction of ['deposit', 'withdrawal'] as const) {
    t.equal(await exchange.transfer({ ...transfer, direction }), 'season_turn')
  }
  t.match(await exchange.resolveMarket(market, { outcome: 'yes' }), { isInTurn: true })
  t.match(await exchange.groups.resolve(group.group, 'void', {}), { isInTurn: true })

  room.state = 'ok'
  await pass(test, SECOND)
  t.equal(test.money('asha'), 'cash 440 held 0 available 440')
  t.equal(await exchange.resolveMarket(market, { outcome: 'yes' }), undefined)
  await exchange.drain()
  t.equal(test.money('asha'), 'cash 540 held 0 available 540')
})

t.test('a settlement under way is paid before the turn looks at the money', async t => {
  const test = await open(t)
  const users = Array.from({ length: 130 }, (_, index) => `user${index}`)
  for (const user of users) await test.playAll([`${user} buy 1 @ 6`, 'ben sell 1 @ 6'])
  await create(test)
  const market = test.exchange.market(MARKET)
  if (market === undefined) return
  await test.exchange.moveMarket(market, 'close')
  test.now += HOUR
  void test.exchange.resolveMarket(market, { outcome: 'yes' })
  test.exchange.advanceClock()
  for (let tick = 0; tick < 5; tick++) await pass(test, SECOND)
  for (const user of users) t.equal(test.money(user), 'cash 500 held 0 available 500')
  t.equal(test.money('ben'), 'cash 500 held 0 available 500')
})

t.test('a kill between any two commands of a turn changes nothing about its end', async t => {
  const test = await open(t)
  await test.playAll([
    'asha buy 10 @ 6',
    'ben sell 10 @ 6',
    'asha buy 5 @ 3',
    'dev buy 1 @ 1',
    'cora sell 1 @ 9',
  ])
  const halted = await test.create()
  await test.place('cora buy 2 @ 4', halted.terms.code)
  await test.exchange.moveMarket(halted, 'halt')
  const inFlight = test.place('eve buy 2 @ 5', OTHER)
  await create(test)
  const images: string[] = []
  test.beforeCommand = () => {
    images.push(test.crashImage(`${test.file}-${images.length}`))
  }
  await pass(test, HOUR)
  test.beforeCommand = () => {}
  await inFlight
  const users = ['asha', 'ben', 'cora', 'dev', 'eve'].map(user => `${user} ${test.money(user)}`)
  t.ok(images.length > 9, `${images.length} moments`)
  for (const [index, file] of images.entries()) {
    const crashed = await TestExchange.open(t, { file })
    crashed.now = test.now
    await pass(crashed, SECOND)
    const after = ['asha', 'ben', 'cora', 'dev', 'eve'].map(user => `${user} ${crashed.money(user)}`)
    t.same(after, users, `after command ${index}`)
    t.equal(crashed.rows('SELECT 1 FROM transfers').length, 5, 'no transfer is made twice')
    t.ok(verifyFile(file).ok)
    await crashed.close()
  }
})

t.test('an operator who used the id of a transfer does not stop a turn', async t => {
  const test = await open(t)
  await test.place('asha buy 1 @ 1')
  const account = test.rows<{ number: number }>("SELECT number FROM accounts WHERE owner = 'user:asha'")[0]
  const taken = { userId: 'asha', direction: 'deposit', amount: rupees(7) } as const
  // The third looks like the one that the turn makes.
  const same = { userId: 'asha', direction: 'withdrawal', amount: rupees(500 + 14) } as const
  for (const end of ['', ':2'])
    await test.exchange.transfer({ ...taken, txnId: `season:1:${account?.number}${end}` })
  await test.exchange.transfer({ ...taken, amount: rupees(514), txnId: 'more' })
  await test.exchange.transfer({ ...same, txnId: `season:1:${account?.number}:3` })
  await create(test)
  await pass(test, HOUR)
  t.equal(test.money('asha'), 'cash 500 held 0 available 500')
  t.match(test.exchange.seasons.find(1), { turnedAt: START + HOUR })
})

t.test('a transfer that was read before a turn is not made within it', async t => {
  const test = await open(t)
  await test.place('asha buy 1 @ 1')
  await create(test)
  test.now += HOUR
  const deposit = { userId: 'asha', direction: 'deposit', amount: rupees(7), txnId: 'late' } as const
  // Its id is being looked up when the turn begins.
  const asked = test.exchange.transfer(deposit)
  test.exchange.advanceClock()
  t.equal(await asked, 'season_turn')
  await pass(test, SECOND)
  t.equal(test.money('asha'), 'cash 500 held 0 available 500')
  t.match(await test.exchange.transfer(deposit), { txnId: 'late' }, 'it is made once the turn is over')
})

t.test('seasons do not overlap, and are changed and deleted before their start only', async t => {
  const test = await open(t)
  const { seasons } = test.exchange
  const first = await create(test)
  t.match(await seasons.create(terms({ startsAt: START + 2 * HOUR, endsAt: START + 5 * HOUR })), {
    refusal: 'seasons_overlap',
    other: { number: first },
  })
  const next = await create(test, { startsAt: START + 3 * HOUR, endsAt: START + 5 * HOUR })
  t.equal(refusalOf(await seasons.edit(next, { startsAt: (START + 2 * HOUR) as TimeMs })), 'seasons_overlap')
  t.match(await seasons.edit(first, { name: 'Spring' }), { name: 'Spring', stake: rupees(500) })
  t.equal(refusalOf(await seasons.create(terms({ startsAt: START }))), 'season_in_past')
  t.equal(
    refusalOf(
      await seasons.create(terms({ startsAt: START + 9 * HOUR, endsAt: START + 99 * HOUR, stake: 4e11 })),
    ),
    'stakes_too_large',
  )
  t.equal(await seasons.edit(99, {}), undefined)
  t.match(await seasons.drop(next), { number: next })
  t.equal(await seasons.drop(next), undefined)
  t.equal(seasons.find(next), undefined)
  await pass(test, HOUR)
  t.equal(refusalOf(await seasons.edit(first, { name: 'Late' })), 'season_begun')
  t.equal(refusalOf(await seasons.drop(first)), 'season_begun')
  const [one, two] = await Promise.all([
    seasons.create(terms({ startsAt: START + 4 * HOUR, endsAt: START + 6 * HOUR })),
    seasons.create(terms({ startsAt: START + 5 * HOUR, endsAt: START + 7 * HOUR })),
  ])
  t.same([refusalOf(one), refusalOf(two)].filter(refusal => refusal === 'seasons_overlap').length, 1)
  t.equal(seasons.all.find(({ number }) => number > next)?.number, 3, 'numbers are used once')
})

t.test('a season that was over before the exchange started again has no turn', async t => {
  const test = await open(t)
  await test.place('asha buy 1 @ 1')
  await create(test)
  await test.close()
  test.now += 5 * HOUR
  await test.restart()
  await pass(test, SECOND)
  t.equal(test.money('asha'), 'cash 1000 held 1 available 999')
})

t.test('a preview says what a turn would do, and does nothing', async t => {
  const test = await open(t)
  await test.playAll(['asha buy 90 @ 6', 'ben sell 90 @ 6', 'cora buy 1 @ 2', 'cora buy 1 @ 3'])
  const season = test.exchange.seasons.find(await create(test, { stake: 500 }))
  if (season === undefined) return
  const journalled = test.journalled().length
  // Asha has ₹460 and has put in 540, Ben 640 and 360, Cora 1,000.
  t.same(await test.exchange.seasons.preview(season), {
    ...{ accounts: 3, changed: 3, paidIn: 0, paidOut: rupees(460 + 500 + 500), floored: 1, orders: 2 },
  })
  t.equal(test.journalled().length, journalled)
  await pass(test, HOUR)
  t.equal(test.money('asha'), 'cash 0 held 0 available 0')
  t.equal(test.money('ben'), 'cash 140 held 0 available 140')
})
