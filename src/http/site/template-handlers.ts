import type { Context } from 'hono'
import { Hono } from 'hono'
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
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'
import type { SiteFacts } from '../pages/site-facts.js'
import { unlessRefused } from './site-writes.js'
import { scheduleLine } from './schedule-line.js'
import { fieldsOf, nextOf, scheduleOfSaved, templateView } from './template-view.js'

interface TemplateRooms {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly audit: AuditLog
  readonly guards: OperatorGuards
  readonly look: () => SiteFacts
}

/** Serves the templates from which operators create events, and the schedules by which the exchange does. */
export function templateRoutes({ exchange, site, audit, guards, look }: TemplateRooms): Hono {
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
  const log = (c: Context, kind: Act, detail: string) => {
    const { who, address } = byOf(c)
    audit.write(kind, { name: '', by: who, address, detail })
  }
  const named = (c: Context) => templates.all().find(({ id }) => id === Number(c.req.param('number')))
  return new Hono()
    .get('/templates', guards.read, c => success(c, 200, DONE.templatesFetched, all()))
    .put('/templates', guards.operate, async c => {
      const { name, category = '', source_url = '', ...rest } = validate(templateSchema, await readJson(c))
      const fields = { ...rest, category, source_url }
      const before = templates.all().find(template => template.name === name)
      const schedule = before === undefined ? undefined : scheduleOf(before.id)
      if (schedule !== undefined)
        assertCreatable(fields, { ...scheduleOfSaved(schedule), through: schedule.through }, when())
      const saved = unlessRefused(templates.put(name, fields))
      log(c, 'template_saved', `${name}: ${rest.title}`)
      return success(c, 200, DONE.templateSaved, view(saved))
    })
    .delete('/templates/:number', guards.operate, c => {
      const template = named(c)
      if (template !== undefined) {
        log(c, 'template_deleted', template.name)
        schedules.remove(template.id)
        templates.remove(template.id)
      }
      return success(c, 200, DONE.templateDeleted, all())
    })
    .put('/templates/:number/schedule', guards.operate, async c => {
      const schedule = validate(scheduleSchema, await readJson(c))
      const template = named(c)
      if (template === undefined) throw new ApiError(404, REFUSED.templateNotFound, 'template_not_found')
      assertCreatable(fieldsOf(template), { ...schedule, through: undefined }, when())
      unlessRefused(schedules.put(template.id, schedule))
      const detail = `${template.name}: ${scheduleLine(schedule)}`
      log(c, schedule.is_paused ? 'schedule_paused' : 'schedule_saved', detail)
      return success(c, 200, DONE.scheduleSaved, view(template))
    })
    .delete('/templates/:number/schedule', guards.operate, c => {
      const template = named(c)
      if (template === undefined) throw new ApiError(404, REFUSED.templateNotFound, 'template_not_found')
      if (scheduleOf(template.id) !== undefined) {
        log(c, 'schedule_removed', template.name)
        schedules.remove(template.id)
      }
      return success(c, 200, DONE.scheduleRemoved, view(template))
    })
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
