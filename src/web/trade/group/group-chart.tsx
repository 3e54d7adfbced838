import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { EventGroup } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { chanceText } from '../../kit/number-texts.js'
import { t } from '../../texts/groups.js'
import { connectionState, exchange } from '../exchange-client.js'
import { chanceIn } from './group-chance.js'
import type { Course } from './group-lines.js'
import { LINES_HEIGHT, LINES_WIDTH, linesOf } from './group-lines.js'

const LINES_MAX = 5
const HALF_HOUR_MS = 1_800_000

/** The last day of the likeliest outcomes, a line each; a click on its name hides a line. */
export function GroupChart({ group }: { readonly group: EventGroup }) {
  const outcomes = useMemo(() => likeliest(group), [group.code])
  // By code and not by chance, so that an outcome keeps its colour when others overtake it.
  const colours = [...outcomes].sort()
  const courses = useCourses(outcomes, group.payout)
  const hidden = useSignal<readonly string[]>([])
  const lines = outcomes.map(id => {
    const outcome = group.outcomes.find(({ event_id }) => event_id === id)
    const now = outcome && chanceIn(group, outcome)
    const course = courses?.get(id) ?? []
    return {
      ...{ id, label: nameText(outcome?.label ?? ''), now, isHidden: hidden.value.includes(id) },
      colour: colours.indexOf(id),
      course: now === undefined ? course : [...course, now],
    }
  })
  if (courses !== undefined && lines.every(({ course }) => course.length < 2)) return null
  return (
    <section class="card group-chart" aria-label={t.chart}>
      <Plot lines={lines.map(({ course, isHidden, colour }) => [isHidden ? [] : course, colour])} />
      <ul class="chips">
        {lines.map(({ id, label, now, isHidden, colour }) => (
          <li key={id}>
            <button
              type="button"
              class="group-line"
              data-line={colour}
              aria-pressed={!isHidden}
              onClick={() => {
                hidden.value = isHidden ? hidden.value.filter(one => one !== id) : [...hidden.value, id]
              }}
            >
              {label} <b>{chanceText(now, 'headline')}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @param lines each with the number of its colour */
function Plot({ lines }: { readonly lines: readonly (readonly [Course, number])[] }) {
  const { low, high, paths } = linesOf(lines.map(([course]) => course))
  const middle = LINES_HEIGHT / 2
  return (
    <div aria-hidden="true">
      <div class="group-plot">
        <svg viewBox={`0 0 ${LINES_WIDTH} ${LINES_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path
            class="group-grid"
            d={[0, middle, LINES_HEIGHT].map(y => `M0 ${y}H${LINES_WIDTH}`).join('')}
          />
          {paths.map(
            (path, place) => path !== '' && <path key={place} d={path} data-line={lines[place]?.[1]} />,
          )}
        </svg>
        {[high, (low + high) / 2, low].map(percent => (
          <small key={percent}>{percent}%</small>
        ))}
      </div>
      <p class="group-span faint">
        <span>{t.dayAgo}</span>
        <span>{t.now}</span>
      </p>
    </div>
  )
}

/** Fetches the courses of the outcomes, by their codes; undefined until they are there. */
function useCourses(outcomes: readonly string[], payout: number): ReadonlyMap<string, Course> | undefined {
  const courses = useSignal<ReadonlyMap<string, Course> | undefined>(undefined)
  const { comebacks } = connectionState.value
  const asked = outcomes.join(',')
  useEffect(() => {
    let isOver = false
    const load = async () => {
      if (document.hidden && courses.peek() !== undefined) return
      const { events } = await exchange.fetchMarketPage({ event_ids: asked })
      const found = events.map(
        ({ event_id, trend = [] }) => [event_id, trend.map(price => price / payout)] as const,
      )
      if (!isOver) courses.value = new Map(found)
    }
    // The table works without a chart; the next half hour or reconnection retries.
    const tryLoad = () => void load().catch(() => {})
    tryLoad()
    const timer = setInterval(tryLoad, HALF_HOUR_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [asked, comebacks])
  return courses.value
}

/** Returns the outcomes whose lines are drawn; later changes of their order change no line. */
function likeliest(group: EventGroup): readonly string[] {
  return [...group.outcomes]
    .sort((a, b) => (chanceIn(group, b) ?? 0) - (chanceIn(group, a) ?? 0))
    .slice(0, LINES_MAX)
    .map(({ event_id }) => event_id)
}
