const MARGIN = 2

/**
 * Rates, one a step of time and the latest at the right edge, as the path of an SVG. The left stays empty
 * until there are enough to fill it, so that a step is as wide at first as it is later.
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
