import type { PersonFigures, Ranking } from '../../../client/shapes.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { locale, timeZone } from '../../texts/language.js'
import { t } from '../../texts/people.js'

const SCORE = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 })
const DAY = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
const UTC_DAY = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** `+₹412.50`, `₹3,120.00` or `0.167`; a dash without a forecast. */
export function figureText(by: Ranking, { profit, volume, brier }: PersonFigures): string {
  if (by === 'profit') return rupeesText(profit, 'signed')
  if (by === 'volume') return rupeesText(volume)
  return brier === null ? '–' : SCORE.format(brier)
}

/** `23 Nov 2026`, in the time zone of the instance. */
export function dayText(time: string): string {
  return DAY.format(new Date(time))
}

/** `23 Nov`, of a day in UTC such as `2026-11-23`. */
export function utcDayText(day: string): string {
  return UTC_DAY.format(new Date(day))
}

/** `just now`, `5 min ago`, `3 h ago`; the date after a day. */
export function agoText(time: string, nowMs: number): string {
  const leftMs = nowMs - Date.parse(time)
  if (leftMs < MINUTE_MS) return t.justNow
  if (leftMs >= DAY_MS) return dayTimeText(time)
  const [count = '', unit = ''] = timeLeftText(leftMs).split(' ')
  return t.ago(`${count} ${unit}`)
}
