import type { Test } from 'tap'
import t from 'tap'
import { HOUR, MINUTE, PASSWORD } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'

const OTHER = 'another horse battery'

/** Signs someone up; returns the token of the session. */
async function signUp({ ask }: AuthApp, t: Test, name: string): Promise<string> {
  const { status, token, message } = await ask('/auth/sign-up', { body: { name, password: PASSWORD } })
  t.equal(status, 201, message)
  return token
}

t.test('sign-up, login, logout: one session after the other', async t => {
  const auth = await openAuthApp(t)
  const { ask } = auth
  const token = await signUp(auth, t, 'Asha')
  const status = await ask('/auth/session', { session: token })
  t.match(status.additional, {
    ...{ mode: 'accounts', sign_up: 'open', needs_admin: true, passkeys: true },
    caller: { kind: 'session', userid: 'asha', role: 'trader', scopes: ['read', 'trade'] },
  })
  const login = await ask('/auth/login', { body: { name: 'ASHA', password: PASSWORD } })
  t.match(login.additional, { caller: { userid: 'asha' } })
  t.not(login.token, token)
  t.equal((await ask('/auth/logout', { method: 'POST', session: token })).status, 200)
  t.equal((await ask('/auth/session', { session: token })).additional.caller, null)
  t.ok((await ask('/auth/session', { session: login.token })).additional.caller, 'the other one stays')
  t.equal((await ask('/auth/logout', { method: 'POST', session: token })).status, 401)
})

