const DAY_SECONDS = 86_400

/** Formats a duration: `3.2 ms`, `45 ms`, `1.2 s`; a dash without a measurement. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`
}

/** Formats an uptime: `3 d 4 h`, `12 min`. */
export function uptimeText(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / DAY_SECONDS),
    Math.floor((seconds % DAY_SECONDS) / 3600),
    Math.floor((seconds % 3600) / 60),
  ]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`
}
