import { t } from '../../texts/markets.js'
import type { DayFigures } from './change-points.js'
import { changePoints } from './change-points.js'

interface DayChangeProps {
  readonly market: DayFigures
  /** The latest price. */
  readonly last: number | null
}

/** The change of the chance in 24 hours, in percentage points; nothing where there is none. */
export function DayChange({ market, last }: DayChangeProps) {
  const points = changePoints(market, last)
  if (points === undefined || points === 0) return null
  return (
    <span class={`day-change ${points > 0 ? 'is-up' : 'is-down'}`} title={t.changeHint}>
      <span aria-hidden="true">{points > 0 ? '▲' : '▼'}</span>
      <span class="unseen">{points > 0 ? t.up : t.down}</span> {t.points(Math.abs(points))}
    </span>
  )
}
