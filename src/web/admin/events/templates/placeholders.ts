import { withDay } from '../../../../api/calendar/day-placeholders.js'
import { locale, timeZone } from '../../../texts/language.js'
import type { EventDraft } from '../event-draft.js'
import { momentIn } from '../moment-input.js'

/** Puts the day of closing in place of `{date}` and `{weekday}`; without one, the draft stays as it is. */
export function filledIn(draft: EventDraft): EventDraft {
  const end = momentIn(draft.end_date)
  if (end === undefined) return draft
  const fill = (text: string) => withDay(text, Date.parse(end), locale, timeZone)
  return { ...draft, title: fill(draft.title), description: fill(draft.description) }
}
