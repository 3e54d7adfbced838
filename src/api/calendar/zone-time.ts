const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAY_LENGTH = 10

/** A day of the calendar, such as `2026-11-21`. */
export type Day = string

/** The formats of the zones used so far: an exchange has one, which a reload may change. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the moment at which the clocks of the zone show a day and a time, such as `2026-11-21T09:00`; NaN
 * if that cannot be read, or the calendar lacks the day, such as 31 November. A time that they show twice is
 * the first one, one that they skip comes as much later.
 */
export function momentAt(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc) || !isCalendarDay(wall.slice(0, DAY_LENGTH))) return Number.NaN
  // No zone changes its clocks twice within two days.
  const before = asUtc - offsetAt(asUtc - DAY_MS, zone)
  const after = asUtc - offsetAt(asUtc + DAY_MS, zone)
  const shown = [before, after].filter(moment => moment + offsetAt(moment, zone) === asUtc)
  return shown.length === 0 ? before : shown.reduce((first, moment) => Math.min(first, moment))
}

/** True unless the calendar lacks the day, such as 31 November, which `Date` would take for another. */
export function isCalendarDay(day: Day): boolean {
  const ms = Date.parse(`${day}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Returns what the clocks of the zone show, to the minute. */
export function wallTime(at: number, zone: string): string {
  const parts = new Map(
    formatIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
  return `${year?.padStart(4, '0')}-${month}-${day}T${parts.get('hour')}:${parts.get('minute')}`
}

/** Returns the day that the calendar of the zone shows. */
export function dayAt(at: number, zone: string): Day {
  return wallTime(at, zone).slice(0, DAY_LENGTH)
}

/** Returns a later day. */
export function daysAfter(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, DAY_LENGTH)
}

/** Returns by how much the clocks of the zone are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const minute = at - (((at % MINUTE_MS) + MINUTE_MS) % MINUTE_MS)
  return Date.parse(`${wallTime(minute, zone)}Z`) - minute
}

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  })
  formats.set(zone, format)
  return format
}
