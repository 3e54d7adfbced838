import { timeZone } from '../../texts/language.js'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Returns when a day such as `2026-11-22` begins in the instance’s time zone; undefined for other texts. */
export function startOfDay(text: string, daysLater = 0): string | undefined {
  const [, year, month, day] = DAY.exec(text) ?? []
  if (year === undefined) return undefined
  const asUtc = Date.UTC(Number(year), Number(month) - 1, Number(day) + daysLater)
  if (Number.isNaN(asUtc)) return undefined
  return new Date(asUtc - offsetMs(asUtc - offsetMs(asUtc))).toISOString()
}

/** Returns by how much the clock of the instance’s zone is ahead of UTC at a moment. */
function offsetMs(at: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find(found => found.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - at
}
