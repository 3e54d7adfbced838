import { DONE } from '../answer-texts.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { scheduleSchema } from '../site/schedule-schema.js'
import { templateAnswer, templateSchema, templatesAnswer } from '../site/template-schema.js'
import { route } from '../route.js'

const template = {
  name: 'Rain in Mumbai',
  title: 'Will it rain in Mumbai on {date}?',
  description: 'YES if IMD reports rain on {weekday}, {date}.',
  ...{ sot: 'IMD', min_bet: 1, max_bet: 10_000, quantity: 100_000, payout: 10, tick_size: 0.01 },
  ...{ category: 'Weather', source_url: '', opens_at: '09:00', closes_at: '18:00', days: 0 },
}
const schedule = { repeat: 'weekly', weekdays: [6, 7], hours_before: 48, ends_on: '2026-12-31' }
const saved = { id: 1, ...template, schedule: null }
const scheduled = {
  ...{ ...schedule, month_day: 1, ends_after: null, language: 'en', is_paused: false, created: 2 },
  through: '2026-11-22',
  ...{ next: ['2026-11-28T03:30:00.000Z', '2026-11-29T03:30:00.000Z'], trouble: null },
}

/** Routes of the templates of events. */
export const templateRoutes = {
  listTemplates: route({
    id: 'listTemplates',
    method: 'GET',
    path: '/admin/templates',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'List the templates of events by name',
    answers: [
      {
        code: 200,
        message: DONE.templatesFetched,
        additional: templatesAnswer,
        samples: { 'one template': { additional: { templates: [saved] } } },
      },
    ],
    refusals: {},
  }),
  saveTemplate: route({
    id: 'saveTemplate',
    method: 'PUT',
    path: '/admin/templates',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Save a template of events',
    description:
      'A template of the same name is replaced. It creates no event: the operator pages fill in the ' +
      'placeholders and the dates, and so does the exchange for those with a schedule. Templates are in ' +
      'backups, not in the journal.',
    body: { schema: templateSchema, samples: { template } },
    answers: [
      {
        code: 200,
        message: DONE.templateSaved,
        additional: templateAnswer,
        samples: { template: { additional: saved } },
      },
    ],
    refusals: {
      409: [FULL.templates_full],
      422: [
        'name: Required',
        'closes_at: Expected a later time than opens_at, or more days',
        REFUSED.dateMissing,
      ],
    },
  }),
  deleteTemplate: route({
    id: 'deleteTemplate',
    method: 'DELETE',
    path: '/admin/templates/:number',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Delete a template of events; deleting it again changes nothing',
    answers: [
      {
        code: 200,
        message: DONE.templateDeleted,
        additional: templatesAnswer,
        samples: { 'no template': { additional: { templates: [] } } },
      },
    ],
    refusals: {},
  }),
  saveSchedule: route({
    id: 'saveSchedule',
    method: 'PUT',
    path: '/admin/templates/:number/schedule',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Let the exchange create events from a template on certain days',
    description:
      'Each event is created once, `hours_before` it opens, at the times of day of the template. Its title ' +
      'must have `{date}`. What opened before the schedule was saved, or while it was paused, is not ' +
      'created; what was missed while the exchange was stopped is, if it has not closed yet. What cannot ' +
      'be created is tried again every minute. Schedules are in backups, not in the journal.',
    body: { schema: scheduleSchema, samples: { weekends: schedule } },
    answers: [
      {
        code: 200,
        message: DONE.scheduleSaved,
        additional: templateAnswer,
        samples: { scheduled: { additional: { ...saved, schedule: scheduled } } },
      },
    ],
    refusals: {
      404: [REFUSED.templateNotFound],
      422: [REFUSED.dateMissing, 'weekdays: Expected at least one weekday'],
    },
  }),
  removeSchedule: route({
    id: 'removeSchedule',
    method: 'DELETE',
    path: '/admin/templates/:number/schedule',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Remove the schedule of a template; events created by it stay',
    answers: [
      {
        code: 200,
        message: DONE.scheduleRemoved,
        additional: templateAnswer,
        samples: { template: { additional: saved } },
      },
    ],
    refusals: { 404: [REFUSED.templateNotFound] },
  }),
}
