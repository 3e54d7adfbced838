import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import { amount, amountToRupees, lots, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { Engine } from '../../src/engine/engine.js'
import { readCommands } from '../../src/store/command-text.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { fund, ownMoney, shown } from '../fixtures/house-exchange.js'
import { HOUR, MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

async function quoted(t: Test, options = {}) {
  const test = await TestExchange.open(t, { startingBalance: 100_000, ...options })
  await test.create()
  t.equal(await fund(test), undefined)
  return test
}

async function isSound(t: Test, test: TestExchange, what: string) {
  t.ok(test.exchange.moneyIsAllThere(), what)
  await test.exchange.drain()
  t.same(wrong(verifyFile(test.file)), [], `${what}: verified`)
  t.same(test.failures, [])
}

const best = (test: TestExchange, side: 0 | 1) => test.book().split(' | ')[side]?.split(' ')[0]

t.test('quotes both sides of the start price at once, from the budget', async t => {
  const test = await quoted(t)
  t.equal(test.book(), '35.1@4.5 35.82@4 37.36@3.5 5.41@3 | 35.1@5.5 35.82@6 37.36@6.5 39.93@7')
  t.equal(ownMoney(test), 'external -1000, maker:1000001 1000')
  await isSound(t, test, 'funded')
})

t.test('sells at the next rung and buys back at the one below', async t => {
  const test = await quoted(t)
  const before = test.book()
  const [, size] = [best(test, 0), Number(best(test, 1)?.split('@')[0])]
  t.equal(await test.playAll(['asha buy 10 @ 5.5']), 'filled 10')
  t.equal(best(test, 0), '10@5', 'what was sold is bid for a rung lower')
  t.equal(best(test, 1), `${Math.round((size - 10) * 100) / 100}@5.5`)
  t.equal(await test.playAll(['asha sell 10 @ 5']), 'filled 10')
  const nearest = (book: string) => book.replace(/ [\d.]+@3 /, ' ')
  t.equal(nearest(test.book()), nearest(before), 'and what was earned adds to the last bid')
  t.equal(ownMoney(test), 'external -101000, maker:1000001 1005', 'the spread is earned')
  t.same(test.rows("SELECT number FROM orders WHERE state = 'rejected'"), [], 'and no rung was quoted twice')
  await isSound(t, test, 'there and back')
})

t.test('what all that is sold would cost is never more than the budget', async t => {
  const test = await quoted(t)
  await test.playAll(['asha buy 5000 market', 'asha buy 5000 market', 'asha buy 5000 market'])
  const { results, means } = shown(test)
  t.ok(means.no > 0)
  t.equal(test.book().split(' | ')[1], '-', 'all is sold')
  t.ok(amountToRupees(results.ifYes as never) >= -1000)
  await test.exchange.moveMarket(test.exchange.market(MARKET) as never, 'close')
  await test.exchange.resolveMarket(test.exchange.market(MARKET) as never, { outcome: 'yes' })
  await test.exchange.drain()
  const external = Number(/external (\S+?),?$/.exec(ownMoney(test))?.[1])
  t.ok(external >= -101_000 && external < -100_000, `the house is out ${-100_000 - external}`)
  const { status, lossMax, results: final } = shown(test)
  t.same([status, lossMax, final.worst], ['returned', undefined, final.ifYes], 'and its money is back')
  t.equal(final.worst, (external + 100_000) * 10_000)
  await isSound(t, test, 'resolved')
})

for (const outcome of ['yes', 'no', 'void'] as const) {
  t.test(`its money returns to the house when the event ends: ${outcome}`, async t => {
    const test = await quoted(t)
    await test.playAll(['asha buy 40 @ 7', 'ben sell 90 @ 3', 'asha buy 20 @ 7', 'ben sell 5 no @ 3'])
    const market = test.exchange.market(MARKET) as never
    await test.exchange.moveMarket(market, 'close')
    await test.exchange.drain()
    t.equal(test.book(), '- | -')
    const { results } = shown(test)
    t.equal(results.worst, Math.min(results.ifYes, results.ifNo), 'closed: nothing trades any more')
    await test.exchange.resolveMarket(market, { outcome })
    await test.exchange.drain()
    t.notMatch(ownMoney(test), /maker|house/, 'neither the maker nor the house keeps any')
    if (outcome === 'void') t.equal(ownMoney(test), 'external -200000')
    await isSound(t, test, outcome)
    await test.restart()
    t.equal(test.exchange.tradersOf(MARKET), 2, 'the house is no trader')
  })
}

t.test('stops: quotes end, free money returns at once, the rest with the result', async t => {
  const test = await quoted(t)
  await test.playAll(['asha buy 10 @ 5.5'])
  const market = test.exchange.market(MARKET) as never
  t.equal(await test.exchange.house.stop(market), undefined)
  await test.exchange.drain()
  t.equal(test.book(), '- | -')
  t.equal(ownMoney(test), 'external -100045', 'it bought 10 NO at 4.5')
  await isSound(t, test, 'stopped')
  t.equal(await fund(test), undefined, 'it may be funded again, with another account')
  t.equal(ownMoney(test), 'external -101045, maker:1000001:2 1000')
  t.equal(await fund(test), 'quotes_running')
  await test.restart()
  t.equal(await fund(test), 'quotes_running', 'also after a restart')
  await test.exchange.moveMarket(test.exchange.market(MARKET) as never, 'close')
  await test.exchange.resolveMarket(test.exchange.market(MARKET) as never, { outcome: 'no' })
  await test.exchange.drain()
  t.equal(ownMoney(test), 'external -99945', 'asha has lost 55, the house has them')
  await isSound(t, test, 'over')
})

t.test('stops after a restart in the order in which the journal says', async t => {
  const test = await quoted(t)
  // A rung that is quoted again has a later order than those farther away.
  await test.playAll(['asha buy 50 @ 6', 'asha sell 50 @ 5', 'ben buy 10 @ 5.5'])
  await test.restart()
  const told: string[] = []
  test.exchange.onPublication(({ messages }) => {
    for (const message of messages) if (message.type === 'ORDER_CANCELLED') told.push(message.orderId)
  })
  t.equal(await test.exchange.house.stop(test.exchange.market(MARKET) as never), undefined)
  await test.exchange.drain()
  const engine = new Engine()
  const replayed = test
    .journal()
    .flatMap(({ sequence, at, commands: text }) => {
      return engine.apply({ at, commands: readCommands(text, sequence) }).events
    })
    .filter(event => event.type === 'order_cancelled' && event.reason === 'user_cancelled')
    .map(event => `${event.market} ${'order' in event && event.order}`)
  t.ok(told.length > 5)
  t.same(
    told.map(id => id.split('-').slice(0, 2).join(' ')),
    replayed,
  )
  await isSound(t, test, 'stopped')
})

t.test('halts with the market, and quotes again when it resumes', async t => {
  const test = await quoted(t)
  const market = test.exchange.market(MARKET) as never
  // The fill and the halt are one batch: nothing is requoted before the halt.
  const filled = test.place('asha buy 10 @ 5.5')
  await test.exchange.moveMarket(market, 'halt')
  await filled
  await test.exchange.drain()
  t.not(best(test, 0), '10@5')
  await test.exchange.moveMarket(market, 'resume')
  await test.exchange.drain()
  t.equal(best(test, 0), '10@5')
  await isSound(t, test, 'resumed')
})

t.test('quotes again what ended at the capacity, once that is raised', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100_000 })
  const market = await test.create({ capacity: lots(1000) })
  await test.playAll(['asha buy 10 @ 7', 'ben sell 10 @ 7', 'asha buy 5 @ 7'])
  t.equal(await fund(test), undefined)
  t.equal(best(test, 1), '-', 'full: the asks, which would have sold to asha, have ended')
  await test.exchange.editMarket(market, { terms: { capacity: lots(1_000_000) }, listing: {} })
  await test.exchange.drain()
  t.match(best(test, 1), /@5.5$/)
  t.equal(best(test, 0)?.split('@')[1], '5', 'asha has bought, and the house bids for it')
  await isSound(t, test, 'raised')
})

