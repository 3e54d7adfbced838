import t from 'tap'
import { freePlace } from '../../src/web/trade/chart/free-place.js'
import type { Candle, Fill, Trade } from '../../src/client/shapes.js'
import { percentSplits, timeSplits } from '../../src/web/trade/chart/axis-splits.js'
import { chartContent } from '../../src/web/trade/chart/chart-content.js'
import { CHART_RANGES } from '../../src/web/trade/chart/chart-range.js'
import { ChartSeries } from '../../src/web/trade/chart/chart-series.js'
import { firstRange, windowOf } from '../../src/web/trade/chart/chart-window.js'
import { ownMarks } from '../../src/web/trade/chart/own-marks.js'
import { readoutTexts } from '../../src/web/trade/chart/readout-texts.js'
import { axisTimeTexts, tradeTimeText } from '../../src/web/trade/chart/when-texts.js'
import { pacedTask } from '../../src/web/trade/market/paced-task.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-11-21T12:00:30Z')
const NOON = { clockMs: NOW, chance: undefined }
const TEXTS = { closed: 'closed', result: { yes: 'YES', no: 'NO', void: 'void' } }

const iso = (ms: number) => new Date(ms).toISOString()
const minutesAgo = (count: number) => Math.floor(NOW / MINUTE) * MINUTE - count * MINUTE

const market = (fields: object = {}) => ({
  status: 'open' as const,
  createdAt: iso(NOW - 10 * MINUTE),
  end_date: iso(NOW + HOUR),
  resolvedAt: null,
  outcome: null,
  payout: 10,
  ...fields,
})

const candle = (at: number, close: number, volume: number): Candle => ({
  ts: iso(at),
  open: close,
  high: close,
  low: close,
  close,
  volume,
  trades: volume > 0 ? 1 : 0,
})

const trade = (number: number, at: number, price: number, qty: number): Trade => ({
  tradeId: `1000001-${number}`,
  event_id: '1000001',
  price,
  qty,
  taker_side: 'yes',
  ts: iso(at),
})

t.test('each range of a market without trades shows its own span up to now', async t => {
  const hours = { '1H': 1, '6H': 6, '1D': 24, '1W': 168, '1M': 720, ALL: 1.04 / 6 }
  for (const range of [...(Object.keys(CHART_RANGES) as (keyof typeof CHART_RANGES)[]), 'ALL'] as const) {
    const content = chartContent(new ChartSeries([], MINUTE, []), market(), range, NOON, TEXTS)
    t.equal(content.window.to, NOW, range)
    const span = (content.window.to - content.window.from) / HOUR
    t.ok(Math.abs(span - hours[range]) < 1e-6, `${range}: ${span} h`)
    t.same([content.points, content.marks], [[], []], 'and nothing in it')
  }
})

t.test(
  'trades that were missed between two reads are noticed, and not drawn as if there were none',
  async t => {
    const series = new ChartSeries([candle(minutesAgo(0), 6, 10)], MINUTE, [trade(7, NOW, 6, 10)])
    t.equal(series.add([trade(9, NOW, 6.2, 1), trade(8, NOW, 6.1, 1)]), true)
    t.equal(series.add([trade(61, NOW, 9, 1), trade(12, NOW, 8, 1)]), false, '10 and 11 are missing')
    t.equal(series.points({ from: 0, to: NOW }, NOW)[0]?.volume, 12, 'the candles have to come again')
    t.equal(ChartSeries.ofTrades([]).add([trade(1, NOW, 6, 1)]), true)
  },
)

t.test('a single trade is a point and a line to now', async t => {
  const candles = [
    candle(minutesAgo(3), 6.2, 10),
    candle(minutesAgo(2), 6.2, 0),
    candle(minutesAgo(1), 6.2, 0),
  ]
  const { points, window } = chartContent(new ChartSeries(candles, MINUTE, []), market(), 'ALL', NOON, TEXTS)
  t.match(points[0], { at: minutesAgo(3), price: 6.2, volume: 10 })
  t.match(points.at(-1), { at: NOW, price: 6.2, volume: undefined })
  t.ok((points[0]?.at ?? 0) > window.from, 'the point stands inside the axis')
})

t.test('all of an old market begins with its first trade, not with its creation', async t => {
  const old = market({ createdAt: iso(NOW - 1000 * HOUR) })
  const { from } = windowOf('ALL', old, NOW - 100 * HOUR, NOW)
  t.equal((NOW - from) / HOUR, 104)
})

t.test('trades of one second stand apart in the first chart of a market', async t => {
  const { from, to } = windowOf('ALL', market(), NOW - 1000, NOW)
  t.ok(1000 / (to - from) > 0.09, 'a second is a tenth of the axis')
})

