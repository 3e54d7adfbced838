import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Performance } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/portfolio.js'
import { account } from '../account.js'
import { exchange } from '../exchange-client.js'
import { exchangeFacts } from '../exchange-facts.js'
import { Gain } from './lists/list-sum.jsx'
import { gainsOf, worthNow, worthOf } from './performance.js'
import { WorthCurve } from './worth-curve.jsx'
import type { Range } from './worth-range.js'
import { beginningOf, RANGES } from './worth-range.js'

const POINTS = 160
const REFRESH_MS = 60_000

/** The worth of the portfolio, its profit or loss today and in all, and its course. */
export function WorthCard({ name }: { readonly name: string }) {
  const range = useSignal<Range>('all')
  const chosen = usePerformance(name, range.value, POINTS)
  const today = usePerformance(name, 'today', 2)
  const fewOfAll = usePerformance(name, range.value === 'all' ? undefined : 'all', 2)
  const all = range.value === 'all' ? chosen : fewOfAll
  const pointed = useSignal<number | undefined>(undefined)
  const { balance, positions } = account.value
  const isNew = balance === undefined && positions !== undefined
  const worth = worthNow([today, all], balance?.cash ?? exchangeFacts.value.startingBalance, positions)
  const gains = chosen === undefined ? [] : gainsOf(chosen)
  const place = pointed.value ?? gains.length - 1
  const point = chosen?.points[place]
  return (
    <section class="card worth" aria-labelledby="worth-title">
      <div class="worth-head">
        <h2 id="worth-title">{t.worth}</h2>
        <p class="worth-figure">{worth === undefined ? '–' : rupeesText(worth)}</p>
        <dl class="worth-gains">
          <GainFigure label={t.gainToday} gain={lastGain(today)} />
          <GainFigure label={all?.complete === false ? t.gainSince : t.gainInAll} gain={lastGain(all)} />
        </dl>
      </div>
      <div class="worth-course">
        <fieldset class="chips" aria-label={t.range}>
          {RANGES.map(choice => (
            <button
              key={choice}
              type="button"
              class="chip"
              aria-pressed={range.value === choice}
              onClick={() => {
                pointed.value = undefined
                range.value = choice
              }}
            >
              {t.ranges[choice]}
            </button>
          ))}
        </fieldset>
        <p class="worth-point" role="status">
          {point === undefined ? (
            <span class="faint">{chosen === undefined && !isNew ? t.loading : t.noCourse}</span>
          ) : (
            <>
              <Gain rupees={gains[place] ?? 0} />{' '}
              <span class="faint">
                {pointed.value === undefined
                  ? t.gainOf[range.value]
                  : t.at(dayTimeText(point.ts), rupeesText(worthOf(point)))}
              </span>
            </>
          )}
        </p>
      </div>
      {!isNew && <WorthCurve gains={gains} pointed={pointed} />}
    </section>
  )
}

function GainFigure({ label, gain }: { readonly label: string; readonly gain: number | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{gain === undefined ? '–' : <Gain rupees={gain} />}</dd>
    </div>
  )
}

/** Returns the performance of a range, again when the user’s money or its worth changes, and every minute. */
function usePerformance(userid: string, range: Range | undefined, points: number): Performance | undefined {
  const found = useSignal<{ readonly range: Range; readonly performance: Performance } | undefined>(undefined)
  const round = useSignal(0)
  const { balance, valued } = account.value
  const values = useRef({ valued, changes: 0 })
  if (values.current.valued !== valued) {
    // The first ones change nothing: the exchange knew them when it was asked.
    const isFirst = values.current.valued.size === 0
    values.current = { valued, changes: values.current.changes + (isFirst ? 0 : 1) }
  }
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) round.value++
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    // A user without trades has no account and no past.
    if (balance === undefined || range === undefined) return
    let isOver = false
    exchange.fetchPerformance({ userid, from: beginningOf(range, nowMs()), points }).then(
      performance => {
        if (!isOver) found.value = { range, performance }
      },
      // What is known stays; the next round tries again.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [range, balance?.cash, values.current.changes, round.value])
  const { value } = found
  return value?.range === range ? value?.performance : undefined
}

function lastGain(performance: Performance | undefined): number | undefined {
  return performance === undefined ? undefined : gainsOf(performance).at(-1)
}
