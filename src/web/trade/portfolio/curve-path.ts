/** A line through values, in a frame of a width and a height, and where zero is. */
export interface Curve {
  readonly path: string
  readonly zeroY: number
}

/** Draws values from left to right; those above zero are above its line. */
export function curveOf(values: readonly number[], width: number, height: number): Curve {
  const high = values.reduce((most, value) => Math.max(most, value), 0)
  const low = values.reduce((least, value) => Math.min(least, value), 0)
  const span = high - low || 1
  const y = (value: number) => Math.round(((high - value) / span) * height * 10) / 10
  const x = (place: number) => Math.round((place / Math.max(1, values.length - 1)) * width * 10) / 10
  const path = values.map((value, place) => `${place === 0 ? 'M' : 'L'}${x(place)} ${y(value)}`).join('')
  return { path, zeroY: high === low ? height / 2 : y(0) }
}
