import { DONE } from '../../../api/answer-texts.js'
import { FULL, REFUSED } from '../../../api/refusal-texts.js'
import { scheduleSchema } from '../../../api/site/schedule-schema.js'
import { templateAnswer, templateSchema, templatesAnswer } from '../../../api/site/template-schema.js'
import type { Operation } from '../operation.js'

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

/** Operations about the templates of events. */
export const templateOperations: readonly Operation[] = [
  {
    id: 'listTemplates',
    method: 'get',
    path: '/admin/templates',
    group: 'Operator',
    summary: 'List the templates of events by name',
    isOperators: true,
    answers: [
      {
        code: 200,
        message: DONE.templatesFetched,
        additional: templatesAnswer,
        samples: { 'one template': { additional: { templates: [saved] } } },
      },
    ],
    refusals: {},
  },
  {
    id: 'saveTemplate',
    method: 'put',
    path: '/admin/templates',
    group: 'Operator',
    summary: 'Save a template of events',
    description:
      'A template of the same name is replaced. It creates no event: the operator pages fill in the ' +
      'placeholders and the dates, and so does the exchange for those with a schedule. Templates are in ' +
      'backups, not in the journal.',
    isOperators: true,
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
  },
  {
    id: 'deleteTemplate',
    method: 'delete',
    path: '/admin/templates/:number',
    group: 'Operator',
    summary: 'Delete a template of events; deleting it again changes nothing',
    isOperators: true,
    answers: [
      {
        code: 200,
        message: DONE.templateDeleted,
        additional: templatesAnswer,
        samples: { 'no template': { additional: { templates: [] } } },
      },
    ],
    refusals: {},
  },
  {
    id: 'saveSchedule',
    method: 'put',
    path: '/admin/templates/:number/schedule',
    group: 'Operator',
    summary: 'Let the exchange create events from a template on certain days',
    description:
      'Each event is created once, `hours_before` it opens, at the times of day of the template. Its title ' +
      'must have `{date}`. What opened before the schedule was saved, or while it was paused, is not ' +
      'created; what was missed while the exchange was stopped is, if it has not closed yet. What cannot ' +
      'be created is tried again every minute. Schedules are in backups, not in the journal.',
    isOperators: true,
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
  },
  {
    id: 'removeSchedule',
    method: 'delete',
    path: '/admin/templates/:number/schedule',
    group: 'Operator',
    summary: 'Remove the schedule of a template; events created by it stay',
    isOperators: true,
    answers: [
      {
        code: 200,
        message: DONE.scheduleRemoved,
        additional: templateAnswer,
        samples: { template: { additional: saved } },
      },
    ],
    refusals: { 404: [REFUSED.templateNotFound] },
  },
]
