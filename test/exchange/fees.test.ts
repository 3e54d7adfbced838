import t from 'tap'
import type { MarketTerms } from '../../src/core/market.js'
import type { Amount } from '../../src/core/units.js'
import { amountToRupees } from '../../src/core/units.js'
import { orderId } from '../../src/core/order-record.js'
import { openReadOnly } from '../../src/store/database.js'
import { auditMoney } from '../../src/store/audit/money-audit.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { EngineDesk } from '../fixtures/naive/engine-desk.js'
import { Operator } from '../fixtures/operator.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

const FEES = { taker: 100, maker: 50, categories: new Map([['cricket', { taker: 400 }]]) }

/** Asha buys 10 YES of ben at 6: as taker she pays 1 % of 6 × 4 ÷ 10 × 10, he half of it. */
async function traded(t: Parameters<typeof TestExchange.open>[0]) {
  const test = await TestExchange.open(t, { fees: FEES })
  await test.create()
  await test.playAll(['ben sell 10 @ 6', 'asha buy 10 @ 6'])
  return { test, operator: new Operator(test) }
}

const inEscrow = (test: TestExchange) =>
  amountToRupees(
    (test.rows<{ cash: number }>("SELECT cash FROM accounts WHERE owner GLOB 'escrow:*'")[0]?.cash ??
      0) as Amount,
  )

function isVerified(test: TestExchange): boolean {
  const database = openReadOnly(test.file)
  const isFine = auditMoney(database).rules.every(({ findings }) => findings.length === 0)
  database.close()
  return isFine && test.exchange.moneyIsAllThere()
}