t.test('a session trades for its own user only', async t => {
  const auth = await openAuthApp(t)
  await auth.test.create()
  const session = await signUp(auth, t, 'asha')
  const order = { event_id: '1000001', l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy' }
  const place = (body: object, asked: object) =>
    auth.ask('/order/initiate', { body: { ...order, order_type: 'LO', ...body }, ...asked })
  t.equal((await place({ userid: 'asha' }, {})).reason, 'token_missing')
  t.equal((await place({ userid: 'ravi' }, { session })).reason, 'other_user')
  const own = await place({}, { session })
  t.equal(own.status, 201, own.message)
  t.equal((await auth.ask('/portfolio/asha/balance', { session })).status, 200)
})

t.test('a new login in the same browser ends its former session', async t => {
  const auth = await openAuthApp(t)
  const first = await signUp(auth, t, 'asha')
  const { token } = await auth.ask('/auth/login', {
    body: { name: 'asha', password: PASSWORD },
    session: first,
  })
  t.equal(auth.store.find(first, ''), undefined)
  t.ok(auth.store.find(token, ''))
  t.equal(auth.ended.length, 1)
})

t.test('the cookie is HttpOnly and Strict; under TLS it is Secure and bound to the host', async t => {
  const body = { name: 'asha', password: PASSWORD }
  const plain = await openAuthApp(t)
  const { cookie } = await plain.ask('/auth/sign-up', { body })
  t.match(cookie, /^raay_session=rs_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)

  const publicUrl = 'https://raay.example'
  const secure = await openAuthApp(t, { publicUrl })
  for (const headers of [{ Host: 'raay.example' }, { Host: '127.0.0.1:3000', Origin: publicUrl }]) {
    const answer = await secure.ask('/auth/sign-up', {
      body: { ...body, name: `${headers.Host.slice(0, 4)}x` },
      headers,
    })
    t.match(
      answer.cookie,
      /^__Host-raay_session=rs_.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      answer.message,
    )
    t.notMatch(answer.cookie, /Domain/)
    t.equal((await secure.ask('/auth/session', { session: answer.token })).additional.caller, null)
    const own = { Cookie: `__Host-raay_session=${answer.token}` }
    t.ok((await secure.ask('/auth/session', { headers: own })).additional.caller)
  }
  const here = { Host: 'localhost:3000', Origin: 'http://localhost:3000' }
  const local = await secure.ask('/auth/login', { body: { ...body, name: 'raayx' }, headers: here })
  t.match(local.cookie, /^__Host-/, 'a plain cookie would not count, from this machine neither')
  const out = await plain.ask('/auth/logout', {
    method: 'POST',
    session: plain.store ? await again(plain) : '',
  })
  t.match(out.cookie, /^raay_session=; Max-Age=0/)
})

async function again({ ask }: AuthApp): Promise<string> {
  return (await ask('/auth/login', { body: { name: 'asha', password: PASSWORD } })).token
}

t.test('no password and no session crosses a network without TLS', async t => {
  const auth = await openAuthApp(t)
  await signUp(auth, t, 'asha')
  const body = { name: 'asha', password: PASSWORD }
  const cases = [
    { from: '192.168.1.7', headers: { Host: '192.168.1.5:3000' } },
    { from: '192.168.1.7', headers: { Host: 'localhost:3000' } },
    { from: '192.168.1.7', headers: { Host: '192.168.1.5:3000', Origin: 'http://localhost:3000' } },
    { from: '127.0.0.1', headers: { Host: 'raay.example' } },
    { from: '127.0.0.1', headers: { Host: 'localhost.raay.example' } },
  ]
  for (const asked of cases) {
    for (const path of [
      '/auth/login',
      '/auth/sign-up',
      '/auth/recover',
      '/auth/code',
      '/auth/passkey-login',
    ]) {
      const refused = await auth.ask(path, { body, ...asked })
      t.match(refused, { status: 403, reason: 'tls_required', message: /--tls-cert|--public-url/ }, path)
      t.equal(refused.cookie, '')
    }
  }
  for (const Host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    t.equal((await auth.ask('/auth/login', { body, headers: { Host } })).status, 200, Host)
  }
})

t.test('under TLS of its own the exchange signs in from everywhere, with a Secure cookie', async t => {
  const { app } = await openAuthApp(t)
  const request = {
    method: 'POST',
    headers: { Host: 'raay.example' },
    body: JSON.stringify({ name: 'asha', password: PASSWORD }),
  }
  const over = (encrypted: boolean) => ({ incoming: { socket: { remoteAddress: '203.0.113.5', encrypted } } })
  const plain = await app.request('/auth/sign-up', request, over(false))
  t.same([plain.status, plain.headers.get('set-cookie')], [403, null])
  const secure = await app.request('/auth/sign-up', request, over(true))
  t.match(secure.headers.get('set-cookie'), /^__Host-raay_session=rs_.*; Secure;/)
})

t.test('unknown name and wrong password have one answer', async t => {
  const auth = await openAuthApp(t)
  await signUp(auth, t, 'asha')
  const texts = []
  for (const name of ['asha', 'nobody']) {
    const { status, message, reason, cookie } = await auth.ask('/auth/login', {
      body: { name, password: OTHER },
    })
    texts.push(JSON.stringify({ status, message, reason, cookie }))
  }
  t.equal(texts[0], texts[1])
  t.match(texts[0], /401.*sign_in_failed/)
})

t.test('after too many failures it is 429 with the time to wait', async t => {
  const auth = await openAuthApp(t)
  const login = () => auth.ask('/auth/login', { body: { name: 'nobody', password: OTHER } })
  for (let attempt = 0; attempt < 6; attempt++) t.equal((await login()).status, 401)
  const slowed = await login()
  t.same([slowed.status, slowed.reason, slowed.headers.get('retry-after')], [429, 'too_many_requests', '2'])
  auth.clock.now += 2000
  t.equal((await login()).status, 401)
})

t.test('sign-up by invitation only, with the name and role of the invitation', async t => {
  const auth = await openAuthApp(t, { signUp: 'invitation' })
  const { ask } = auth
  const body = { name: 'ravi', password: PASSWORD }
  t.equal((await ask('/auth/sign-up', { body })).reason, 'invitation_missing')
  const made = await ask('/auth/invitations', {
    body: { role: 'viewer', name: 'ravi' },
    bearer: OPERATOR_KEY,
  })
  t.match(made.additional, {
    role: 'viewer',
    name: 'ravi',
    url: /^http:\/\/localhost:3000\/sign-up#invitation=ri_/,
  })
  const invitation = String(made.additional.url).split('=')[1]
  t.equal((await ask('/auth/sign-up', { body: { ...body, name: 'meera', invitation } })).status, 422)
  const up = await ask('/auth/sign-up', { body: { ...body, invitation } })
  t.match(up.additional, { caller: { userid: 'ravi', role: 'viewer', scopes: ['read'] } })
  t.equal((await ask('/auth/sign-up', { body: { ...body, invitation } })).reason, 'invitation_wrong')
})

t.test('an existing user id is claimed by invitation only', async t => {
  const auth = await openAuthApp(t)
  await auth.test.create()
  await auth.test.playAll(['Old_Asha buy 1 @ 5'])
  await auth.test.exchange.drain()
  const body = { name: 'old_asha', password: PASSWORD }
  const user = { body: { name: 'Old_Asha', role: 'trader' }, bearer: OPERATOR_KEY }
  t.equal((await auth.ask('/auth/invitations', user)).status, 201)
  t.equal((await auth.ask('/auth/sign-up', { body })).reason, 'name_taken')
  t.equal((await auth.ask('/auth/users', user)).reason, 'name_taken')
  const [open] = auth.store.invitations.list()
  auth.store.invitations.withdraw(open?.id ?? 0, { by: '', address: '' })
  const invited = await auth.ask('/auth/invitations', user)
  const invitation = String(invited.additional.url).split('=')[1]
  const up = await auth.ask('/auth/sign-up', { body: { ...body, invitation } })
  t.match(up.additional, { caller: { userid: 'Old_Asha' } }, up.message)
})

t.test('an invitation reserves the id under which there is money, however it is written', async t => {
  const auth = await openAuthApp(t)
  await auth.test.create()
  await auth.test.playAll(['Asha buy 1 @ 5', 'Ravi buy 1 @ 5', 'RAVI buy 1 @ 5'])
  await auth.test.exchange.drain()
  const { ask } = auth
  const body = { name: 'asha', password: PASSWORD }
  t.equal((await ask('/auth/sign-up', { body })).reason, 'name_taken', 'the way of the claim stays free')
  for (const name of ['Asha ', '\u00a0Asha', 'ASHA', 'asha']) {
    const made = await ask('/auth/invitations', { body: { name, role: 'trader' }, bearer: OPERATOR_KEY })
    t.match(made.additional, { name: 'Asha' }, JSON.stringify(name))
    const id = String(made.additional.id)
    await ask(`/auth/invitations/${id}`, { method: 'DELETE', bearer: OPERATOR_KEY })
  }
  const made = await ask('/auth/invitations', {
    body: { name: 'Asha ', role: 'trader' },
    bearer: OPERATOR_KEY,
  })
  const invitation = String(made.additional.url).split('=')[1]
  const { token } = await ask('/auth/sign-up', { body: { ...body, invitation } })
  t.equal((await ask('/portfolio/Asha/balance', { session: token })).status, 200)
  t.equal((await ask('/order', { method: 'DELETE', session: token })).status, 200)
  const several = { body: { name: 'ravi', role: 'trader' }, bearer: OPERATOR_KEY }
  t.match(await ask('/auth/invitations', several), {
    status: 422,
    message: /^name: Expected one of Ravi, RAVI/,
  })
})

t.test('a code signs an operator in once, within a quarter of an hour, in every mode', async t => {
  for (const mode of ['open', 'accounts', 'jwt'] as const) {
    const auth = await openAuthApp(t, { mode })
    const { code } = auth.store.adminLinks.makeAtStart()
    const { token, additional } = await auth.ask('/auth/code', { body: { code } })
    t.match(additional, { caller: { kind: 'operator_session', userid: null, role: 'admin' } }, mode)
    t.equal((await auth.ask('/admin/health', { session: token })).status, 200)
    t.equal((await auth.ask('/auth/code', { body: { code } })).reason, 'code_wrong')
    const late = auth.store.adminLinks.makeAtStart()
    auth.clock.now += 15 * MINUTE
    t.equal((await auth.ask('/auth/code', { body: { code: late.code } })).reason, 'code_wrong')
    t.equal((await auth.ask('/auth/code', { body: { code: '' } })).reason, 'code_wrong')
    t.match((await auth.ask('/auth/sessions', { session: token })).additional, {
      sessions: [{ is_current: true }],
    })
    auth.clock.now += 24 * HOUR
    t.equal((await auth.ask('/admin/health', { session: token })).status, 401)
  }
})

t.test('the operator key opens a session and makes links; nothing else does', async t => {
  const auth = await openAuthApp(t)
  const { ask, account, store } = auth
  const { token } = await ask('/auth/operator', { method: 'POST', bearer: OPERATOR_KEY })
  t.match((await ask('/auth/session', { session: token })).additional, {
    caller: { kind: 'operator_session' },
  })
  const link = await ask('/auth/admin-link', { method: 'POST', session: token })
  t.match(link.additional, { url: /^http:\/\/localhost:3000\/admin#code=[\w-]{20,}$/ })
  const session = await signUp(auth, t, 'asha')
  const admin = account('priya', 'admin')
  const key = store.keys.make(admin, { name: 'x', scopes: ['operate'] }, { by: '', address: '' })
  const bearer = typeof key === 'object' && 'token' in key ? key.token : ''
  for (const path of ['/auth/operator', '/auth/admin-link']) {
    t.equal((await ask(path, { method: 'POST' })).status, 401, path)
    t.equal((await ask(path, { method: 'POST', session })).status, 403, path)
    t.equal((await ask(path, { method: 'POST', bearer })).status, 403, `${path} with a key of an admin`)
    t.equal((await ask(path, { method: 'POST', bearer: 'ro_forged' })).status, 401, path)
  }
})

t.test('a changed password ends the other sessions', async t => {
  const auth = await openAuthApp(t)
  const here = await signUp(auth, t, 'asha')
  const there = (await auth.ask('/auth/login', { body: { name: 'asha', password: PASSWORD } })).token
  const change = (current: string, asked = {}) =>
    auth.ask('/auth/password', { body: { current, password: OTHER }, session: here, ...asked })
  t.equal((await change(OTHER)).reason, 'sign_in_failed')
  t.equal((await change(PASSWORD, { session: undefined })).status, 401)
  t.match((await change(PASSWORD)).additional, { sessions_ended: 1 })
  t.equal((await auth.ask('/auth/session', { session: there })).additional.caller, null)
  t.ok((await auth.ask('/auth/session', { session: here })).additional.caller)
})

t.test('a recovery link works once, and says which keys remain', async t => {
  const auth = await openAuthApp(t)
  const session = await signUp(auth, t, 'asha')
  const key = { name: 'bot', scopes: ['read'] }
  t.equal((await auth.ask('/auth/keys', { body: key, session })).status, 201)
  const link = await auth.ask('/auth/users/asha/recovery', { method: 'POST', bearer: OPERATOR_KEY })
  const token = String(link.additional.url).replace('http://localhost:3000/recover#token=', '')
  const recover = (token: string) => auth.ask('/auth/recover', { body: { token, password: OTHER } })
  t.equal((await recover('rr_forged')).reason, 'recovery_wrong')
  const recovered = await recover(token)
  t.match(recovered.additional, {
    caller: { userid: 'asha' },
    sessions_ended: 1,
    keys: [{ name: 'bot', user: 'asha' }],
    passkeys: 0,
  })
  t.equal((await recover(token)).reason, 'recovery_wrong')
  t.equal((await auth.ask('/auth/session', { session })).additional.caller, null)
  t.ok((await auth.ask('/auth/session', { session: recovered.token })).additional.caller)
})

t.test('on a full disk sign-in is refused with 503, and nothing is half done', async t => {
  const auth = await openAuthApp(t)
  await signUp(auth, t, 'asha')
  const { sessions } = auth.store
  const open = sessions.open.bind(sessions)
  sessions.open = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  const login = () => auth.ask('/auth/login', { body: { name: 'asha', password: PASSWORD } })
  t.match(await login(), { status: 503, reason: 'disk_full', cookie: '' })
  const up = { body: { name: 'ravi', password: PASSWORD } }
  t.equal((await auth.ask('/auth/sign-up', up)).status, 503)
  t.equal(auth.store.accounts.named('ravi'), undefined, 'no account without its first session')
  t.same(auth.faults, [])
  sessions.open = open
  t.equal((await login()).status, 200)
  t.equal((await auth.ask('/auth/sign-up', up)).status, 201)
})

t.test('without accounts there is no sign-up and no sign-in', async t => {
  for (const mode of ['open', 'jwt'] as const) {
    const { ask } = await openAuthApp(t, { mode })
    t.match((await ask('/auth/session')).additional, {
      mode,
      sign_up: 'off',
      needs_admin: false,
      caller: null,
    })
    for (const path of ['/auth/sign-up', '/auth/login', '/auth/recover', '/auth/passkey-login']) {
      t.equal((await ask(path, { body: {} })).reason, 'accounts_off', `${path} in ${mode} mode`)
    }
    const invite = await ask('/auth/invitations', { body: {}, bearer: OPERATOR_KEY })
    t.equal(invite.reason, 'accounts_off')
  }
})