t.test('new and finished markets open with all of their course, long ones with the last day', async t => {
  const long = { createdAt: iso(NOW - 100 * HOUR) }
  t.equal(firstRange(market(), NOW), 'ALL')
  t.equal(firstRange(market(long), NOW), '1D')
  t.equal(firstRange(market({ ...long, status: 'settled' }), NOW), 'ALL')
})

t.test('the course goes on with each trade, and counts none twice', async t => {
  const known = [trade(2, NOW - 5000, 6, 5), trade(1, NOW - 9000, 6, 5)]
  const series = new ChartSeries([candle(minutesAgo(0), 6, 10)], MINUTE, known)
  series.add(known)
  t.match(series.points(windowOf('1H', market(), undefined, NOW), NOW)[0], { price: 6, volume: 10 })
  series.add([trade(4, NOW, 7, 3), trade(3, NOW - 100, 6.5, 2), ...known])
  series.add([trade(4, NOW, 7, 3), trade(3, NOW - 100, 6.5, 2), ...known])
  t.match(series.points(windowOf('1H', market(), undefined, NOW), NOW)[0], { price: 7, volume: 15 })
  series.add([trade(5, NOW + MINUTE, 7.5, 1)])
  t.match(series.latest, minutesAgo(-1))
})

t.test('trades that arrive after the candles are only counted from then on', async t => {
  const series = new ChartSeries([candle(minutesAgo(0), 6, 10)], MINUTE, undefined)
  series.add([trade(2, NOW - 5000, 6, 5), trade(1, NOW - 9000, 6, 5)])
  t.match(series.points(windowOf('1H', market(), undefined, NOW), NOW)[0], { volume: 10 })
})

t.test('the first trade of a new market begins its line', async t => {
  const series = new ChartSeries([], MINUTE, [])
  series.add([trade(1, NOW - 1000, 4, 2)])
  const { points } = chartContent(series, market(), '1D', NOON, TEXTS)
  t.match(points, [
    { at: minutesAgo(0), price: 4, volume: 2 },
    { at: NOW, price: 4 },
  ])
})

t.test('each trade of a young market is drawn', async t => {
  const at = Math.floor(NOW / 1000) * 1000 - 90_000
  const series = ChartSeries.ofTrades([
    trade(3, at + 60_000, 7, 1),
    trade(2, at + 10, 6, 5),
    trade(1, at, 5, 5),
  ])
  t.same(
    series
      .points(windowOf('ALL', market(), series.firstTrade, NOW), NOW)
      .map(({ price, volume }) => [price, volume]),
    [
      [5, 5],
      [6, 5],
      [7, 1],
      [7, undefined],
    ],
  )
})

t.test('a browser whose clock is behind still shows the latest candle', async t => {
  const series = new ChartSeries([candle(minutesAgo(0), 6, 10)], MINUTE, [])
  const { points, window } = chartContent(series, market(), '1H', { ...NOON, clockMs: NOW - HOUR }, TEXTS)
  t.equal(window.to, minutesAgo(0))
  t.equal(points.length, 1)
})

t.test('a resolved market marks the end of trading and jumps to what was paid', async t => {
  const candles = [candle(minutesAgo(40), 6, 10), candle(minutesAgo(20), 6, 0)]
  const over = { status: 'settled', end_date: iso(minutesAgo(20)), resolvedAt: iso(minutesAgo(19)) }
  const marksAt = (resolvedAt: number) =>
    chartContent(
      new ChartSeries(candles, MINUTE, []),
      market({ ...over, resolvedAt: iso(resolvedAt), outcome: 'yes' }),
      'ALL',
      NOON,
      TEXTS,
    ).marks.map(({ text }) => text)
  t.same(marksAt(minutesAgo(20) + 1000), ['YES'], 'what would be one line is marked once')
  for (const [outcome, paid] of [
    ['yes', 10],
    ['no', 0],
  ] as const) {
    const content = chartContent(
      new ChartSeries(candles, MINUTE, []),
      market({ ...over, outcome }),
      'ALL',
      NOON,
      TEXTS,
    )
    t.match(content.points.at(-1), { at: minutesAgo(19), price: paid, label: TEXTS.result[outcome] })
    t.same(
      content.marks.map(({ at, text }) => [at, text]),
      [
        [minutesAgo(20), 'closed'],
        [minutesAgo(19), TEXTS.result[outcome]],
      ],
    )
    t.ok(content.window.to < NOW, 'and does not go on to now')
  }
})

t.test('a void market pays nothing, and its line does not jump', async t => {
  const void_ = market({ status: 'voided', outcome: 'void', resolvedAt: iso(minutesAgo(5)) })
  const series = new ChartSeries([candle(minutesAgo(40), 6, 10)], MINUTE, [])
  const { points, marks } = chartContent(series, void_, 'ALL', NOON, TEXTS)
  t.same(
    points.map(({ price }) => price),
    [6, 6],
  )
  t.equal(marks.at(-1)?.text, 'void')
})

