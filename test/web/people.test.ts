import t from 'tap'
import type { PersonFigures } from '../../src/client/shapes.js'
import { BADGE_BARS, badgesOf } from '../../src/web/trade/people/badges.js'

const NONE: PersonFigures = { profit: 0, volume: 0, events: 0, brier: null, forecasts: 0 }
/** All profit by the end of 30 days. */
const course = (profitOf: (day: number) => number) =>
  Array.from({ length: 30 }, (_, day) => ({ day: '2026-01-01', profit: profitOf(day) }))

function badges(all: Partial<PersonFigures>, days = course(() => 0)) {
  const figures = { ...NONE, ...all }
  return badgesOf({ figures: { '7d': NONE, '30d': NONE, all: figures }, course: days })
}

t.test('a badge is earned by figures, and by nothing less', async t => {
  t.same(badges({}), [])
  t.same(badges({ profit: 0.01, events: BADGE_BARS.EVENTS_AHEAD }), ['ahead'])
  t.same(badges({ profit: 500, events: BADGE_BARS.EVENTS_AHEAD - 1 }), [], 'luck in a few markets')
  t.same(badges({ profit: -1, events: BADGE_BARS.EVENTS_AHEAD }), [])
  t.same(badges({ brier: 0.15, forecasts: BADGE_BARS.FORECASTS_SHARP }), ['sharp'])
  t.same(badges({ brier: 0.151, forecasts: BADGE_BARS.FORECASTS_SHARP }), [])
  t.same(badges({ brier: 0.01, forecasts: BADGE_BARS.FORECASTS_SHARP - 1 }), [])
  t.same(badges({ events: BADGE_BARS.EVENTS_HUNDRED }), ['hundred'])
})

t.test('steady is who made a profit in each of the last four weeks', async t => {
  t.same(
    badges(
      {},
      course(day => day),
    ),
    ['steady'],
  )
  t.same(
    badges(
      {},
      course(day => (day < 15 || day > 22 ? day : 15)),
    ),
    [],
    'a week without',
  )
  t.same(
    badges(
      {},
      course(day => -day),
    ),
    [],
  )
  t.same(
    badges(
      {},
      course(() => 40),
    ),
    [],
    'a profit of before',
  )
  t.same(badges({}, course(day => day).slice(2)), [], 'a month that is not known')
})
