import { locale, timeZone } from '../../texts/language.js'

const DAY_SECONDS = 86_400
const DAY = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
const YEAR_DAY = new Intl.DateTimeFormat(locale, {
  timeZone,
  day: 'numeric',
  month: 'short',
  year: '2-digit',
})
const YEAR = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' })
const SHORT_CLOCK = new Intl.DateTimeFormat(locale, {
  timeZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const CLOCK = new Intl.DateTimeFormat(locale, {
  timeZone,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Formats a trade’s time: `16:49:08` today, `21 Nov, 16:49` this year, `21 Nov 25, 16:49` before. */
export function tradeTimeText(time: string, nowMs: number): string {
  const at = new Date(time)
  const now = new Date(nowMs)
  if (YEAR_DAY.format(at) === YEAR_DAY.format(now)) return CLOCK.format(at)
  return `${dayText(at, now)}, ${SHORT_CLOCK.format(at)}`
}

/** Formats a moment on a chart: `21 Nov, 16:49`, with its year if that is not the current one. */
export function momentText(timeMs: number, nowMs: number): string {
  const at = new Date(timeMs)
  return `${dayText(at, new Date(nowMs))}, ${SHORT_CLOCK.format(at)}`
}

/**
 * Returns the labels of a time axis: days where a step is a day or more, else times, with the day below the
 * first and wherever another begins.
 */
export function axisTimeTexts(splits: readonly number[], stepSeconds: number): string[] {
  const days = splits.map(seconds => DAY.format(seconds * 1000))
  if (stepSeconds >= DAY_SECONDS) return days
  const form = stepSeconds < 60 ? CLOCK : SHORT_CLOCK
  return splits.map((seconds, index) => {
    const time = form.format(seconds * 1000)
    return days[index] === days[index - 1] ? time : `${time}\n${days[index]}`
  })
}

function dayText(at: Date, now: Date): string {
  const isThisYear = YEAR.format(at) === YEAR.format(now)
  return (isThisYear ? DAY : YEAR_DAY).format(at)
}