t.test('a crash between a fill and its requote is made up for by the start', async t => {
  const test = await quoted(t)
  const image = join(t.testdirName, 'crash.db')
  let isTaken = false
  test.exchange.onPublication(({ messages }) => {
    // The batch of the fill is committed, the requote is only queued.
    if (isTaken || !messages.some(({ type }) => type === 'trade')) return
    isTaken = true
    test.crashImage(image)
  })
  await test.playAll(['asha buy 10 @ 5.5'])
  const quotes = test.book()
  const crashed = await TestExchange.open(t, { file: image, startingBalance: 100_000 })
  t.equal(crashed.journalled().filter(({ type }) => type === 'REQUOTE_HOUSE').length, 1, 'the first one')
  await crashed.exchange.drain()
  t.equal(crashed.book(), quotes)
  t.equal(crashed.journalled().filter(({ type }) => type === 'REQUOTE_HOUSE').length, 2)
  await isSound(t, crashed, 'after the crash')
})

t.test('a user whose name is like its own is another account', async t => {
  const test = await quoted(t)
  await test.playAll(['maker:1000001 buy 10 @ 5.5', '1000001 buy 1 @ 5.5'])
  t.equal(test.money('maker:1000001'), 'cash 99945 held 0 available 99945')
  await test.restart()
  t.equal(test.money('maker:1000001'), 'cash 99945 held 0 available 99945')
  const [order] = test.rows<Parameters<typeof orderId>[0]>(
    `SELECT market, o.number, suffix FROM orders AS o JOIN accounts AS a ON a.number = account
     WHERE owner = 'maker:1000001' AND state = 'resting'`,
  )
  if (order === undefined) return t.fail('quotes rest')
  t.equal(await test.exchange.findOrder(orderId(order)), undefined)
  t.equal(await test.exchange.cancelOrder(orderId(order)), undefined, 'nobody cancels it')
  t.equal(await test.exchange.amendOrder(orderId(order), { quantity: 1 }), undefined, 'nor amends it')
  await test.playAll(['asha buy 10 @ 5.5'])
  const ended = await test.exchange.findOrder(orderId(order))
  t.equal(ended, undefined, 'not when it has ended either')
  await isSound(t, test, 'named')
  return undefined
})

