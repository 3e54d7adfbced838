/** A point of a course that goes in steps, in pixels. */
interface CoursePoint {
  readonly x: number
  readonly y: number
}

/** The label of a level line, and the room that there is for it. */
interface LevelLabel {
  readonly level: number
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
}

const STEP = 12
const GAP = 2

/**
 * Returns the first place from the left where a label above or below its line covers no part of the course.
 * Where there is none, it is above the line at the left.
 */
export function freePlace(course: readonly CoursePoint[], label: LevelLabel): { x: number; bottom: number } {
  const { level, width, height, left, right } = label
  const above = level - GAP
  for (const bottom of [above, level + GAP + height]) {
    for (let x = left; x + width <= right; x += STEP)
      if (!isCrossed(course, { x, bottom, width, height })) return { x, bottom }
  }
  return { x: left, bottom: above }
}

interface Box {
  readonly x: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** Returns whether a course enters a box: along a step, or from one step to the next. */
function isCrossed(course: readonly CoursePoint[], { x, bottom, width, height }: Box): boolean {
  return course.some((point, index) => {
    const next = course[index + 1] ?? point
    if (next.x < x - GAP || point.x > x + width + GAP) return false
    const isRising = next.x <= x + width + GAP
    const [high, low] = [
      Math.min(point.y, isRising ? next.y : point.y),
      Math.max(point.y, isRising ? next.y : point.y),
    ]
    return low >= bottom - height - GAP && high <= bottom + GAP
  })
}
