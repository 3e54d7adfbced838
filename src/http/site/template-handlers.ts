import type { AuditLog } from '../../access/accounts/audit-log.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { Act } from '../../api/auth/audit-kinds.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { scheduleSchema } from '../../api/site/schedule-schema.js'
import { scheduledEvent } from '../../api/site/scheduled-event.js'
import type { TemplatesAnswer } from '../../api/site/template-schema.js'
import { templateSchema } from '../../api/site/template-schema.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SavedSchedule } from '../../site/event-schedules.js'
import type { SavedTemplate } from '../../site/event-templates.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { SiteFacts } from '../pages/site-facts.js'
import { unlessRefused } from './site-writes.js'
import { fieldsOf, nextOf, scheduleOfSaved, templateView } from './template-view.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { templateRoutes } from '../../api/operator/template-routes.js'
import type { ScheduleFields } from '../../api/site/schedule-schema.js'

interface TemplateRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly look: () => SiteFacts
}

/** Serves the templates from which operators create events, and the schedules by which the exchange does. */
export function templateHandlers({ exchange, site, audit, look }: TemplateRooms): Binding[] {
  const { templates, schedules } = site
  const scheduleOf = (id: number) => schedules.all().find(({ template }) => template === id)
  const when = () => ({ now: exchange.now(), zone: look().timeZone })
  const shown = (template: SavedTemplate, schedule: SavedSchedule | undefined) =>
    templateView(template, schedule, when())
  const view = (template: SavedTemplate) => shown(template, scheduleOf(template.id))
  const all = (): TemplatesAnswer => {
    const byTemplate = new Map(schedules.all().map(schedule => [schedule.template, schedule]))
    return { templates: templates.all().map(template => shown(template, byTemplate.get(template.id))) }
  }
  const log = (call: Call, kind: Act, detail: string) => {
    const { who, address } = byOf(call)
    audit.write(kind, { name: '', by: who, address, detail })
  }
  const named = (call: Call) => templates.all().find(({ id }) => id === Number(call.params.number))
  return [
    handle(templateRoutes.listTemplates, call => success(call, 200, DONE.templatesFetched, all())),
    handle(templateRoutes.saveTemplate, async call => {
      const { name, category = '', source_url = '', ...rest } = validate(templateSchema, await readJson(call))
      const fields = { ...rest, category, source_url }
      const before = templates.all().find(template => template.name === name)
      const schedule = before === undefined ? undefined : scheduleOf(before.id)
      if (schedule !== undefined)
        assertCreatable(fields, { ...scheduleOfSaved(schedule), through: schedule.through }, when())
      const saved = unlessRefused(templates.put(name, fields))
      log(call, 'template_saved', `${name}: ${rest.title}`)
      return success(call, 200, DONE.templateSaved, view(saved))
    }),
    handle(templateRoutes.deleteTemplate, call => {
      const template = named(call)
      if (template !== undefined) {
        log(call, 'template_deleted', template.name)
        schedules.remove(template.id)
        templates.remove(template.id)
      }
      return success(call, 200, DONE.templateDeleted, all())
    }),
    handle(templateRoutes.saveSchedule, async call => {
      const schedule = validate(scheduleSchema, await readJson(call))
      const template = named(call)
      if (template === undefined) throw new ApiError(404, REFUSED.templateNotFound, 'template_not_found')
      assertCreatable(fieldsOf(template), { ...schedule, through: undefined }, when())
      unlessRefused(schedules.put(template.id, schedule))
      const detail = `${template.name}: ${scheduleLine(schedule)}`
      log(call, schedule.is_paused ? 'schedule_paused' : 'schedule_saved', detail)
      return success(call, 200, DONE.scheduleSaved, view(template))
    }),
    handle(templateRoutes.removeSchedule, call => {
      const template = named(call)
      if (template === undefined) throw new ApiError(404, REFUSED.templateNotFound, 'template_not_found')
      if (scheduleOf(template.id) !== undefined) {
        log(call, 'schedule_removed', template.name)
        schedules.remove(template.id)
      }
      return success(call, 200, DONE.scheduleRemoved, view(template))
    }),
  ]
}

/** Throws 422 unless a schedule can create its next events: texts may be too long with the date in them. */
function assertCreatable(...[fields, schedule, when]: Parameters<typeof nextOf>): void {
  assertDated(fields.title)
  const written = { zone: when.zone, language: schedule.language }
  for (const occurrence of nextOf(fields, schedule, when)) scheduledEvent(fields, occurrence, written)
}

/** No two events share a title. */
function assertDated(title: string): void {
  if (!title.includes('{date}')) throw new ApiError(422, REFUSED.dateMissing)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Describes a schedule for the audit log. */
function scheduleLine({ repeat, weekdays, month_day, ...schedule }: ScheduleFields): string {
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
