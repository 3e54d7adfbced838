const NUMBER = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** `1,00,000.5`, as people type it: with or without commas, spaces and ₹; undefined where it is no number. */
export function numberIn(text: string): number | undefined {
  const digits = text.replace(/[\s,₹]/g, '')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : undefined
}

/** The same the other way. */
export function writtenNumber(value: number): string {
  return NUMBER.format(value)
}

/** What a field for a day and a time holds, which is in the reader's zone, as ISO 8601 in UTC. */
export function momentIn(text: string): string | undefined {
  const ms = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** The same the other way, to the minute. */
export function writtenMoment(ms: number): string {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
