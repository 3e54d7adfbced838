import t from 'tap'
import type { PriceTicks, QuantityLots, TimeMs } from '../../src/core/units.js'
import { lots, ticks } from '../../src/core/units.js'
import { DayTrail, TRAIL_STEP_MS } from '../../src/exchange/markets/day-trail.js'
import { Dice } from '../fixtures/dice.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const STEPS = 48
const DAY = 24 * HOUR
const at = (ms: number) => (START + ms) as TimeMs
const stepOf = (time: number) => Math.floor(time / TRAIL_STEP_MS)

interface Trade {
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly at: TimeMs
}

/** Computes from all trades what a trail must say. */
function naive(trades: readonly Trade[], now: TimeMs) {
  const first = stepOf(now) - STEPS + 1
  const inside = trades.filter(trade => stepOf(trade.at) >= first)
  const before = trades.filter(trade => stepOf(trade.at) < first).at(-1)?.price
  const prices = [before ?? inside[0]?.price].filter(price => price !== undefined)
  let price = before
  for (let step = first; inside.length > 0 && step <= stepOf(now); step++) {
    price = inside.filter(trade => stepOf(trade.at) === step).at(-1)?.price ?? price
    if (price !== undefined) prices.push(price)
  }
  return { volume: inside.reduce((sum, { quantity }) => sum + quantity, 0), prices }
}

t.test('shows the last 24 hours as all trades would, however they fall', async t => {
  const dice = Dice.fromEnvironment(t)
  for (let round = 0; round < 30; round++) {
    const trail = new DayTrail(undefined)
    const trades: Trade[] = []
    let now = at(0)
    for (let step = 0; step < 60; step++) {
      now = (now + dice.between(0, dice.percent(10) ? 30 * HOUR : 2 * HOUR)) as TimeMs
      if (dice.percent(60)) {
        const trade = { price: ticks(dice.between(10, 990)), quantity: lots(dice.between(1, 900)), at: now }
        trades.push(trade)
        trail.add(trade.price, trade.quantity, trade.at)
      }
      const { volume, prices } = naive(trades, now)
      if (trail.volume(now) !== volume || trail.prices(now).join() !== prices.join()) {
        t.fail(`round ${round}, step ${step}`, { got: trail.prices(now), prices, volume })
        return
      }
    }
  }
})

t.test('has no change before the first trade, and no more prices than half hours', async t => {
  const trail = new DayTrail(undefined)
  t.equal(trail.change(at(0)), undefined)
  t.same(trail.prices(at(0)), [])
  trail.add(ticks(400), lots(100), at(0))
  t.equal(trail.change(at(0)), 0)
  for (let hour = 1; hour < 60; hour++) trail.add(ticks(400 + hour), lots(100), at(hour * HOUR))
  t.equal(trail.prices(at(59 * HOUR)).length, STEPS + 1)
  t.equal(trail.change(at(59 * HOUR)), 24)
})

t.test('forgets trades older than a day, but not the price', async t => {
  const trail = new DayTrail(undefined)
  trail.add(ticks(400), lots(100), at(0))
  trail.add(ticks(600), lots(100), at(HOUR))
  t.equal(trail.change(at(2 * HOUR)), 200)
  t.equal(trail.volume(at(DAY + 2 * HOUR)), 0)
  t.same(trail.prices(at(DAY + 2 * HOUR)), [600])
  trail.add(ticks(500), lots(7), at(9 * DAY))
  t.equal(trail.change(at(9 * DAY)), -100)
})

t.test('is not disturbed by a clock that is set back', async t => {
  const trail = new DayTrail(undefined)
  trail.add(ticks(400), lots(100), at(DAY))
  trail.add(ticks(500), lots(100), at(0))
  t.equal(trail.volume(at(0)), 200)
  t.equal(trail.prices(at(0)).at(-1), 500)
})

t.test('a restarted exchange shows the same last 24 hours, with the trades since', async t => {
  const test = await TestExchange.open(t)
  const { terms } = await test.create({ endAt: START + 9 * DAY })
  const market = () => test.exchange.marketWritten(String(terms.code))
  const figures = () => {
    const day = market()?.day
    const now = test.now as TimeMs
    return { change: day?.change(now), volume: day?.volume(now), prices: day?.prices(now) }
  }
  const trade = async (price: number) => {
    await test.playAll([`asha buy 2 @ ${price}`, `ben sell 2 @ ${price}`])
  }
  await trade(3)
  test.now += 20 * HOUR
  await trade(4)
  test.now += 5 * HOUR
  await trade(6)
  await test.exchange.drain()
  const before = figures()
  t.match(before, { change: 300, volume: 400 })
  test.now += 60_000
  await test.restart()
  while (market()?.day.volume(test.now as TimeMs) !== before.volume) await new Promise(setImmediate)
  t.same(figures(), before)
  await trade(5)
  await test.exchange.drain()
  t.match(figures(), { change: 200, volume: 600 })
})

t.test('an exchange that closes at once does not wait for the trades of all markets', async t => {
  const test = await TestExchange.open(t)
  for (let count = 0; count < 20; count++) {
    const { terms } = await test.create()
    await test.place('asha buy 1 @ 5', terms.code)
    await test.place('ben sell 1 @ 5', terms.code)
  }
  await test.restart()
  await test.close()
  t.same(test.failures, [])
})
