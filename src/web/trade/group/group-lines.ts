/** The chances of an outcome from 0 to 1, one for each half hour up to now. */
export type Course = readonly number[]

interface GroupLines {
  /** In percent. */
  readonly low: number
  readonly high: number
  /** The SVG path of each course; empty without two points. */
  readonly paths: readonly string[]
}

export const LINES_WIDTH = 600
export const LINES_HEIGHT = 180
/** The axis begins and ends at multiples of this, in percent. */
const AXIS_STEP = 10

/** Draws courses in the range that they share: all end at the right edge, the longest begins at the left. */
export function linesOf(courses: readonly Course[]): GroupLines {
  const percents = courses.flat().map(chance => chance * 100)
  const least = percents.reduce((low, percent) => Math.min(low, percent), 100)
  const most = percents.reduce((high, percent) => Math.max(high, percent), 0)
  const low = Math.max(0, Math.floor((least - 1) / AXIS_STEP) * AXIS_STEP)
  const high = Math.min(100, Math.ceil((most + 1) / AXIS_STEP) * AXIS_STEP)
  const longest = courses.reduce((length, course) => Math.max(length, course.length), 2)
  const pointOf = (chance: number, halfHoursAgo: number) => {
    const x = LINES_WIDTH - (halfHoursAgo * LINES_WIDTH) / (longest - 1)
    const y = LINES_HEIGHT - ((chance * 100 - low) / (high - low)) * LINES_HEIGHT
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  const paths = courses.map(course =>
    course.length < 2
      ? ''
      : `M${course.map((chance, index) => pointOf(chance, course.length - 1 - index)).join('L')}`,
  )
  return { low, high, paths }
}
