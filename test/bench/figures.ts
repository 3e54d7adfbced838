/** Returns the median, which one noisy round does not move. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

/** Returns the value below which this share of the sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Formats 12345 as `12.3 K`, 12345678 as `12.35 M`. */
export function thousands(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`
  return value >= 1e3 ? `${(value / 1e3).toFixed(1)} K` : value.toFixed(0)
}
