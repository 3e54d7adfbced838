import type { ScheduleFields } from '../../api/site/schedule-schema.js'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Describes a schedule for the audit log. */
export function scheduleLine({ repeat, weekdays, month_day, ...schedule }: ScheduleFields): string {
  const { hours_before, ends_on, ends_after } = schedule
  const days = {
    daily: 'every day',
    weekly: `every week on ${weekdays.map(day => WEEKDAYS[day - 1]).join(', ')}`,
    monthly: `on day ${month_day} of every month`,
  }
  const until = ends_on === null ? '' : `, until ${ends_on}`
  const times = ends_after === null ? '' : `, ${ends_after} times`
  return `${days[repeat]}, ${hours_before} hours ahead${until}${times}`
}
