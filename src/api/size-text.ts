const SIZES = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a size in decimal units: `4.2 MB`. */
export function sizeText(bytes: number): string {
  let value = bytes
  let size = 0
  while (value >= 999.5 && size < SIZES.length - 1) {
    value /= 1000
    size++
  }
  const digits = size > 0 && value < 10 ? 1 : 0
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${SIZES[size]}`
}