t.test('a result that came long after the close stays at the edge of the chart', async t => {
  const late = market({
    status: 'settled',
    outcome: 'yes',
    end_date: iso(NOW - 90 * HOUR),
    resolvedAt: iso(NOW),
  })
  const series = new ChartSeries([candle(NOW - 91 * HOUR, 6, 10)], MINUTE, [])
  const { points, window } = chartContent(series, late, '1H', NOON, TEXTS)
  t.equal(points.at(-1)?.at, window.to)
  t.ok(window.to < NOW - 89 * HOUR)
})

t.test('the cursor reads out time, price and volume, for YES and for NO', async t => {
  const read = (reading: object) =>
    readoutTexts(
      {
        ...{ market: market(), outcome: 'yes', unit: 'chance', chance: undefined },
        ...{ point: undefined, lastTrade: undefined },
        ...reading,
      },
      NOW,
    )
  const point = { at: NOW - HOUR, price: 6.2, volume: 30 }
  t.same(read({ point }), ['YES 62%', '21 Nov, 16:30 · 30 traded'])
  t.same(read({ point, outcome: 'no' }), ['NO 38%', '21 Nov, 16:30 · 30 traded'])
  t.same(read({ point: { ...point, volume: 0 } })[1], '21 Nov, 16:30 · no trades')
  t.same(read({ point: { ...point, volume: undefined, label: 'Resolved: YES' } })[0], 'Resolved: YES')
  t.same(read({}), ['YES –', ''], 'nothing is known before the first trade')
  t.same(read({ point, unit: 'rupees' })[0], 'YES ₹6.20')
  const lastTrade = trade(1, NOW, 6, 1)
  t.same(read({ lastTrade, chance: 0.62 }), ['YES 62%', 'Last trade 17:30:30'], 'the chance beside it')
  t.same(read({ lastTrade, chance: 0.62, outcome: 'no' })[0], 'NO 38%')
})

t.test('the line ends at the chance that the page shows, not at an older trade', async t => {
  const series = new ChartSeries([candle(minutesAgo(3), 6, 10)], MINUTE, [])
  const ended = chartContent(series, market(), '1H', { clockMs: NOW, chance: 0.7 }, TEXTS).points
  t.same(
    ended.map(({ price }) => price),
    [6, 7],
  )
  const over = market({ status: 'closed', end_date: iso(minutesAgo(1)) })
  const closed = chartContent(series, over, '1H', { clockMs: NOW, chance: 0.7 }, TEXTS).points
  t.equal(closed.at(-1)?.price, 6, 'a book that no longer trades says nothing')
})

t.test('the first trades of a market are dots of their own, without empty minutes before them', async t => {
  const trades = [trade(3, NOW - 200, 6.4, 1), trade(2, NOW - 700, 6.2, 1), trade(1, NOW - 900, 6, 1)]
  const { window, points } = chartContent(ChartSeries.ofTrades(trades), market(), 'ALL', NOON, TEXTS)
  t.same(
    points.map(({ at, price }) => [at - NOW, price]),
    [
      [-900, 6],
      [-700, 6.2],
      [-200, 6.4],
      [0, 6.4],
    ],
  )
  t.ok(window.to - window.from <= 63_000, 'a minute and its margin')
})

t.test('a user’s trades and average are marks on the axis of YES', async t => {
  const fill = { outcome: 'no', side: 'no', price: 3.8, ts_ms: NOW } as Fill
  const sale = { outcome: 'yes', side: 'no', price: 6.5, ts_ms: NOW } as Fill
  t.same(ownMarks([fill, sale], { yes: 0, no: 5, average_price: 3.8 }, 10), {
    fills: [
      { at: NOW, price: 6.2, side: 'no' },
      { at: NOW, price: 6.5, side: 'no' },
    ],
    average: 6.2,
  })
  t.equal(ownMarks([], { yes: 5, no: 0, average_price: 6 }, 10).average, 6)
  t.equal(
    ownMarks([], { yes: 5, no: 5, average_price: 6 }, 10).average,
    undefined,
    'of both it is of neither',
  )
  t.equal(ownMarks([], undefined, 10).average, undefined)
})

t.test('trades of another day show their date, those of another year also that', async t => {
  t.equal(tradeTimeText('2026-11-21T11:19:08Z', NOW), '16:49:08')
  t.equal(tradeTimeText('2026-11-20T11:19:08Z', NOW), '20 Nov, 16:49')
  t.equal(tradeTimeText('2026-11-20T19:00:00Z', NOW), '00:30:00', 'the day is India’s')
  t.equal(tradeTimeText('2025-11-20T11:19:08Z', NOW), '20 Nov 25, 16:49')
})

