import t from 'tap'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { withSite } from '../../../src/http/pages/site-documents.js'
import { RAAY } from '../../../src/http/pages/site-facts.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'

const PATH = '/admin/announcement'
const operator = { bearer: OPERATOR_KEY }
const put = (body: unknown) => ({ ...operator, method: 'PUT', body })

t.test('nobody but operators changes the announcement, and everybody reads the current one', async t => {
  const app = await openAuthApp(t, { mode: 'accounts' })
  const asha = { session: (await app.signedIn('asha')).session.token }
  const shown = async () => (await app.ask('/')).additional.announcement
  const body = { en: 'Mine' }
  for (const method of ['PUT', 'DELETE', 'GET']) {
    const sent = method === 'PUT' ? { method, body } : { method }
    t.equal((await app.ask(PATH, sent)).reason, 'token_missing')
    t.equal((await app.ask(PATH, { ...asha, ...sent })).reason, 'operator_only')
  }
  t.equal(await shown(), undefined)
  t.match((await app.ask(PATH, operator)).additional, { announcement: null })

  const until = new Date(app.test.now + 60_000).toISOString()
  const words = { kind: 'warning', en: '<b>Stop</b> at six', hi: 'छह बजे बंद', until }
  t.equal((await app.ask(PATH, put({ ...words, en: '  <b>Stop</b>\nat\u202e six ' }))).status, 200)
  t.match(await shown(), { ...words, id: 1 }, 'text is text, cleaned')
  const detail = 'warning: <b>Stop</b> at six / छह बजे बंद'
  const published = { limit: 9, kind: 'announcement_published' } as const
  t.match(app.store.audit.list(published).lines, [{ by: 'token', address: '127.0.0.1', detail }])
  app.clock.now += 60_000
  t.equal(await shown(), undefined, 'its time is over')
  t.match((await app.ask(PATH, operator)).additional, { announcement: { id: 1 } }, 'operators see it still')

  await app.ask(PATH, put({ en: 'Back', hi: ' ' }))
  t.match(await shown(), { id: 2, kind: 'info', en: 'Back', hi: null, until: null })
  for (let time = 0; time < 2; time++) {
    t.equal((await app.ask(PATH, { ...operator, method: 'DELETE' })).status, 200)
    t.equal(await shown(), undefined)
  }
  const { lines } = app.store.audit.list({ limit: 9 })
  t.equal(lines.filter(({ kind }) => kind === 'announcement_removed').length, 1, 'nothing is removed twice')
  t.same(app.faults, [])
})

t.test('an announcement that cannot be shown is refused, and changes nothing', async t => {
  const app = await openAuthApp(t, { mode: 'accounts' })
  await app.ask(PATH, put({ en: 'First' }))
  const lines = app.store.audit.list({ limit: 9 }).lines.length
  const refused = async (fields: object, message: string) => {
    const answer = await app.ask(PATH, put({ en: 'fine', ...fields }))
    t.same([answer.status, answer.message], [422, message])
  }
  await refused({ en: undefined }, 'en: Required')
  await refused({ en: '\u200b ' }, 'en: Expected 1 to 280 characters')
  await refused({ en: 'x'.repeat(281) }, 'en: Expected at most 280 characters')
  await refused({ hi: 'x'.repeat(281) }, 'hi: Expected at most 280 characters')
  await refused({ en: 'x'.repeat(5000) }, 'en: Expected at most 280 characters')
  await refused({ until: 'tomorrow' }, 'until: Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z')
  await refused({ until: new Date(app.test.now).toISOString() }, 'until: Expected a time in the future')
  t.equal((await app.ask(PATH, put({ en: 'fine', kind: 'shout' }))).status, 422)
  t.match((await app.ask('/')).additional.announcement, { id: 1, en: 'First' })
  t.equal(app.store.audit.list({ limit: 9 }).lines.length, lines)
})

t.test('no text of the site brings parts of the page into itself', t => {
  const text = "costs $' or $& or $` or $$"
  const createdAt = '2026-11-23T00:00:00.000Z'
  const announcement = { id: 1, kind: 'info', en: text, hi: null, until: null, createdAt } as const
  const page = withSite('<html data-site><title>{{name}}</title>', { ...RAAY, name: text, announcement })
  const shown = text.replaceAll('&', '&amp;')
  t.ok(page.endsWith(`><title>${shown}</title>`), page)
  t.ok(page.includes(`&quot;en&quot;:&quot;${shown}&quot;`), page)
  t.equal(page.split('<html').length, 2)
  t.end()
})
