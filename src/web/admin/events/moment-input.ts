/** Reads a date-time field, in local time, as ISO 8601 in UTC. */
export function momentIn(text: string): string | undefined {
  const ms = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Formats a time for a date-time field, in local time to the minute. */
export function writtenMoment(ms: number): string {
  const date = new Date(ms)
  const padded = (value: number, length = 2) => String(value).padStart(length, '0')
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())].join('-')
  return `${day}T${padded(date.getHours())}:${padded(date.getMinutes())}`
}
