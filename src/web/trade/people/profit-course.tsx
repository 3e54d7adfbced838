import type { Profile } from '../../../client/shapes.js'
import { rupeesText } from '../../kit/number-texts.js'
import { curveOf } from '../portfolio/curve-path.js'
import { utcDayText } from './figure-texts.js'

const WIDTH = 600
const HEIGHT = 150

/** The course of a user's profit, day by day. */
export function ProfitCourse({ course }: Pick<Profile, 'course'>) {
  const [first, last] = [course[0], course.at(-1)]
  if (first === undefined || last === undefined) return null
  const profits = course.map(({ profit }) => profit)
  const { path, zeroY } = curveOf(profits, WIDTH, HEIGHT)
  const ends = [first, last].map(
    ({ day, profit }) => [utcDayText(day), rupeesText(profit, 'signed')] as const,
  )
  return (
    <figure class="profile-figure">
      <div class={`worth-curve ${last.profit < 0 ? 'worth-loss' : 'worth-gain'}`}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={ends.map(([day, profit]) => `${day}: ${profit}`).join(', ')}
        >
          <path class="worth-area" d={`${path}V${zeroY}H0Z`} />
          <path class="worth-zero" d={`M0 ${zeroY}H${WIDTH}`} />
          <path class="worth-line" d={path} />
        </svg>
      </div>
      <figcaption class="profile-ends faint">
        {ends.map(([day, profit]) => (
          <span key={day}>
            {day} · {profit}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
