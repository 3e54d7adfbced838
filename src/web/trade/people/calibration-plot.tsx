import type { Profile } from '../../../client/shapes.js'
import { chanceText } from '../../kit/number-texts.js'
import { t } from '../../texts/profiles.js'

const SIZE = 200
const ENDS = [0, 0.5, 1]
const RADIUS = { least: 4, most: 12 }

/** Plots what a user forecast against what happened: on the diagonal, the two are the same. */
export function CalibrationPlot({ calibration }: Pick<Profile, 'calibration'>) {
  const most = calibration.reduce((sum, { count }) => Math.max(sum, count), 1)
  const label = calibration.map(({ forecast, happened, count }) =>
    t.forecastBin(chanceText(forecast, 'headline'), chanceText(happened, 'headline'), count),
  )
  return (
    <figure class="profile-figure calibration">
      <svg viewBox={`-48 -16 ${SIZE + 76} ${SIZE + 50}`} role="img" aria-label={label.join('; ')}>
        <rect class="calibration-frame" width={SIZE} height={SIZE} />
        <path class="calibration-perfect" d={`M0 ${SIZE}L${SIZE} 0`} />
        {ENDS.map(end => (
          <g key={end}>
            <text x={end * SIZE} y={SIZE + 28} text-anchor="middle">
              {chanceText(end, 'headline')}
            </text>
            <text x={-16} y={(1 - end) * SIZE + 4} text-anchor="end">
              {chanceText(end, 'headline')}
            </text>
          </g>
        ))}
        {calibration.map(({ forecast, happened, count }, place) => (
          <circle
            key={forecast}
            cx={forecast * SIZE}
            cy={(1 - happened) * SIZE}
            r={RADIUS.least + (RADIUS.most - RADIUS.least) * Math.sqrt(count / most)}
          >
            <title>{label[place]}</title>
          </circle>
        ))}
      </svg>
      <figcaption class="faint">{t.calibrationMeans}</figcaption>
    </figure>
  )
}
