import t from 'tap'
import { LATENCY_BUCKETS_MS, OrderMeter } from '../../src/exchange/operations/order-meter.js'
import { Dice } from '../fixtures/dice.js'

t.test('rates cover the last whole second and the last minute', async t => {
  const meter = new OrderMeter(0)
  t.same(meter.read(0).perSecond, { second: 0, minute: 0 })
  for (let second = 0; second < 200; second++) {
    for (let order = 0; order < second; order++) meter.note(second * 1000, second * 1000 + 500)
  }
  t.equal(meter.read(200_000).perSecond.second, 199)
  t.equal(meter.read(200_000).perSecond.minute, (140 + 199) / 2)
  t.equal(meter.read(201_000).perSecond.second, 0, 'a second without orders')
  t.equal(meter.read(230_000).perSecond.minute, ((170 + 199) / 2) * (30 / 60))
  t.same([meter.read(400_000).perSecond.minute, meter.read(400_000).p50Ms], [0, undefined], 'all is long ago')
  t.equal(meter.read(400_000).total, (199 * 200) / 2, 'but it is counted')

  const young = new OrderMeter(1000)
  young.note(1000, 1100)
  t.equal(young.read(3000).perSecond.minute, 0.5, 'the rate covers the two seconds since the start')
})

t.test('quantiles are accurate to an eighth, and never too low', async t => {
  const dice = Dice.fromEnvironment(t)
  for (const spread of [10, 1000, 100_000, 100_000_000]) {
    const meter = new OrderMeter(0)
    const took = Array.from({ length: 1000 }, () => dice.between(1, spread) / 1000)
    for (const ms of took) meter.note(1_000_000, 1_000_000 + ms)
    took.sort((a, b) => a - b)
    // Those that took longer have been answered in later seconds.
    const { p50Ms = 0, p99Ms = 0, total, sumMs, atMost } = meter.read(1_000_000 + (took.at(-1) ?? 0))
    t.equal(total, 1000)
    t.ok(Math.abs(sumMs - took.reduce((sum, ms) => sum + ms, 0)) < 0.1)
    for (const [index, end] of LATENCY_BUCKETS_MS.entries()) {
      const near = took.filter(ms => Math.abs(ms - end) < 1e-6).length
      const wanted = took.filter(ms => ms <= end).length
      t.ok(Math.abs((atMost[index] ?? -1) - wanted) <= near, `${wanted} took at most ${end} ms`)
    }
    if (spread > 10_000_000) continue
    const isRight = (found: number, real = 0) => found >= real * 0.999 && found <= real * 1.126 + 0.0011
    t.ok(isRight(p50Ms, took[499]), `p50 ${p50Ms} of ${took[499]}`)
    t.ok(isRight(p99Ms, took[989]), `p99 ${p99Ms} of ${took[989]}`)
  }
})

t.test('accepts any duration', async t => {
  const meter = new OrderMeter(0)
  meter.note(10, 5)
  meter.note(0, 1e12)
  const { total, atMost, p99Ms } = meter.read(1e12)
  t.equal(total, 2)
  t.equal(atMost.at(-1), 2)
  t.equal(atMost[0], 1, 'a negative duration counts as zero')
  t.ok((p99Ms ?? 0) > 100_000)
})
