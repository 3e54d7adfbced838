import { t } from '../texts/kit.js'
import { locale, timeZone } from '../texts/language.js'

const DAY_TIME = new Intl.DateTimeFormat(locale, {
  timeZone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const CLOCK = new Intl.DateTimeFormat(locale, {
  timeZone,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const ZONE = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' })
const STEPS = [
  [t.years, 365 * 86_400_000],
  [t.days, 86_400_000],
  [t.hours, 3_600_000],
  [t.minutes, 60_000],
  [t.seconds, 1000],
] as const

/** Formats a duration in its two largest units: `9 y 40 d`, `3 d 4 h`, `12 min 5 s`. A year has 365 days. */
export function timeLeftText(leftMs: number): string {
  const first = STEPS.findIndex(([, stepMs]) => leftMs >= stepMs)
  if (first < 0) return t.moments
  let rest = leftMs
  const parts: string[] = []
  for (const [textOf, stepMs] of STEPS.slice(first, first + 2)) {
    const count = Math.floor(rest / stepMs)
    rest -= count * stepMs
    if (count > 0) parts.push(textOf(count))
  }
  return parts.join(' ')
}

/** `21 Nov 2026, 4:49 pm`, in the time zone of the instance. */
export function dayTimeText(time: string | number): string {
  return DAY_TIME.format(new Date(time))
}

/** `16:49:08`, in the time zone of the instance. */
export function clockText(time: string | number): string {
  return CLOCK.format(new Date(time))
}

/** `India Standard Time`, the time zone of the instance at a time. */
export function zoneText(nowMs: number): string {
  const name = ZONE.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')
  return name?.value ?? timeZone
}
