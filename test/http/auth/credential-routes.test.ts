import t from 'tap'
import { DAY, PASSWORD } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'
import { SoftAuthenticator } from '../../fixtures/soft-authenticator.js'

/** Signs someone up; returns the token of the session. */
async function signUp({ ask }: AuthApp, name: string): Promise<string> {
  return (await ask('/auth/sign-up', { body: { name, password: PASSWORD } })).token
}

interface Listed {
  readonly id: number
}

t.test('people see and end their own sessions only', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const asha = await signUp(auth, 'asha')
  const ravi = await signUp(auth, 'ravi')
  const phone = { body: { name: 'asha', password: PASSWORD }, headers: { 'User-Agent': 'Phone' } }
  const second = (await ask('/auth/login', phone)).token
  const listed = await ask('/auth/sessions', { session: asha })
  t.match(listed.additional, {
    sessions: [
      { browser: 'Phone', address: '127.0.0.1', is_current: false },
      { browser: '', is_current: true },
    ],
  })
  const [newest] = listed.additional.sessions as Listed[]
  const end = (session: string | undefined, id: unknown) =>
    ask(`/auth/sessions/${id}`, { method: 'DELETE', session })
  t.equal((await end(ravi, newest?.id)).reason, 'credential_not_found')
  for (const id of ['0', '-1', 'x', '1e3', '99999']) t.equal((await end(asha, id)).status, 404, id)
  t.equal((await end(undefined, newest?.id)).status, 401)
  t.equal((await end(asha, newest?.id)).status, 200)
  t.equal((await ask('/auth/sessions', { session: second })).status, 401)
})

t.test('a key is shown once, acts for its owner within its scopes, and ends when it is revoked', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  await auth.test.create()
  const session = await signUp(auth, 'asha')
  const made = await ask('/auth/keys', { session, body: { name: 'bot', scopes: ['read'] } })
  const bearer = String(made.additional.key)
  t.match(bearer, /^rk_[\w-]{43}$/)
  const list = await ask('/auth/keys', { session })
  t.notOk(JSON.stringify(list.additional).includes(bearer))
  t.match((await ask('/auth/session', { bearer })).additional, {
    caller: { kind: 'api_key', scopes: ['read'] },
  })
  t.equal((await ask('/portfolio/asha/balance', { bearer })).status, 200)
  t.equal((await ask('/portfolio/ravi/balance', { bearer })).reason, 'other_user')
  t.equal((await ask('/order', { method: 'DELETE', bearer })).reason, 'scope_missing')
  const id = String((list.additional.keys as Listed[])[0]?.id)
  t.equal((await ask(`/auth/keys/${id}`, { method: 'DELETE', session })).status, 200)
  t.same(auth.ended, [`key:${id}`])
  t.equal((await ask('/auth/session', { bearer })).reason, 'token_wrong')
})

t.test("a request for API keys with the operator's key must name a user", async t => {
  const auth = await openAuthApp(t)
  const asha = auth.account('asha')
  auth.store.keys.make(asha, { name: 'bot', scopes: ['read'] }, { by: '', address: '' })
  const keys = auth.store.keys.list(asha)
  const id = keys[0]?.id
  const bearer = OPERATOR_KEY
  for (const [path, method] of [
    ['/auth/keys', 'GET'],
    [`/auth/keys/${id}`, 'DELETE'],
  ] as const) {
    const refused = await auth.ask(path, { method, bearer })
    t.match(refused, { status: 403, reason: 'session_needed' }, method)
    t.match(refused.message, /no API keys of its own: name their user/)
  }
  t.same(auth.store.keys.list(asha), keys, 'nothing is revoked')
  t.equal((await auth.ask(`/auth/keys/${id}?user=asha`, { method: 'DELETE', bearer })).status, 200)
  t.same(auth.store.keys.list(asha), [])
})

t.test('a key makes no keys, sees no sessions and changes no account, no matter who owns it', async t => {
  const auth = await openAuthApp(t)
  const admin = auth.account('priya', 'admin')
  const scopes = ['read', 'trade', 'money', 'operate'] as const
  const key = auth.store.keys.make(admin, { name: 'all', scopes }, { by: '', address: '' })
  const bearer = typeof key === 'object' && 'token' in key ? key.token : ''
  const own = ['/auth/sessions', '/auth/keys', '/auth/passkeys', '/auth/invitations']
  for (const path of own) t.equal((await auth.ask(path, { bearer })).reason, 'session_needed', path)
  const posts: readonly (readonly [string, object])[] = [
    ['/auth/keys', { name: 'x', scopes: ['read'] }],
    ['/auth/keys', { name: 'x', scopes: ['read'], user: 'priya' }],
    ['/auth/users', { name: 'mallory', role: 'admin' }],
    ['/auth/users/priya/role', { role: 'viewer' }],
    ['/auth/users/priya/recovery', {}],
    ['/auth/invitations', { role: 'admin' }],
    ['/auth/password', { current: PASSWORD, password: PASSWORD }],
    ['/auth/passkeys/options', {}],
    ['/auth/logout', {}],
  ]
  for (const [path, body] of posts) t.equal((await auth.ask(path, { body, bearer })).status, 403, path)
  t.equal((await auth.ask('/auth/users', { bearer })).status, 200, 'but an operator may look')
  t.equal((await auth.ask('/auth/audit', { bearer })).status, 200)
})