t.test('a task runs soon after the first request, and then once per gap', async t => {
  const timers: { run: () => void; ms: number }[] = []
  let runs = 0
  const task = pacedTask(
    async () => {
      runs++
    },
    { soonMs: 1, gapMs: 9 },
    (run, ms) => {
      const timer = { run, ms }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
  )
  const pass = async () => {
    timers.shift()?.run()
    await new Promise(resolve => setImmediate(resolve))
  }
  for (let count = 0; count < 100; count++) task.ask()
  t.same([runs, timers.map(({ ms }) => ms)], [0, [1]], 'a hundred requests are one timer')
  await pass()
  t.same([runs, timers.map(({ ms }) => ms)], [1, [9]])
  task.ask()
  task.ask()
  t.equal(runs, 1, 'nothing runs within the gap')
  await pass()
  t.equal(runs, 2)
  await pass()
  t.same([runs, timers], [2, []], 'and nothing goes on by itself')
  task.ask()
  task.stop()
  t.same(timers, [], 'a stopped task leaves no timer')
})

t.test('an axis of hours says which day they are of, at its first label and at each new day', t => {
  // 21:30 and 23:30 in India, then 01:30 and 03:30 of the next day.
  const start = Date.parse('2026-11-21T16:00:00Z') / 1000
  const splits = [0, 2, 4, 6].map(hours => start + hours * 3600)
  t.same(axisTimeTexts(splits, 7200), ['21:30\n21 Nov', '23:30', '01:30\n22 Nov', '03:30'])
  t.same(axisTimeTexts([start, start + 86_400], 86_400), ['21 Nov', '22 Nov'])
  t.end()
})

t.test('an axis of time has labels at whole steps from midnight, as many as there is room for', t => {
  const from = Date.parse('2026-11-21T16:10:00Z')
  const at = (hours: number, width: number, zone = 'Asia/Kolkata') => {
    const { step, at } = timeSplits(from, from + hours * HOUR, width, zone)
    return [step / HOUR, at.map(ms => iso(ms).slice(8, 16))]
  }
  // 21:40 in India; midnight is 18:30 UTC.
  t.same(at(12, 400), [3, ['21T18:30', '21T21:30', '22T00:30', '22T03:30']])
  t.same(at(1, 300), [0.5, ['21T16:30', '21T17:00']])
  t.same(at(72, 300), [24, ['21T18:30', '22T18:30', '23T18:30']])
  // A night of 25 hours: the steps begin again at its midnight, without one just before.
  const night = Date.parse('2026-10-24T20:00:00Z')
  const { at: moments } = timeSplits(night, night + 28 * HOUR, 450, 'Europe/Berlin')
  t.same(
    moments.map(ms => iso(ms).slice(8, 16)),
    ['24T22:00', '25T04:00', '25T10:00', '25T16:00', '25T23:00'],
  )
  for (const [span, width] of [
    [60_000, 20],
    [4 * 365 * 24 * HOUR, 300],
    [24 * HOUR, 1],
  ] as const) {
    t.ok(timeSplits(from, from + span, width).at.length <= 20, `bounded: ${span} ms on ${width} px`)
  }
  t.end()
})

t.test('an axis of chances has round steps', t => {
  t.same(percentSplits(0, 100, 188), { step: 20, at: [0, 20, 40, 60, 80, 100] })
  t.same(percentSplits(21.25, 45, 188), { step: 5, at: [25, 30, 35, 40, 45] })
  t.same(percentSplits(-2.5, 10, 188).at, [0, 5, 10])
  t.end()
})

t.test('the label of a line is where it covers no part of the course', async t => {
  const label = { level: 50, width: 40, height: 14, left: 0, right: 200 }
  const at = (...course: readonly (readonly [x: number, y: number])[]) =>
    freePlace(
      course.map(([x, y]) => ({ x, y })),
      label,
    )
  t.same(at(), { x: 0, bottom: 48 }, 'above the line, at the left')
  t.same(at([0, 10], [200, 10]), { x: 0, bottom: 48 }, 'a course far above it is not in its way')
  const { x, bottom } = at([0, 40], [100, 10], [200, 10])
  t.ok(x > 100 && bottom === 48, 'behind a step at its height')
  t.same(
    at([0, 40], [200, 40]),
    { x: 0, bottom: 66 },
    'below, where the course is above the line all the way',
  )
  t.same(at([0, 10], [30, 90], [200, 90]).x > 30, true, 'nor does a step through it cross the label')
  t.same(at([0, 40], [100, 60], [200, 60]).bottom, 48, 'from a step above to one below')
  t.same(
    at([0, 40], [10, 60], [20, 40], [30, 60], [40, 40], [200, 60]).x,
    48,
    'between steps that come and go',
  )
})
