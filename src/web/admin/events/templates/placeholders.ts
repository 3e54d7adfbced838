import { withDay } from '../../../../api/calendar/day-placeholders.js'
import { locale, timeZone } from '../../../texts/language.js'
import { LOCALES } from '../../../texts/languages.js'
import type { EventDraft } from '../event-draft.js'
import { momentIn } from '../moment-input.js'

/** Puts the day of closing in place of `{date}` and `{weekday}`; without one, the draft stays as it is. */
export function filledIn(draft: EventDraft): EventDraft {
  const end = momentIn(draft.end_date)
  if (end === undefined) return draft
  const fill = (text: string) => withDay(text, Date.parse(end), locale, timeZone)
  return { ...draft, title: fill(draft.title), description: fill(draft.description) }
}

/** Puts `{date}` in place of the day of a moment, as people and schedules write it in either language. */
export function withPlaceholders(draft: EventDraft, end: string): EventDraft {
  const days = Object.values(LOCALES).map(each => withDay('{date}', Date.parse(end), each, timeZone))
  const clear = (text: string) => days.reduce((cleared, day) => cleared.replaceAll(day, '{date}'), text)
  return { ...draft, title: clear(draft.title), description: clear(draft.description) }
}
