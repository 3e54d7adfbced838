/** Formats a duration: `3.2 ms`, `45 ms`, `1.2 s`; a dash without a measurement. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`
}
