import { timeZone } from '../../texts/language.js'

const WALL = new Intl.DateTimeFormat('en-CA', {
  timeZone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** Reads a date-time field, in the time zone of the instance, as ISO 8601 in UTC. */
export function momentIn(text: string): string | undefined {
  const [wall] = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(text) ?? []
  const asUtc = wall === undefined ? Number.NaN : Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // The zone's offset may change between the first guess and the moment itself.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}

/** Formats a time for a date-time field, in the time zone of the instance, to the minute. */
export function writtenMoment(ms: number): string {
  const parts = new Map(WALL.formatToParts(ms).map(({ type, value }) => [type, value]))
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
  return `${year?.padStart(4, '0')}-${month}-${day}T${parts.get('hour')}:${parts.get('minute')}`
}

/** Returns by how much the clocks of the zone are ahead of UTC. */
function offsetAt(ms: number): number {
  const minute = ms - (((ms % 60_000) + 60_000) % 60_000)
  return Date.parse(`${writtenMoment(minute)}Z`) - minute
}
