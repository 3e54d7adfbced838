import t from 'tap'
import { startOfDay } from '../../src/web/kit/zone-days.js'
import { sorted, sortingAfter, sortingIn, sortingText } from '../../src/web/kit/sorting.js'

t.test('a click on a head sorts by it, another one the other way round', async t => {
  const after = (text: string, column: string, isDescendingFirst: boolean) =>
    sortingText(sortingAfter(sortingIn(text), column, isDescendingFirst))
  t.equal(after('created', 'cash', true), '-cash', 'the largest first')
  t.equal(after('-cash', 'cash', true), 'cash')
  t.equal(after('-cash', 'userid', false), 'userid')
  t.equal(after('userid', 'userid', false), '-userid')
  t.same(sortingAfter(undefined, 'a', true), { by: 'a', isDescending: true })
})

t.test('sorts numbers as numbers, with empty values last either way', async t => {
  const rows = [{ v: 10 }, { v: null }, { v: 9 }, { v: 100 }]
  const values = (text: string) =>
    sorted(rows, [{ id: 'v', csv: ({ v }) => v }], sortingIn(text)).map(({ v }) => v)
  t.same(values('v'), [9, 10, 100, null])
  t.same(values('-v'), [100, 10, 9, null])
})

t.test('a day begins at midnight in the time zone of the instance', async t => {
  t.equal(startOfDay('2026-11-22'), '2026-11-21T18:30:00.000Z', 'in India')
  t.equal(startOfDay('2026-12-31', 1), '2026-12-31T18:30:00.000Z')
  for (const text of ['', '2026-11', 'tomorrow', '2026-11-22T00:00'])
    t.equal(startOfDay(text), undefined, text)
})
