import t from 'tap'
import { openAuthApp } from '../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../fixtures/http-scenario.js'

const URL = 'https://hooks.example.org/services/T0/very-secret?token=also-secret'
const EVENTS = ['created', 'resolved']

t.test('operators keep webhooks, whose addresses and secrets are shown to nobody', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  const ask = (method: string, path: string, body?: object) =>
    app.ask(path, { method, bearer: OPERATOR_KEY, ...(body && { body }) })
  t.match(await app.ask('/webhooks', { body: { url: URL, events: EVENTS } }), { status: 401 })
  for (const [changes, message] of [
    [{ url: 'https://localhost/x' }, /not one of this machine or network/],
    [{ url: 'https://10.0.0.1/x' }, /not one of this machine or network/],
    [{ url: 'https://[::ffff:127.0.0.1]/x' }, /not one of this machine or network/],
    [{ url: 'http://hooks.example.org/x' }, 'url: Expected https'],
    [{ url: 'https://hooks.example.org:8080/x' }, 'url: Expected port 443 or 8443'],
    [{ url: 'hooks' }, /^url: Expected an address such as/],
    [{ url: `https://hooks.example.org/${'x'.repeat(2048)}` }, 'url: Expected at most 2048 characters'],
    [{ events: [] }, 'events: Expected at least one event'],
    [{ events: ['created', 'created'] }, 'events: Expected each event once'],
    [{ events: ['everything'] }, /^events/],
    [{ format: 'pager' }, /^format/],
    [{ secret: 'mine' }, /^secret: Unknown field/],
  ] as const) {
    const refused = await ask('POST', '/webhooks', { url: URL, events: EVENTS, ...changes })
    t.match(refused, { status: 422, message }, JSON.stringify(changes))
    t.notMatch(refused.message, /very-secret|also-secret/)
  }
  const created = await ask('POST', '/webhooks', { url: URL, events: EVENTS })
  t.match(created, {
    status: 201,
    additional: { url: 'https://hooks.example.org/…', events: EVENTS, format: 'standard', state: 'on' },
  })
  const { webhook, secret } = created.additional as { webhook: string; secret: string }
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(await ask('PATCH', `/webhooks/${webhook}`, { is_enabled: false }), {
    status: 200,
    additional: { state: 'disabled' },
  })
  t.match(await ask('PATCH', `/webhooks/${webhook}`, { url: 'http://10.0.0.1/' }), { status: 422 })
  const rotated = await ask('POST', `/webhooks/${webhook}/rotate`)
  t.match(rotated, { status: 200, additional: { secret: /^whsec_/, old_secret_until: /Z$/ } })
  t.not(rotated.additional.secret, secret)
  t.match(await ask('POST', `/webhooks/${webhook}/test`), { additional: { event: 'test', status: 204 } })
  t.match(await ask('POST', `/webhooks/${webhook}/replay`, { from_sequence: 99 }), { status: 422 })
  t.match(await ask('POST', `/webhooks/${webhook}/replay`, { from_sequence: 1 }), {
    status: 200,
    additional: { reached_sequence: 0 },
  })
  t.match((await ask('GET', `/webhooks/${webhook}/deliveries`)).additional, {
    deliveries: [{ event: 'test', status: 204 }],
  })
  const shown = [
    await ask('GET', '/webhooks'),
    await ask('GET', `/webhooks/${webhook}`),
    await ask('GET', `/webhooks/${webhook}/deliveries`),
    await ask('GET', '/admin/actions'),
    await ask('GET', '/auth/audit'),
  ].map(({ additional }) => JSON.stringify(additional))
  for (const text of shown) t.notMatch(text, /very-secret|also-secret|whsec_/)
  t.match(shown[3], webhook)
  t.match(await ask('DELETE', `/webhooks/${webhook}`), { status: 200 })
  t.match(await ask('GET', `/webhooks/${webhook}`), { status: 404, reason: 'webhook_not_found' })
  const log = (await ask('GET', '/admin/actions')).additional as { actions: { action: string }[] }
  const actions = log.actions.map(({ action }) => action).filter(action => action.endsWith('webhook'))
  t.same(
    actions,
    ['delete', 'replay', 'edit', 'disable', 'create'].map(verb => `${verb}_webhook`),
  )
})
