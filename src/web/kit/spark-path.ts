const POINTS_MAX = 60
const MARGIN = 2

/**
 * Returns the SVG path of chances at equal intervals. The full height is 0 to 1, so that markets can be
 * compared.
 */
export function sparkPath(chances: readonly number[], width: number, height: number): string {
  if (chances.length === 0) return ''
  const points = chances.length < 2 ? [...chances, ...chances] : chances
  const count = Math.min(points.length, POINTS_MAX)
  const steps: string[] = []
  for (let step = 0; step < count; step++) {
    const chance = points[Math.round((step * (points.length - 1)) / (count - 1))] ?? 0
    const x = (step * width) / (count - 1)
    const y = height - MARGIN - chance * (height - 2 * MARGIN)
    steps.push(`${step === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
  }
  return steps.join('')
}