t.test('admins make, list and revoke keys of others; nobody else does', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const asha = await signUp(auth, 'asha')
  const ravi = await signUp(auth, 'ravi')
  const body = { name: 'bot', scopes: ['trade'], user: 'asha' }
  t.equal((await ask('/auth/keys', { body, session: ravi })).reason, 'admin_only')
  t.equal((await ask('/auth/keys', { body })).status, 401)
  t.equal((await ask('/auth/keys', { body: { ...body, user: 'nobody' }, bearer: OPERATOR_KEY })).status, 404)
  t.equal((await ask('/auth/keys', { body, bearer: OPERATOR_KEY })).status, 201)
  t.equal(
    (await ask('/auth/keys', { body: { ...body, scopes: ['money'] }, bearer: OPERATOR_KEY })).status,
    403,
  )
  t.equal((await ask('/auth/keys', { body, session: asha })).status, 201, 'naming oneself is no offence')
  t.equal((await ask('/auth/keys?user=asha', { session: ravi })).reason, 'admin_only')
  const { additional } = await ask('/auth/keys?user=asha', { bearer: OPERATOR_KEY })
  const [newest] = additional.keys as Listed[]
  const path = `/auth/keys/${newest?.id}`
  t.equal((await ask(path, { method: 'DELETE', session: ravi })).status, 404)
  t.equal((await ask(`${path}?user=asha`, { method: 'DELETE', session: ravi })).status, 403)
  t.equal((await ask(`${path}?user=asha`, { method: 'DELETE', bearer: OPERATOR_KEY })).status, 200)
})

t.test('a key that may not be is refused with the field', async t => {
  const auth = await openAuthApp(t)
  const session = await signUp(auth, 'asha')
  const make = (changes: object) =>
    auth.ask('/auth/keys', { session, body: { name: 'bot', scopes: ['read'], ...changes } })
  const rows: readonly (readonly [object, RegExp])[] = [
    [{ name: '' }, /^name: /],
    [{ name: 'x'.repeat(65) }, /^name: /],
    [{ scopes: [] }, /^scopes: /],
    [{ scopes: ['all'] }, /^scopes: /],
    [{ addresses: ['anywhere'] }, /^addresses: /],
    [{ expires_at: 'tomorrow' }, /^expires_at: /],
    [{ expires_at: '2001-01-01T00:00:00Z' }, /^expires_at: /],
  ]
  for (const [changes, message] of rows) t.match(await make(changes), { status: 422, message })
  t.match(await make({ scopes: ['operate'] }), { status: 403, reason: 'scope_missing' })
  t.same((await auth.ask('/auth/keys', { session })).additional, { keys: [] })
})

t.test('a passkey is added, signs in and is removed', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const session = await signUp(auth, 'asha')
  const device = new SoftAuthenticator('http://localhost:3000')
  const post = (path: string, asked: object = {}) => ask(path, { method: 'POST', ...asked })
  const { additional } = await post('/auth/passkeys/options', { session })
  const response = device.create(additional.options as Parameters<typeof device.create>[0])
  const added = await post('/auth/passkeys', { session, body: { name: 'phone', response } })
  t.match(added, { status: 201, additional: { name: 'phone' } }, added.message)
  const login = async (forgery = {}) => {
    const { additional } = await post('/auth/passkey-login/options')
    const signed = device.get(additional.options as Parameters<typeof device.get>[0], forgery)
    return post('/auth/passkey-login', { body: { response: signed } })
  }
  const welcome = await login()
  t.match(
    welcome,
    { status: 200, additional: { caller: { userid: 'asha', kind: 'session' } } },
    welcome.message,
  )
  t.match(welcome.cookie, /^raay_session=rs_/)
  t.match(await login({ origin: 'http://localhost:4000' }), {
    status: 401,
    reason: 'passkey_wrong',
    cookie: '',
  })
  const other = await signUp(auth, 'ravi')
  const path = `/auth/passkeys/${(added.additional as unknown as Listed).id}`
  t.equal((await ask(path, { method: 'DELETE', session: other })).status, 404)
  t.equal((await ask(path, { method: 'DELETE', session })).status, 200)
  t.equal((await login()).reason, 'passkey_wrong')
})

