import { withDay } from '../../../../api/calendar/day-placeholders.js'
import type { EventTemplate, RaayError } from '../../../../client/client.js'
import type { FieldFault } from '../../../forms/field-faults.js'
import { faultOf } from '../../../forms/field-faults.js'
import { FormFoot } from '../../../forms/form-foot.jsx'
import { nowMs } from '../../../kit/browser-clock.js'
import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/admin-templates.js'
import { locale, timeZone } from '../../../texts/language.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'
import type { ScheduleDraft } from './schedule-draft.js'
import { scheduleDraft, scheduleIn, upcoming } from './schedule-draft.js'
import { ScheduleFields, useScheduleTexts, writtenIn } from './schedule-fields.jsx'

interface ScheduleFormProps {
  readonly template: EventTemplate
  readonly onChange: (template: EventTemplate) => void
}

/** Sets, pauses and removes the schedule of a template; shows its next events before it is saved. */
export function ScheduleForm({ template, onChange }: ScheduleFormProps) {
  const { schedule } = template
  const texts = useScheduleTexts(scheduleDraft(schedule))
  const { fault, isBusy, refuse, run } = useOperatorAction([], scheduleFault)
  const save = (isPaused: boolean) => {
    const request = scheduleIn(writtenIn(texts))
    if ('words' in request) return refuse(request)
    return run(async () => {
      const { operator } = clients.doing
      onChange(await operator.saveSchedule(template.id, { ...request, is_paused: isPaused }))
    })
  }
  const submit = (event: Event) => {
    event.preventDefault()
    return save(schedule?.is_paused ?? false)
  }
  const remove = () => run(async () => onChange(await clients.doing.operator.removeSchedule(template.id)))
  if (!template.title.includes('{date}')) return <p class="notice">{t.dateWanted}</p>
  return (
    <form class="form schedule-form" aria-label={t.scheduleOf(template.name)} onSubmit={submit} noValidate>
      <ScheduleFields texts={texts} fault={fault} />
      <NextEvents draft={writtenIn(texts)} template={template} />
      <FormFoot fault={fault}>
        {schedule !== null && (
          <>
            <button type="button" class="button" disabled={isBusy} onClick={remove}>
              {t.removeSchedule}
            </button>
            <button type="button" class="button" disabled={isBusy} onClick={() => save(!schedule.is_paused)}>
              {schedule.is_paused ? t.resume : t.pause}
            </button>
          </>
        )}
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.saveSchedule}
        </button>
      </FormFoot>
    </form>
  )
}

interface NextEventsProps {
  readonly draft: ScheduleDraft
  readonly template: EventTemplate
}

/** Lists the events that the form would create next. */
function NextEvents({ draft, template }: NextEventsProps) {
  const request = scheduleIn(draft)
  if ('words' in request) return null
  const next = upcoming(request, template, nowMs())
  return (
    <section class="notice" aria-label={t.nextEvents}>
      <h3>{t.nextEvents}</h3>
      {next.length === 0 ? (
        <p>{t.noNextEvents}</p>
      ) : (
        <ul>
          {next.map(({ day, opensAt, closesAt }) => (
            <li key={day}>
              {t.nextEvent(dayTimeText(opensAt), withDay(template.title, closesAt, locale, timeZone))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Explains why a schedule was not saved; what the form cannot show is about the template. */
function scheduleFault(error: RaayError): FieldFault {
  return faultOf(error, ['month_day', 'hours_before', 'ends_on', 'ends_after'])
}