t.test('counts to no user: no messages, no leaderboard, no trader, no limits of bets', async t => {
  const test = await TestExchange.open(t, { startingBalance: 100_000, openOrdersMax: 3 })
  await test.create({ minBet: 300, maxBet: 400 })
  t.equal(await fund(test), undefined)
  t.ok(test.book().split('@').length > 7, 'more orders than a user may have, of less and more than a bet')
  t.equal(test.exchange.tradersOf(MARKET), 0)
  await test.playAll(['asha buy 60 @ 5.5'])
  t.equal(test.exchange.tradersOf(MARKET), 1)
  t.same(test.rows("SELECT 1 FROM updates JOIN accounts ON number = account WHERE owner GLOB 'maker*'"), [])
  const market = test.exchange.market(MARKET) as never
  await test.exchange.moveMarket(market, 'close')
  await test.exchange.resolveMarket(market, { outcome: 'no' })
  await test.exchange.drain()
  const board = await test.exchange.archive.people.top('profit', 'all', { isDefault: true, others: () => [] })
  if (typeof board === 'string') return t.fail(board)
  t.same(
    board.rows.map(({ userId }) => userId),
    ['asha'],
    'the winner is the house, which is on no board',
  )
  await isSound(t, test, 'limits')
  return undefined
})

t.test('pays no fees', async t => {
  const test = await TestExchange.open(t, {
    startingBalance: 100_000,
    fees: { taker: 100, maker: 100, byCategory: new Map() } as never,
  })
  await test.create()
  t.equal(await fund(test), undefined)
  await test.playAll(['asha buy 10 @ 5.5'])
  const paid = test.rows<{ owner: string; fee: number }>(
    "SELECT owner, fee FROM entries JOIN accounts ON number = account WHERE kind = 'trade' ORDER BY id",
  )
  t.match(paid, [{ owner: 'user:asha' }, { owner: 'maker:1000001', fee: 0 }])
  t.ok((paid[0]?.fee ?? 0) > 0)
  await isSound(t, test, 'fees')
})

t.test('bounds of funding', async t => {
  const budget = 1500 * 10_000
  const test = await TestExchange.open(t, { house: { budgetMax: budget as never } })
  await test.create()
  const { code } = (await test.create()).terms
  t.equal(await fund(test, { budget: 0.01 }), 'budget_too_small')
  t.equal(await fund(test, { budget: 2000 }), 'above_ceiling')
  t.equal(await fund(test, { budget: 1000 }), undefined)
  t.equal(await fund(test, { budget: 1000 }, code), 'above_ceiling', 'for all together')
  t.equal(await fund(test, { budget: 500 }, code), undefined)
  const both = await Promise.all([fund(test, {}, code), fund(test, {}, code)])
  t.same(both, ['quotes_running', 'quotes_running'])
  const third = await test.create({ endAt: test.now + HOUR })
  test.now += 2 * HOUR
  test.exchange.advanceClock()
  t.equal(await fund(test, { budget: 1 }, third.terms.code), 'market_over')
})