t.test('on an IP address passkeys say where they would work', async t => {
  const auth = await openAuthApp(t)
  const session = await signUp(auth, 'asha')
  const headers = { Host: '127.0.0.1:3000' }
  t.match((await auth.ask('/auth/session', { headers })).additional, { passkeys: false })
  for (const path of ['/auth/passkeys/options', '/auth/passkey-login/options']) {
    t.match(await auth.ask(path, { method: 'POST', session, headers }), {
      status: 409,
      reason: 'passkeys_unavailable',
      message: /open http:\/\/localhost:3000/,
    })
  }
})

t.test('only admins change accounts, and the last of them stays', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const operator = await auth.signedIn('olga', 'operator')
  const trader = await signUp(auth, 'asha')
  const post = (path: string, body: object, session?: string) =>
    ask(path, { body, ...(session === undefined ? { bearer: OPERATOR_KEY } : { session }) })
  const first = await post('/auth/users', { name: 'Priya', role: 'admin', password: PASSWORD })
  t.match(first, { status: 201, additional: { name: 'priya', role: 'admin', disabled: false } })
  const admin = (await post('/auth/login', { name: 'priya', password: PASSWORD }, '')).token
  const changes: readonly (readonly [string, object])[] = [
    ['/auth/users', { name: 'mallory', role: 'admin' }],
    ['/auth/users/asha/role', { role: 'admin' }],
    ['/auth/users/asha/disable', {}],
    ['/auth/users/asha/enable', {}],
    ['/auth/users/asha/recovery', {}],
    ['/auth/invitations', { role: 'admin' }],
  ]
  for (const [path, body] of changes) {
    for (const session of [trader, operator.session.token]) {
      t.equal((await post(path, body, session)).reason, 'admin_only', path)
    }
    t.equal((await ask(path, { body })).reason, 'token_missing', path)
  }
  t.equal((await ask('/auth/users', { session: trader })).reason, 'operator_only')
  t.equal((await ask('/auth/audit', { session: trader })).reason, 'operator_only')
  t.match((await ask('/auth/users?q=sh', { session: operator.session.token })).additional, {
    users: [{ name: 'asha', role: 'trader', sessions: 1 }],
    next_cursor: null,
  })

  t.equal((await post('/auth/users/priya/role', { role: 'trader' }, admin)).reason, 'last_admin')
  t.equal((await post('/auth/users/priya/disable', {}, admin)).reason, 'last_admin')
  t.match((await post('/auth/users/ASHA/role', { role: 'admin' }, admin)).additional, { role: 'admin' })
  t.match((await post('/auth/users/priya/disable', {}, trader)).additional, { disabled: true, sessions: 0 })
  t.equal((await ask('/auth/sessions', { session: admin })).status, 401, 'a disabled admin is out at once')
  t.equal((await post('/auth/users/nobody/role', { role: 'trader' }, trader)).reason, 'user_not_found')
  t.equal((await post('/auth/users/asha/role', { role: 'king' }, trader)).status, 422)
})

t.test('an expired key is 401 with the reason, one from elsewhere 403', async t => {
  const auth = await openAuthApp(t)
  const session = await signUp(auth, 'asha')
  const expires_at = new Date(auth.clock.now + DAY).toISOString()
  const body = { name: 'bot', scopes: ['read'], expires_at, addresses: ['203.0.113.0/24'] }
  const bearer = String((await auth.ask('/auth/keys', { session, body })).additional.key)
  const ask = (from: string) => auth.ask('/order?userid=asha', { bearer, from })
  t.equal((await ask('198.51.100.1')).reason, 'address_refused')
  t.equal((await ask('203.0.113.9')).status, 200)
  const read = (from: string, token = bearer) => auth.ask('/events?limit=1', { bearer: token, from })
  t.equal((await read('198.51.100.1')).status, 200, 'and reads there what needs no key')
  t.equal(
    (await read('198.51.100.1', `${bearer.slice(0, -1)}~`)).status,
    401,
    'a wrong key is refused all the same',
  )
  auth.clock.now += DAY
  t.match(await ask('203.0.113.9'), { status: 401, reason: 'token_expired' })
})

