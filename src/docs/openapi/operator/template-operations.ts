import { DONE } from '../../../api/answer-texts.js'
import { FULL } from '../../../api/refusal-texts.js'
import { templateAnswer, templateSchema, templatesAnswer } from '../../../api/site/template-schema.js'
import type { Operation } from '../operation.js'

const template = {
  name: 'Rain in Mumbai',
  title: 'Will it rain in Mumbai on {date}?',
  description: 'YES if IMD reports rain on {weekday}, {date}.',
  ...{ sot: 'IMD', min_bet: 1, max_bet: 10_000, quantity: 100_000, payout: 10, tick_size: 0.01 },
  ...{ category: 'Weather', source_url: '', opens_at: '09:00', closes_at: '18:00', days: 0 },
}
const saved = { id: 1, ...template }

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
      'placeholders and the dates. Templates are in backups, not in the journal.',
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
      422: ['name: Required', 'closes_at: Expected a later time than opens_at, or more days'],
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
]
