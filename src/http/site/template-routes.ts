import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import type { TemplateAnswer, TemplatesAnswer } from '../../api/site/template-schema.js'
import { templateAnswer, templateSchema } from '../../api/site/template-schema.js'
import { validate } from '../../api/validation.js'
import type { SavedTemplate } from '../../site/event-templates.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { unlessRefused } from './site-writes.js'

/** Serves the templates from which operators create events. */
export function templateRoutes(site: SiteStore, guards: OperatorGuards): Hono {
  const all = (): TemplatesAnswer => ({ templates: site.templates.all().map(view) })
  return new Hono()
    .get('/templates', guards.read, c => success(c, 200, DONE.templatesFetched, all()))
    .put('/templates', guards.operate, async c => {
      const { name, category = '', source_url = '', ...rest } = validate(templateSchema, await readJson(c))
      const saved = unlessRefused(site.templates.put(name, { ...rest, category, source_url }))
      return success(c, 200, DONE.templateSaved, view(saved))
    })
    .delete('/templates/:number', guards.operate, c => {
      site.templates.remove(Number(c.req.param('number')))
      return success(c, 200, DONE.templateDeleted, all())
    })
}

function view({ id, name, fields }: SavedTemplate): TemplateAnswer {
  return templateAnswer.parse({ id, name, ...fields })
}
