import t from 'tap'
import { curveOf } from '../../src/web/trade/portfolio/curve-path.js'
import { exactSum } from '../../src/web/kit/exact-sum.js'
import { sorted, sortingAfter } from '../../src/web/kit/sorting.js'
import { hasWords, queryOf, viewIn } from '../../src/web/trade/portfolio/lists/list-view.js'
import { beginOfPeriod } from '../../src/web/trade/portfolio/lists/period.js'
import { grouped } from '../../src/web/trade/portfolio/lists/row-groups.js'
import type { CsvCell } from '../../src/api/csv-file.js'
import { csvFile } from '../../src/api/csv-file.js'
import { dealsOf } from '../../src/web/trade/portfolio/own-deals.js'
import { gainsOf, worthNow, worthOf } from '../../src/web/trade/portfolio/performance.js'
import { exactTexts } from '../../src/web/trade/portfolio/statement/exact-texts.js'
import { rangeOf, statementOf, yearsUntil } from '../../src/web/trade/portfolio/statement/statement.js'
import { beginningOf } from '../../src/web/trade/portfolio/worth-range.js'
import { beginOf, daysBefore, financialYearOf, sheetTime } from '../../src/web/kit/zone-days.js'

const INDIA = 'Asia/Kolkata'
const fill = (text: string, qty: number, price: number, amount: number) => {
  const [side, outcome] = text.split(' ') as ['yes' | 'no', 'yes' | 'no']
  return { side, outcome, qty, price, amount }
}

t.test('a history says what its user did, in the words of the order', async t => {
  const bought = { deal: 'buy', outcome: 'no', quantity: 30, price: 7.8 } as const
  t.same(dealsOf(fill('no no', 30, 7.8, -234), 10), [bought])
  t.same(dealsOf(fill('no yes', 30, 2.2, -234), 10), [bought], 'who had no YES to sell has bought NO')
  t.same(dealsOf(fill('no yes', 30, 2.2, 66), 10), [
    { deal: 'sell', outcome: 'yes', quantity: 30, price: 2.2 },
  ])
  t.same(dealsOf(fill('no no', 30, 7.8, 66), 10), [bought], 'also where it sold YES: the order named NO')
  t.same(dealsOf(fill('yes no', 5, 4, 20), 10), [{ deal: 'sell', outcome: 'no', quantity: 5, price: 4 }])
  t.same(
    dealsOf(fill('no yes', 30, 2.2, 22 - 20 * 7.8), 10),
    [
      { deal: 'sell', outcome: 'yes', quantity: 10, price: 2.2 },
      { deal: 'buy', outcome: 'no', quantity: 20, price: 7.8 },
    ],
    'one fill may do both',
  )
  t.same(
    dealsOf(fill('no yes', 0.03, 12.35, -0.3795), 25),
    [{ deal: 'buy', outcome: 'no', quantity: 0.03, price: 12.65 }],
    'exact down to a hundredth of a contract, at other payouts',
  )
  t.same(
    dealsOf(fill('no yes', 30, 2.2, -234), undefined),
    [{ deal: 'sell', outcome: 'yes', quantity: 30, price: 2.2 }],
    'without the payout nothing is guessed',
  )
})

t.test('a file opens as it is meant, and nothing in it is a formula', async t => {
  const columns = ['Market', 'P&L (₹)', '=Note'].map(
    (head, at) => [head, (row: readonly CsvCell[]) => row[at] ?? null] as const,
  )
  const text = csvFile(columns, [
    ['Will “X” win, today?', -12.5, null],
    ['=HYPERLINK("http://x")', 1_000_000, '+1'],
    [' @sum', 0.0001, '-2'],
    ['line\nbreak', 3, '\tx'],
    ['\r=1', 0, ''],
  ])
  t.equal(text.charCodeAt(0), 0xfeff, 'Excel needs the mark to see that it is UTF-8')
  const lines = text.slice(1).split('\r\n')
  t.same(lines, [
    `Market,P&L (₹),'=Note`,
    '"Will “X” win, today?",-12.5,',
    `"'=HYPERLINK(""http://x"")",1000000,'+1`,
    `' @sum,0.0001,'-2`,
    `"line\nbreak",3,'\tx`,
    `"'\r=1",0,""`,
    '',
  ])
})

t.test('days begin at midnight of the instance, and financial years on 1 April', async t => {
  const at = Date.parse('2026-03-31T18:29:59.999Z')
  t.equal(financialYearOf(at, INDIA), 2025)
  t.equal(financialYearOf(at + 1, INDIA), 2026, 'it is 1 April in India half a minute before it is in London')
  t.equal(
    new Date(beginOf({ year: 2026, month: 4, day: 1 }, INDIA)).toISOString(),
    '2026-03-31T18:30:00.000Z',
  )
  t.equal(sheetTime('2026-11-22T11:19:08.000Z', INDIA), '2026-11-22 16:49:08')
  const zone = 'America/New_York'
  const afterChange = Date.parse('2026-03-09T12:00:00Z')
  t.equal(new Date(daysBefore(afterChange, 1, zone)).toISOString(), '2026-03-08T05:00:00.000Z')
  t.equal(new Date(daysBefore(afterChange, 0, zone)).toISOString(), '2026-03-09T04:00:00.000Z')
})

