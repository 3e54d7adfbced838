import { ConfigError } from '../../server/config.js'

const UNITS_MS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
}
/** Behind the year 9999 the text of a date has another form, which the exchange refuses. */
const END_OF_TIME = Date.UTC(10_000, 0, 1)
const SPAN = /^([+-])((?:\d{1,6}[wdhms])+)$/
const DATE = /^\d{4}-\d\d-\d\d$/
/** A time needs its zone: on the exchange's machine it may be another one than here. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * The moment that a flag names, as the exchange takes it: an ISO date-time with its zone, a date (midnight
 * UTC), `now`, or a span from now such as +7d, +1d12h or +90m. Throws ConfigError.
 */
export function momentOf(flag: string, text: string, now: number): string {
  const time = timeOf(text, now)
  if (time !== undefined && time >= 0 && time < END_OF_TIME) return new Date(time).toISOString()
  const examples = '2026-12-31T18:30:00Z, 2026-12-31T18:30+05:30, 2026-12-31 (midnight UTC), now, +7d or +90m'
  throw new ConfigError(`--${flag} is ${text}: give ${examples}`)
}

function timeOf(text: string, now: number): number | undefined {
  if (text === 'now') return now
  const [, sign, parts] = SPAN.exec(text) ?? []
  if (parts !== undefined) return now + (sign === '-' ? -1 : 1) * spanOf(parts)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00.000Z`)
  // Some parsers take the 31st of February for the 3rd of March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined
  if (DATE.test(text)) return day
  const time = Date.parse(text)
  return DATE_TIME.test(text) && !Number.isNaN(time) ? time : undefined
}

function spanOf(parts: string): number {
  let sum = 0
  for (const [, count, unit = ''] of parts.matchAll(/(\d+)([wdhms])/g))
    sum += Number(count) * (UNITS_MS[unit] ?? 0)
  return sum
}
