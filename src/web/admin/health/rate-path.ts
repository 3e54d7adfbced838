const MARGIN = 2

/**
 * Returns the SVG path of rates at equal intervals, the latest at the right edge. The left stays empty until
 * enough points exist, so that the step width never changes.
 */
export function ratePath(
  rates: readonly number[],
  pointsMax: number,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const most = Math.max(1, ...rates)
  const step = width / (pointsMax - 1)
  const points = rates.slice(-pointsMax)
  return points
    .map((rate, index) => {
      const x = width - (points.length - 1 - index) * step
      const y = height - MARGIN - (rate / most) * (height - 2 * MARGIN)
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
