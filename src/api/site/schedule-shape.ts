/** On which days the exchange creates an event from a template, at the template's times of day. */
export interface EventScheduleRequest {
  readonly repeat: 'daily' | 'weekly' | 'monthly'
  /** ISO 8601 weekdays of opening, 1 for Monday to 7 for Sunday; for `weekly`. */
  readonly weekdays?: readonly number[]
  /** Day of opening, 1 to 31; the last day in shorter months. For `monthly`. */
  readonly month_day?: number
  /** Hours before its opening at which an event is created. */
  readonly hours_before?: number
  /** The last day of opening, such as `2026-12-31`. */
  readonly ends_on?: string | null
  /** The number of events after which it ends, those created so far included. */
  readonly ends_after?: number | null
  /** The language of dates in the title and the rules. */
  readonly language?: 'en' | 'hi'
  readonly is_paused?: boolean
}

/** The schedule of a template. */
export interface EventSchedule extends Required<EventScheduleRequest> {
  /** How many events it has created. */
  readonly created: number
  /** The last day of opening that is done with, such as `2026-11-21`; null before the first. */
  readonly through: string | null
  /** When the next events open, three at most; none if it is paused or over. */
  readonly next: readonly string[]
  /** Why the event of a day has not been created; null if the last one was. */
  readonly trouble: ScheduleTrouble | null
}

interface ScheduleTrouble {
  /** The day of opening. */
  readonly day: string
  readonly message: string
  readonly reason: string | null
}