t.test('fee', async t => {
  t.test('is taken from taker and maker, and stays with the event', async t => {
    const { test, operator } = await traded(t)
    t.equal(test.money('asha'), 'cash 939.76 held 0 available 939.76')
    t.equal(test.money('ben'), 'cash 959.88 held 0 available 959.88')
    await test.exchange.drain()
    t.equal(inEscrow(test), 100.36)
    t.equal(test.exchange.archive.feesCollected, 0)
    t.same(await operator.statement('asha'), ['opening 1000 = 1000', 'trade -60.24 = 939.76'])
    t.ok(isVerified(test))
  })

  t.test('is held with an order at its limit, and given back with it', async t => {
    const test = await TestExchange.open(t, { fees: FEES })
    await test.create()
    const order = await test.place('asha buy 10 @ 6')
    t.equal(test.money('asha'), 'cash 1000 held 60.12 available 939.88', 'a resting order pays as maker')
    await test.cancel(order)
    t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  })

  t.test('leaves no order that its owner cannot pay for', async t => {
    const test = await TestExchange.open(t, { fees: FEES })
    await test.create()
    t.equal(test.endOf(await test.place('asha buy 100 @ 9.9')), 'resting 0')
    t.equal(test.endOf(await test.place('ben buy 166.66 @ 6')), 'rejected 0 funds_insufficient')
    t.equal(test.endOf(await test.place('ben buy 165 @ 6')), 'resting 0')
  })

  t.test('goes to the account of fees when the event is settled, and not before', async t => {
    const { test, operator } = await traded(t)
    t.equal(await operator.settle('yes'), 'settled yes')
    await test.exchange.drain()
    t.equal(inEscrow(test), 0)
    t.equal(amountToRupees(test.exchange.archive.feesCollected), 0.36)
    t.equal(test.money('asha'), 'cash 1039.76 held 0 available 1039.76')
    t.ok(isVerified(test))
    await test.restart()
    t.ok(isVerified(test), 'also after a restart')
    t.equal(amountToRupees(test.exchange.archive.feesCollected), 0.36)
  })

  t.test('is refunded to the unit when the event is voided', async t => {
    const { test, operator } = await traded(t)
    await operator.settle('void')
    await test.exchange.drain()
    for (const user of ['asha', 'ben']) t.equal(test.money(user), 'cash 1000 held 0 available 1000')
    t.equal(inEscrow(test), 0)
    t.equal(test.exchange.archive.feesCollected, 0)
    t.ok(isVerified(test))
  })

  t.test('follows the rates of the order’s admission, whatever they are when it fills', async t => {
    const { test } = await traded(t)
    await test.place('ben sell 10 @ 7')
    const market = test.exchange.market(MARKET)
    if (market === undefined) return t.fail('the market exists')
    await test.exchange.editMarket(market, { terms: { feeMaker: 1000, feeTaker: 0 }, listing: {} })
    await test.playAll(['asha buy 10 @ 7'])
    t.equal(test.money('asha'), 'cash 869.76 held 0 available 869.76', 'the new rate: she pays nothing')
    t.equal(test.money('ben'), 'cash 929.775 held 0 available 929.775', 'the old one: 0.5 %')
    return t.ok(isVerified(test))
  })

  t.test('follows the admission also if the rates change before the order is decided', async t => {
    const desk = new EngineDesk()
    desk.create()
    for (const user of ['anna', 'bala']) desk.open(user, 1e6)
    desk.commit()
    const terms = { feeTaker: 1000, feeMaker: 1000 }
    desk.send({ type: 'EDIT_MARKET', id: 'edit', market: MARKET, terms, listing: {} })
    const order = { user: 'anna', side: 'yes', quantity: 100, price: 500 } as const
    desk.place({ ...order, fees: { taker: 100, maker: 50 } })
    desk.commit()
    t.same(desk.balance('anna'), { cash: 1e6, held: 50_000 + 125 })
    desk.place({ ...order, user: 'bala', side: 'no', fees: { taker: 100, maker: 50 } })
    desk.commit()
    t.same(desk.balance('bala'), { cash: 1e6 - 50_000 - 250, held: 0 })
  })

  t.test('has the rates in force then if an amendment replaces an order', async t => {
    const { test } = await traded(t)
    const order = await test.place('asha buy 10 @ 5')
    const market = test.exchange.market(MARKET)
    if (market === undefined) return t.fail('the market exists')
    await test.exchange.editMarket(market, { terms: { feeMaker: 1000 }, listing: {} })
    const smaller = await test.exchange.amendOrder(orderId(order), { quantity: 5 })
    t.match(smaller, { feeMaker: 50 }, 'one that keeps its place keeps its rates')
    t.equal(
      test
        .money('asha')
        .replace(/.* held/, 'held')
        .replace(/ available.*/, ''),
      'held 25.0625',
    )
    const replaced = await test.exchange.amendOrder(orderId(order), { price: 4 })
    t.match(replaced, { feeMaker: 1000 })
    await test.exchange.drain()
    t.equal(
      test
        .money('asha')
        .replace(/.* held/, 'held')
        .replace(/ available.*/, ''),
      'held 21.2',
    )
    return t.ok(isVerified(test))
  })

  t.test('is that of the event, else of its category, else of the exchange', async t => {
    const test = await TestExchange.open(t, { fees: FEES })
    const rates = async (terms: Partial<MarketTerms>, category?: string) => {
      const market = await test.create(category === undefined ? {} : { category })
      await test.exchange.editMarket(market, { terms, listing: {} })
      return market.rates
    }
    t.same(await rates({}), { taker: 100, maker: 50 })
    t.same(await rates({}, 'Cricket'), { taker: 400, maker: 50 })
    t.same(await rates({ feeTaker: 0 }, 'Cricket'), { taker: 0, maker: 50 })
    t.same(await rates({ feeTaker: null, feeMaker: 7 }, 'Cricket'), { taker: 400, maker: 7 })
  })

  t.test('survives a restart with partly filled orders', async t => {
    const { test } = await traded(t)
    await test.playAll(['ben sell 3.33 @ 6.1', 'asha buy 1.11 @ 6.1'])
    const before = [test.money('asha'), test.money('ben'), await test.exchange.stateHashes()]
    await test.restart()
    t.same([test.money('asha'), test.money('ben'), await test.exchange.stateHashes()], before)
    await test.playAll(['asha buy 2.22 @ 6.1'])
    t.equal(
      test
        .money('ben')
        .replace(/.* held/, 'held')
        .replace(/ available.*/, ''),
      'held 0',
    )
    t.ok(isVerified(test))
    await test.close()
    const report = verifyFile(test.file)
    t.ok(report.ok, JSON.stringify(report.checks.filter(({ result }) => result === 'broken')))
  })

  t.test('is listed by day and event', async t => {
    const { test } = await traded(t)
    const rows = await test.exchange.archive.feeDays({ from: undefined, to: undefined }, undefined, 10)
    t.same(rows, [{ day: Math.floor(test.now / 86_400_000), market: MARKET, fees: 3600 }])
  })
})

t.test('without rates, the journal has nothing of fees', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['ben sell 10 @ 6', 'asha buy 4 @ 6', 'asha buy 4 market'])
  t.notMatch(JSON.stringify(test.journal()), /fee|costMax/i)
})
