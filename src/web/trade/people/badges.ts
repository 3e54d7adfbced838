import type { Profile } from '../../../client/shapes.js'

export type Badge = 'ahead' | 'sharp' | 'steady' | 'hundred'

const EVENTS_AHEAD = 10
const FORECASTS_SHARP = 20
const BRIER_SHARP = 0.15
const WEEKS_STEADY = 4
const EVENTS_HUNDRED = 100

/** The thresholds of the badges; the guide Pages lists them. */
export const BADGE_BARS = {
  EVENTS_AHEAD,
  FORECASTS_SHARP,
  BRIER_SHARP,
  WEEKS_STEADY,
  EVENTS_HUNDRED,
} as const

/** Returns the badges that a user's figures have earned. */
export function badgesOf({ figures, course }: Pick<Profile, 'figures' | 'course'>): Badge[] {
  const { profit, events, brier, forecasts } = figures.all
  const earned: Readonly<Record<Badge, boolean>> = {
    ahead: profit > 0 && events >= EVENTS_AHEAD,
    sharp: brier !== null && brier <= BRIER_SHARP && forecasts >= FORECASTS_SHARP,
    steady: isSteady(course.map(day => day.profit)),
    hundred: events >= EVENTS_HUNDRED,
  }
  return (Object.keys(earned) as Badge[]).filter(badge => earned[badge])
}

/** Returns whether each of the last weeks brought a profit. */
function isSteady(profits: readonly number[]): boolean {
  const ends = Array.from({ length: WEEKS_STEADY + 1 }, (_, week) => profits.at(-1 - week * 7))
  return ends.every((end, week) => {
    const before = ends[week + 1]
    return week === WEEKS_STEADY || (end !== undefined && before !== undefined && end > before)
  })
}
