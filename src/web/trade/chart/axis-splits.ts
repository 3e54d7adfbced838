import { beginOf, dayOf } from '../../kit/zone-days.js'
import { timeZone } from '../../texts/language.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The room that a label needs, in pixels. */
const TIME_ROOM = 84
const VALUE_ROOM = 30
const TIME_STEPS = [
  ...[1, 5, 10, 15, 30].map(count => count * SECOND),
  ...[1, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map(count => count * HOUR),
  ...[1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365].map(count => count * DAY),
]
const PERCENT_STEPS = [1, 5, 10, 20, 25, 50]

/** Moments or percents with a label, at equal distances. */
export interface Splits {
  readonly step: number
  readonly at: readonly number[]
}

/** Returns the labelled moments of a time axis, in ms: steps from midnight of the instance, or whole days. */
export function timeSplits(from: number, to: number, width: number, zone = timeZone): Splits {
  const step = stepFor(TIME_STEPS, to - from, width / TIME_ROOM)
  const at: number[] = []
  for (let day = dayOf(from, zone); ; day = { ...day, day: day.day + 1 }) {
    const [begin, end] = [beginOf(day, zone), beginOf({ ...day, day: day.day + 1 }, zone)]
    if (begin > to) return { step, at }
    const isWhole = step >= DAY
    // Whole days are counted from a day that stays, so that labels do not jump while the axis moves.
    if (isWhole && (Date.UTC(day.year, day.month - 1, day.day) / DAY) % (step / DAY) !== 0) continue
    // In a night of 25 hours, a last step would be too near to midnight.
    for (let moment = begin; moment === begin || moment + step <= end; moment += step) {
      if (moment >= from && moment <= to) at.push(moment)
    }
  }
}

/** Returns the labelled percents of an axis. */
export function percentSplits(low: number, high: number, height: number): Splits {
  const step = stepFor(PERCENT_STEPS, high - low, height / VALUE_ROOM)
  const at: number[] = []
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) at.push(value)
  return { step, at }
}

function stepFor(steps: readonly number[], span: number, countMax: number): number {
  return steps.find(step => span / step <= countMax) ?? steps.at(-1) ?? span
}
