import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { FairPrice } from '../../src/demo/fair-price.js'
import { Chance } from '../../src/demo/seeded-random.js'

const HOUR_MS = 3_600_000
const at = (hours: number) => (1_800_000_000_000 + hours * HOUR_MS) as TimeMs

t.test('the fair price reverts to its level and never reaches 0 or 1', async t => {
  for (const level of [0.25, 0.5, 0.8]) {
    const chance = new Chance(11)
    const model = { level, volatility: 0.45, startAt: at(0), endAt: at(100_000) }
    const fairPrice = new FairPrice(model, 0.5, at(0))
    let sum = 0
    for (let hour = 1; hour <= 5000; hour++) {
      const share = fairPrice.walkTo(at(hour), chance)
      if (share < 0.05 || share > 0.95) t.fail(`after ${hour} hours it is at ${share}`)
      sum += share
    }
    t.ok(Math.abs(sum / 5000 - level) < 0.08, `mean ${sum / 5000} at level ${level}`)
  }
})

t.test('moves towards 0 or 1 as the end approaches', async t => {
  let decided = 0
  for (let seed = 1; seed <= 100; seed++) {
    const chance = new Chance(seed)
    const fairPrice = new FairPrice(
      { level: 0.5, volatility: 0.3, startAt: at(0), endAt: at(200) },
      0.5,
      at(0),
    )
    for (let hour = 1; hour < 200; hour++) fairPrice.walkTo(at(hour), chance)
    const share = fairPrice.walkTo(at(200), chance)
    if (share < 0.3 || share > 0.7) decided++
  }
  t.ok(decided > 80, `${decided} of 100`)
})

t.test('a clock that stands still or runs backwards changes nothing', async t => {
  const fairPrice = new FairPrice({ level: 0.5, volatility: 1, startAt: at(0), endAt: at(99) }, 0.3, at(5))
  const chance = new Chance(1)
  const before = fairPrice.walkTo(at(5), chance)
  t.ok(Math.abs(before - 0.3) < 1e-9)
  t.equal(fairPrice.walkTo(at(4), chance), before)
})
