import { locale, timeZone } from '../../../texts/language.js'
import type { EventDraft } from '../event-draft.js'
import { momentIn } from '../moment-input.js'

const DATE = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
const WEEKDAY = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long' })

/** Puts the day of closing in place of `{date}` and `{weekday}`; without one, the draft stays as it is. */
export function filledIn(draft: EventDraft): EventDraft {
  const end = momentIn(draft.end_date)
  if (end === undefined) return draft
  const day = new Date(end)
  const fill = (text: string) =>
    text.replaceAll('{date}', DATE.format(day)).replaceAll('{weekday}', WEEKDAY.format(day))
  return { ...draft, title: fill(draft.title), description: fill(draft.description) }
}
