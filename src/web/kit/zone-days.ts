import { timeZone } from '../texts/language.js'

const FINANCIAL_YEAR_MONTH = 4
const DAY_MS = 86_400_000
const WRITTEN_DAY = /^(\d{4})-(\d\d)-(\d\d)$/

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Returns the calendar day of a moment. */
export function dayOf(at: number, zone = timeZone): Day {
  const { year, month, day } = clockOf(at, zone)
  return { year, month, day }
}

/** Returns when a day begins. */
export function beginOf({ year, month, day }: Day, zone = timeZone): number {
  const utc = Date.UTC(year, month - 1, day)
  // The offset may change between the first guess and the day itself.
  const guess = utc - offsetAt(utc, zone)
  return utc - offsetAt(guess, zone)
}

/** Returns when a day such as `2026-11-22` begins, or one some days later; undefined for other texts. */
export function startOfDay(text: string, daysLater = 0, zone = timeZone): string | undefined {
  const [, year, month, day] = WRITTEN_DAY.exec(text) ?? []
  if (year === undefined) return undefined
  const at = beginOf({ year: Number(year), month: Number(month), day: Number(day) + daysLater }, zone)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Returns the first calendar year of the financial year, April to March, of a moment. */
export function financialYearOf(at: number, zone = timeZone): number {
  const { year, month } = dayOf(at, zone)
  return month >= FINANCIAL_YEAR_MONTH ? year : year - 1
}

/** Returns when a financial year begins; it ends when the next begins. */
export function financialYearBegin(year: number, zone = timeZone): number {
  return beginOf({ year, month: FINANCIAL_YEAR_MONTH, day: 1 }, zone)
}

/** Returns when the day began that was this many days before a moment’s. */
export function daysBefore(at: number, days: number, zone = timeZone): number {
  // Noon, so that a day of 23 or 25 hours does not lead to a neighbour.
  const noon = beginOf(dayOf(at, zone), zone) + DAY_MS / 2
  return beginOf(dayOf(noon - days * DAY_MS, zone), zone)
}

/** Returns a moment as spreadsheets read it: `2026-11-22 16:49:08`. */
export function sheetTime(at: string | number, zone = timeZone): string {
  const { year, month, day, hour, minute, second } = clockOf(new Date(at).getTime(), zone)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

function offsetAt(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = clockOf(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** Formats by time zone: making one takes a slow phone 10 ms. */
const formats = new Map<string, Intl.DateTimeFormat>()

function clockOf(at: number, timeZone: string) {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  } as const)
}