t.test('a list keeps its view in its address, and takes nothing odd from there', async t => {
  const view = viewIn('?list=settlements&period=week&q=rain+today&sort=-gain&group=market')
  t.match(view, {
    period: 'week',
    words: 'rain today',
    isGrouped: true,
    sorting: { by: 'gain', isDescending: true },
  })
  t.equal(
    queryOf(view, '?list=settlements&old=1'),
    '?list=settlements&period=week&q=rain+today&group=market&sort=-gain',
  )
  t.match(viewIn('?period=century&group=x'), { period: 'all', isGrouped: false, words: '', kind: '' })
  t.equal(queryOf(viewIn(''), ''), '')
  const now = Date.parse('2026-11-22T10:00:00Z')
  t.equal(beginOfPeriod('all', now), undefined)
  t.equal(beginOfPeriod('year', now), Date.parse('2026-03-31T18:30:00Z'))
  t.equal(beginOfPeriod('week', now), Date.parse('2026-11-14T18:30:00Z'))
})

t.test('sorts, filters and groups without losing a row or a paisa', async t => {
  const rows = [
    { event: 'b', gain: 0.1 },
    { event: 'a', gain: -3 },
    { event: 'b', gain: 0.2 },
  ]
  t.same(
    sorted(rows, [{ id: 'gain', sortBy: ({ gain }) => gain }], { by: 'gain', isDescending: true }).map(
      ({ gain }) => gain,
    ),
    [0.2, 0.1, -3],
  )
  t.same(
    sorted(['Rain 10', 'rain 9'], [{ id: 'title', sortBy: text => text }], {
      by: 'title',
      isDescending: false,
    }),
    ['rain 9', 'Rain 10'],
    'numbers in titles count as numbers',
  )
  t.same(sortingAfter({ by: 'a', isDescending: true }, 'a', true), { by: 'a', isDescending: false })
  t.same(sortingAfter({ by: 'a', isDescending: false }, 'b', true), { by: 'b', isDescending: true })
  const groups = grouped(
    rows,
    ({ event }) => event,
    ({ gain }) => gain,
  )
  t.same(
    groups.map(({ eventId, rows: members, sum }) => [eventId, members.length, sum]),
    [
      ['b', 2, 0.3],
      ['a', 1, -3],
    ],
  )
  t.equal(
    exactSum(rows, ({ gain }) => gain),
    -2.7,
  )
  t.ok(hasWords('Will it rain in Pune?', 'PUNE rain'))
  t.notOk(hasWords('Will it rain in Pune?', 'rain Delhi'))
})

const point = (cash: number, positions_value: number, paid_in = 0) => {
  return { ts: '2026-11-22T00:00:00.000Z', cash, positions_value, paid_in }
}
const totals = {
  ...{ opening: 0, deposit: 0, withdrawal: 0, trade: 0, merge: 0, conversion: 0 },
  ...{ settlement: 0, void: 0, shortfall: 0, brought_forward: 0 },
}

t.test('profit and loss count neither deposits nor withdrawals', async t => {
  const points = [point(100, 20), point(150, 30.1, 50), point(60, 20.0001, -50)]
  t.same(gainsOf({ points }), [0, 10.1, 10.0001])
  t.equal(worthOf(point(0.1, 0.2)), 0.3)
  t.same(gainsOf({ points: [] }), [])
  t.equal(beginningOf('all', 0), undefined)
  t.equal(beginningOf('today', Date.parse('2026-11-22T10:00:00Z')), Date.parse('2026-11-21T18:30:00Z'))
})

t.test(
  'the worth of who holds contracts is unknown until a course came, and never the cash alone',
  async t => {
    const course = { points: [point(900, 120)] }
    t.equal(worthNow([undefined, undefined], 900, [{}]), undefined)
    t.equal(
      worthNow([undefined, undefined], 900, undefined),
      undefined,
      'nor while the contracts are unknown',
    )
    t.equal(worthNow([undefined, undefined], 900, []), 900)
    t.equal(worthNow([undefined, course], 900, [{}]), 1020, 'whichever course comes first')
  },
)

t.test('the curve goes from left to right with zero inside, also if nothing ever changed', async t => {
  t.same(curveOf([0, 10, -10], 100, 50), { path: 'M0 25L50 0L100 50', zeroY: 25 })
  t.same(curveOf([0, 5], 100, 50), { path: 'M0 50L100 0', zeroY: 50 }, 'nothing below zero: it is the floor')
  t.same(curveOf([0, 0], 100, 50).zeroY, 25)
})

t.test('the amounts of a statement have as many decimals as the most exact of them', async t => {
  const exact = exactTexts([1000, -99.946])
  t.same(
    [exact.plain(1000), exact.signed(-99.946), exact.signed(5)],
    ['₹1,000.0000', '−₹99.9460', '+₹5.0000'],
  )
  const paise = exactTexts([1000, -99.9])
  t.same([paise.plain(1000), paise.signed(-99.9)], ['₹1,000.00', '−₹99.90'])
})

t.test('a statement adds up from the opening balance to the closing balance', async t => {
  const performance = {
    from: '',
    to: '',
    complete: true,
    lines: 4,
    totals: { ...totals, deposit: 500, trade: -26.0001, settlement: 40, withdrawal: -100.5 },
    points: [point(1000, 10), point(1413.4999, 12, 399.5)],
  }
  const statement = statementOf(performance)
  t.match(statement, { opening: 1000, closing: 1413.4999, positions: 12, gain: 15.9999, entries: 4 })
  const sum = (statement?.lines ?? []).reduce(
    (all, [, change]) => all + Math.round(change * 10_000),
    10_000_000,
  )
  t.equal(sum, 14_134_999)
  t.equal(statementOf({ ...performance, complete: false }), undefined, 'a part of a year is no statement')
  const now = Date.parse('2026-11-22T10:00:00Z')
  t.same(yearsUntil(now), [2026, 2025, 2024, 2023, 2022])
  t.same(rangeOf(2025, now), {
    from: Date.parse('2025-03-31T18:30:00Z'),
    to: Date.parse('2026-03-31T18:30:00Z'),
  })
  t.equal(rangeOf(2026, now).to, now)
})
