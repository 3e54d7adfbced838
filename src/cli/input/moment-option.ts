import { UsageError } from '../exit-errors.js'

/** The forms of a moment, for the help of an option. */
export const WHEN =
  '2026-12-31T18:30:00Z, 2026-12-31T18:30+05:30, 2026-12-31 (midnight UTC), now, +7d, +1d12h'

/** The time of the command, to which all its spans relate. */
const NOW = Date.now()

const UNITS_MS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
}
/** From the year 10000 on a date is written in another form, which the exchange refuses. */
const END_OF_TIME = Date.UTC(10_000, 0, 1)
const SPAN = /^([+-])((?:\d{1,6}[wdhms])+)$/
const DATE = /^\d{4}-\d\d-\d\d$/
/** A time needs its zone: the exchange's machine may be in another one. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Reads the moment in an option: an ISO date-time with its zone, a date (midnight UTC), `now`, or a span from
 * now such as +7d, +1d12h or +90m. Returns it in UTC. Throws UsageError.
 */
export function momentOf(flag: string, text: string, now: number): string {
  const time = timeOf(text, now)
  if (time !== undefined && time >= 0 && time < END_OF_TIME) return new Date(time).toISOString()
  const examples = '2026-12-31T18:30:00Z, 2026-12-31T18:30+05:30, 2026-12-31 (midnight UTC), now, +7d or +90m'
  throw new UsageError(`${flag} is ${text}: give ${examples}`)
}

/** Makes a parser of an option's moment. */
export const moment = (flag: string) => (text: string) => momentOf(flag, text, NOW)

/** Returns the time of the command, as an option's moment. */
export const now = () => new Date(NOW).toISOString()

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