t.test('random traders: money, books and journal stay sound, whatever they do', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await quoted(t)
  const users = ['asha', 'ben', 'cora'] as const
  for (let turn = 0; turn < 120; turn++) {
    const crowd = Array.from({ length: dice.between(1, 5) }, () => {
      const price = dice.between(2, 18) / 2
      const amount = dice.between(1, 600) / 10
      const outcome = dice.oneOf(['yes', 'no'])
      return `${dice.oneOf(users)} ${dice.oneOf(['buy', 'sell'])} ${amount} ${outcome} @ ${price}`
    })
    await Promise.all(crowd.map(order => test.place(order)))
    if (dice.percent(3)) await test.restart()
    if (dice.percent(3)) {
      await test.exchange.house.stop(test.exchange.market(MARKET) as never)
      await test.exchange.drain()
      await fund(test, { start: dice.between(3, 17) / 2 })
    }
    const { results, rests } = shown(test)
    if (results.worst < -1000 * 10_000) return t.fail('it may lose more')
    const rungs = new Set(rests.map(({ side, price }) => `${side} ${price}`))
    if (rungs.size !== rests.length) return t.fail('a rung has two orders')
    if (rests.some(({ lots }) => lots <= 0)) return t.fail('an open order is filled')
  }
  await isSound(t, test, 'random')
  const market = test.exchange.market(MARKET) as never
  await test.exchange.moveMarket(market, 'close')
  await test.exchange.resolveMarket(market, { outcome: dice.oneOf(['yes', 'no', 'void']) })
  await test.exchange.drain()
  t.notMatch(ownMoney(test), /maker|house/)
  await isSound(t, test, 'over')
  return undefined
})

for (const result of ['A', 'void']) {
  t.test(`in a group: money returns once all of it is over: ${result}`, async t => {
    const test = await TestExchange.open(t, { startingBalance: 10_000 })
    const group = await TestGroup.create(test, 4)
    const requests = group.group.markets.map(market => {
      return { market, startPrice: 250, step: 50, budget: 250 * 10_000 } as never
    })
    t.equal(await test.exchange.house.funding.fund(requests), undefined)
    await test.exchange.drain()
    await group.play('A: asha buy 10 @ 5', 'B: asha sell 10 @ 2', 'C: ben buy 10 @ 5', 'D: ben buy 3 @ 6')
    await group.close('D')
    await group.resolveOne('D', 'no')
    await test.exchange.drain()
    t.match(ownMoney(test), /maker:1000005/, 'the group may still be void')
    const { means, results } = shown(test, group.group.markets.at(-1)?.terms.code)
    t.equal(results.worst, means.cash - 250 * 10_000, 'what is paid is the result: nothing more can be sold')
    await group.close('ABC')
    await group.resolve(result)
    await group.finish()
    await test.exchange.drain()
    t.notMatch(ownMoney(test), /maker|house/)
    if (result === 'void') t.equal(ownMoney(test), 'external -20000')
    await isSound(t, test, result)
  })
}

t.test('funds after a start what a crash left between its creation and its funding', async t => {
  const house = { ofNew: amount(1000 * UNITS_PER_RUPEE) }
  const last = (of: TestExchange) => of.rows('SELECT sequence FROM journal').length
  const create: Readonly<Record<string, (test: TestExchange) => Promise<unknown>>> = {
    event: test => test.create(),
    exclusive: test => TestGroup.create(test, 3),
    independent: test => TestGroup.create(test, 3, { kind: 'independent' }),
  }
  for (const [kind, created] of Object.entries(create)) {
    const test = await TestExchange.open(t, { house })
    const before = last(test)
    const done = created(test)
    while (last(test) === before) await new Promise(setImmediate)
    const file = test.crashImage(join(t.testdirName, `${kind}.db`))
    const late = test.crashImage(join(t.testdirName, `${kind}-late.db`))
    await done
    await test.exchange.drain()
    const image = await TestExchange.open(t, { file, house })
    t.same(
      image
        .journalled()
        .map(({ type }) => type)
        .slice(0, 1),
      test
        .journalled()
        .map(({ type }) => type)
        .slice(0, 1),
    )
    await image.exchange.drain()
    t.equal(ownMoney(image), ownMoney(test), kind)
    await image.restart()
    await image.exchange.drain()
    t.equal(ownMoney(image), ownMoney(test), `${kind}: once`)
    const off = await TestExchange.open(t, { file: late })
    await off.exchange.drain()
    t.equal(ownMoney(off), '', `${kind}: not without the setting`)
  }
})