t.test('who reaches for more than their rights stands in the audit log, counted', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const session = await signUp(auth, 'asha')
  const made = await ask('/auth/keys', {
    session,
    body: { name: 'bot', scopes: ['read'], addresses: ['10.0.0.1'] },
  })
  const bearer = String(made.additional.key)
  for (let times = 0; times < 3; times++) await ask('/portfolio/ravi/balance', { session })
  await ask('/admin/health', { session, from: '127.0.0.9' })
  await ask('/auth/users', { session, body: { name: 'mallory', role: 'admin' } })
  await ask('/order', { bearer, from: '10.0.0.1', method: 'DELETE' })
  await ask('/order', { bearer, from: '10.0.0.2' })
  await ask('/order', { bearer: 'rk_forged' })
  await ask('/events', {})
  await ask('/auth/session', { session: 'rs_stale' })
  const { lines } = auth.store.audit.list({ limit: 100 })
  const refusals = lines.filter(({ by }) => by === '').reverse()
  t.same(
    refusals.map(({ kind, name, address, detail, times }) => [kind, name, address, detail, times]),
    [
      ['other_user', 'asha', '127.0.0.1', 'GET /portfolio/ravi/balance', 3],
      ['operator_only', 'asha', '127.0.0.9', 'GET /admin/health', 1],
      ['operator_only', 'asha', '127.0.0.1', 'POST /auth/users', 1],
      ['scope_missing', 'asha', '10.0.0.1', 'DELETE /order', 1],
      ['address_refused', '', '10.0.0.2', 'API key', 1],
      ['token_refused', '', '127.0.0.1', 'API key', 1],
    ],
  )
  t.notOk(JSON.stringify(lines).includes('rk_'), 'no token is written')
})

t.test('the audit log tells operators what happened, page by page', async t => {
  const auth = await openAuthApp(t)
  const asha = await signUp(auth, 'asha')
  await auth.ask('/auth/keys', { session: asha, body: { name: 'bot', scopes: ['read'] } })
  await auth.ask('/auth/login', { body: { name: 'asha', password: 'wrong wrong wrong' }, from: '127.0.0.9' })
  const list = async (query: string) => {
    const { additional } = await auth.ask(`/auth/audit${query}`, { bearer: OPERATOR_KEY })
    return additional as { readonly lines: readonly { kind: string }[]; readonly next_cursor: string | null }
  }
  const { lines } = await list('')
  t.same(
    lines.map(({ kind }) => kind),
    ['sign_in_failed', 'key_made', 'sign_in', 'sign_up'],
  )
  t.match(lines[0], { name: 'asha', address: '127.0.0.9', times: 1 })
  const first = await list('?limit=1&q=asha')
  t.match(await list(`?limit=1&q=asha&cursor=${first.next_cursor}`), { lines: [{ kind: 'key_made' }] })
  t.match(await list('?kind=sign_up'), { lines: [{ kind: 'sign_up' }], next_cursor: null })
  t.equal((await auth.ask('/auth/audit?kind=gossip', { bearer: OPERATOR_KEY })).status, 422)
})

t.test('a passkey is renamed by its owner alone, to a name that is one', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const [asha, ravi] = [await signUp(auth, 'asha'), await signUp(auth, 'ravi')]
  const device = new SoftAuthenticator('http://localhost:3000')
  const { additional } = await ask('/auth/passkeys/options', { session: asha, method: 'POST' })
  const response = device.create(additional.options as Parameters<typeof device.create>[0])
  const added = await ask('/auth/passkeys', { session: asha, body: { name: 'phone', response } })
  const path = `/auth/passkeys/${String(added.additional.id)}`
  const rename = (name: unknown, session = asha) => ask(path, { method: 'PATCH', session, body: { name } })
  t.equal((await rename('mine', ravi)).reason, 'credential_not_found')
  t.match(await rename(''), { status: 422, message: /^name: / })
  t.match(await rename('x'.repeat(65)), { status: 422, message: /^name: / })
  t.match(await rename('Work phone'), { status: 200, additional: { name: 'Work phone' } })
  await rename('Work phone')
  t.match((await ask('/auth/passkeys', { session: asha })).additional, { passkeys: [{ name: 'Work phone' }] })
  const { lines } = auth.store.audit.list({ kind: 'passkey_renamed', limit: 9 })
  t.match(lines, [{ name: 'asha', detail: /^passkey \d+ "phone" → "Work phone"$/ }])
  t.equal(lines.length, 1, 'no line for a change of nothing')
})

t.test('forged tokens of any kind are counted in the audit log, within a bound', async t => {
  const auth = await openAuthApp(t)
  for (const bearer of ['ro_forged', 'ro_forged-again', 'rk_forged', 'anything', 'x'.repeat(9000)]) {
    t.equal((await auth.ask('/order?userid=asha', { bearer })).status, 401)
  }
  const { lines } = auth.store.audit.list({ kind: 'token_refused', limit: 9 })
  t.same(lines.map(({ detail, times }) => `${detail} ${times}`).sort(), [
    'API key 1',
    'operator key 2',
    'token 2',
  ])
})
