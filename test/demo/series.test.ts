import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { SERIES } from '../../src/demo/series.js'

const NOON_IN_INDIA = Date.parse('2026-11-21T06:30:00.000Z') as TimeMs
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const series = (category: string) => SERIES.filter(found => found.category === category)
const endsOf = (category: string, count: number) =>
  series(category).flatMap(({ nextEnd }) => {
    const ends: TimeMs[] = []
    for (let end = nextEnd(NOON_IN_INDIA); ends.length < count; end = nextEnd(end)) ends.push(end)
    return ends
  })
const iso = (at: TimeMs) => new Date(at).toISOString()

t.test('has six kinds of events, each with its own word', async t => {
  t.same(SERIES.map(({ category }) => category).sort(), [
    'cricket',
    'films',
    'prices',
    'space',
    'stocks',
    'weather',
  ])
})

t.test('an event ends after the given moment, at a fitting time of day in India', async t => {
  for (const { category, nextEnd } of SERIES) {
    for (let hour = 0; hour < 24 * 15; hour++) {
      const after = (NOON_IN_INDIA + hour * HOUR_MS) as TimeMs
      const end = nextEnd(after)
      if (end <= after || end > after + 11 * DAY_MS)
        t.fail(`${category} after ${iso(after)} ends ${iso(end)}`)
      if (nextEnd((end - 1) as TimeMs) !== end)
        t.fail(`${category} does not end at ${iso(end)} when asked just before`)
    }
  }
  t.same(
    endsOf('stocks', 3).map(iso),
    ['2026-11-23T10:00:00.000Z', '2026-11-24T10:00:00.000Z', '2026-11-25T10:00:00.000Z'],
    'the exchange is closed on Saturday and Sunday',
  )
  t.same(endsOf('films', 2).map(iso), ['2026-11-22T18:30:00.000Z', '2026-11-29T18:30:00.000Z'])
  t.same(endsOf('cricket', 3).map(iso), [
    '2026-11-21T11:00:00.000Z',
    '2026-11-21T16:00:00.000Z',
    '2026-11-22T06:00:00.000Z',
  ])
})

t.test('no two events of a series share a title, and each says that it is fictional', async t => {
  for (const { category, question } of SERIES) {
    const titles = new Set<string>()
    for (const end of endsOf(category, 50)) {
      const { title, description, level } = question(end)
      titles.add(title)
      if (!description.includes('made up')) t.fail(`${title} does not say so`)
      if (level < 0.2 || level > 0.8) t.fail(`${title} begins at an edge`)
      t.same(question(end), question(end), 'the end alone makes it')
    }
    t.equal(titles.size, 50, category)
  }
})

t.test('a title names the day in India on which its event ends', async t => {
  const titles = SERIES.map(({ nextEnd, question }) => question(nextEnd(NOON_IN_INDIA)).title).join('\n')
  t.match(titles, /the afternoon match of 21 Nov 2026\?/)
  t.match(titles, /Mumbai get 1 mm of rain or more on 21 Nov 2026\?/)
  t.match(titles, /close above 2\d,\d{3} on 23 Nov 2026\?/)
  t.match(titles, /by the end of 22 Nov 2026\?/)
})
