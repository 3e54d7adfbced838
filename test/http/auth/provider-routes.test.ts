import type { ServerResponse } from 'node:http'
import t from 'tap'
import { OidcProvider } from '../../../src/access/oidc/oidc-provider.js'
import type { OidcSettings } from '../../../src/access/oidc/oidc-settings.js'
import { ADMIN, DAY, HOUR, kindsOf, MINUTE, PASSWORD, START } from '../../fixtures/access-room.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'
import type { OpenIdProvider } from '../../fixtures/openid-provider.js'
import { CLIENT_ID, FORGED, startOpenIdProvider } from '../../fixtures/openid-provider.js'
import type { Begun } from '../../fixtures/provider-world.js'
import { openProviderWorld } from '../../fixtures/provider-world.js'

const JSON_OF = (value: unknown) => JSON.stringify(value)

t.test('the first sign-in creates an account, later ones open it, whatever it is called by then', async t => {
  const { auth, provider, begin, finish, enter } = await openProviderWorld(t)
  provider.token = { preferred_username: 'Zoë Oak@oak.example', name: 'Z' }
  const begun = await begin({ return_to: '/portfolio?tab=1' })
  const { searchParams: sent, pathname } = new URL(begun.url)
  t.equal(pathname, '/authorize')
  t.match(Object.fromEntries(sent), {
    ...{
      response_type: 'code',
      client_id: CLIENT_ID,
      scope: 'openid profile',
      code_challenge_method: 'S256',
    },
    redirect_uri: 'http://localhost:3000/sign-in/oidc',
  })
  const first = await finish(begun)
  t.match(first.additional, { return_to: '/portfolio?tab=1', linked: false, caller: { userid: 'zoe.oak' } })
  t.equal(first.additional.caller && (first.additional.caller as { role: string }).role, 'trader')
  provider.token = { preferred_username: 'admin' }
  t.match((await enter()).additional, { caller: { userid: 'zoe.oak' } }, 'issuer and subject count')
  t.match(await auth.ask('/auth/session'), { additional: { provider: 'Oak ID', passwords: true } })
  t.same(kindsOf(auth.store), ['sign_up', 'sign_in', 'sign_in'])
})

t.test('a name that is taken gets a number, one that is reserved is not given', async t => {
  const { auth, provider, enter } = await openProviderWorld(t)
  await auth.ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  const nameOf = async (sub: string, claims: object) => {
    provider.token = { sub, ...claims }
    provider.userInfo = { sub }
    const { caller } = (await enter()).additional as { caller: { userid: string } }
    return caller.userid
  }
  t.equal(await nameOf('a', { preferred_username: 'ASHA' }), 'asha-2', 'never the account of that name')
  t.equal(await nameOf('b', { preferred_username: 'asha' }), 'asha-3')
  t.equal(await nameOf('c', { preferred_username: 'ad.min', email: 'meera@oak.example' }), 'meera')
  t.match(await nameOf('d', { preferred_username: 'root' }), /^user-[0-9a-f]{6}$/)
  t.match(await nameOf('e', { name: 'аsha' }), /^user-/, 'no two scripts')
  t.match(await nameOf('f', { name: 7, email: '@' }), /^user-/)
  t.equal(await nameOf('g', { name: 'x'.repeat(300) }), 'x'.repeat(27))
})

t.test('what the provider did not vouch for opens nothing', async t => {
  const { auth, provider, clock, begin, finish } = await openProviderWorld(t)
  const seconds = START / 1000
  const refusedAs = async (token: object, what: string, changed: object = {}) => {
    provider.token = { ...token }
    const { status, reason, cookie } = await finish(await begin(), changed)
    t.same({ status, reason, cookie }, { status: 403, reason: 'provider_refused', cookie: '' }, what)
  }
  await refusedAs({ nonce: 'another' }, 'nonce')
  await refusedAs({ aud: 'another' }, 'audience')
  await refusedAs({ aud: [CLIENT_ID, 'another'] }, 'two audiences')
  await refusedAs({ azp: 'another' }, 'authorized party')
  await refusedAs({ iss: 'https://id.example' }, 'issuer')
  await refusedAs({ exp: seconds - 31 }, 'expired')
  await refusedAs({ exp: undefined }, 'no expiry')
  await refusedAs({ sub: undefined }, 'no subject')
  await refusedAs({ sub: '' }, 'empty subject')
  await refusedAs({}, 'issuer of the answer', { iss: 'https://id.example' })
  await refusedAs({}, 'no issuer of the answer', { iss: undefined })
  await refusedAs({}, 'no code, as after an error', { code: undefined })
  await refusedAs({}, 'a made-up code', { code: 'made-up' })
  provider.userInfo = { sub: 'another' }
  await refusedAs({}, 'user info of another person')
  provider.userInfo = {}
  for (const forged of Object.keys(FORGED) as (keyof typeof FORGED)[]) {
    provider.forged = forged
    await refusedAs({}, forged)
  }
  provider.forged = undefined
  provider.token = {}
  const begun = await begin()
  const code = provider.visit(begun.url)
  t.equal((await finish(begun, code)).status, 200)
  t.match(await finish(begun, code), { status: 403, reason: 'state_wrong' }, 'each state works once')
  t.match(await finish(await begin(), { code: code.code }), { reason: 'provider_refused' }, 'each code, too')
  t.match(await finish(begun, { state: 'made-up' }), { status: 403, reason: 'state_wrong' })
  const other = { ...(await begin()), browser: begun.browser }
  t.match(await finish(other), { status: 403, reason: 'state_wrong' }, 'another browser')
  const late = await begin()
  clock.now += 10 * MINUTE
  auth.clock.now += 10 * MINUTE
  t.match(await finish(late), { status: 403, reason: 'state_wrong' }, 'too late')
  t.equal(auth.store.accounts.list({ limit: 100 }).accounts.length, 1)
})

t.test('where to go afterwards is a path of this site', async t => {
  const { auth } = await openProviderWorld(t)
  for (const return_to of [
    '//id.example',
    '/\\id.example',
    'https://id.example',
    '/a\tb',
    '',
    'x',
    '/a\\b',
  ]) {
    const { status, message } = await auth.ask('/auth/oidc/start', { body: { return_to } })
    t.match({ status, message }, { status: 422, message: /^return_to: / }, JSON_OF(return_to))
  }
})

t.test('only the groups that are allowed come in, by the token or the user info', async t => {
  const { provider, enter } = await openProviderWorld(t, { allowedGroups: ['raay', 'staff'] })
  t.match(await enter(), { status: 403, reason: 'group_missing', cookie: '' }, 'without the claim')
  provider.token = { groups: ['raays'] }
  t.match(await enter(), { status: 403, reason: 'group_missing' })
  provider.token = { groups: ['x', 'raay'] }
  t.match(await enter(), { status: 200 })
  provider.token = {}
  provider.userInfo = { groups: 'staff' }
  t.match(await enter(), { status: 200 }, 'one group, as a text')
  provider.userInfo = {}
  t.match(await enter(), { status: 403 }, 'who was removed is out')
})

t.test('who has lost the groups loses what an earlier sign-in opened', async t => {
  const { auth, provider, enter } = await openProviderWorld(t, { allowedGroups: ['raay'] })
  const inside = { groups: ['raay'] }
  provider.token = { ...inside, sub: 'another' }
  provider.userInfo = { sub: 'another' }
  const other = await enter()
  provider.token = inside
  provider.userInfo = {}
  const { token } = await enter()
  const made = await auth.ask('/auth/keys', { body: { name: 'bot', scopes: ['read'] }, session: token })
  const bearer = String(made.additional.key)
  const whoIs = async (by: object) => (await auth.ask('/auth/session', by)).additional?.caller ?? null
  t.ok(await whoIs({ bearer }))
  const ended: string[] = []
  auth.store.onEnded(credential => ended.push(credential))
  provider.token = {}
  t.match(await enter(), { status: 403, reason: 'group_missing' })
  t.equal(await whoIs({ session: token }), null)
  t.equal(await whoIs({ bearer }), null)
  t.match(ended, [/^session:/, /^key:/], 'sockets are closed, too')
  t.ok(await whoIs({ session: other.token }), 'and nobody else')
  provider.token = inside
  t.match(await enter(), { status: 200 })
  t.ok(await whoIs({ bearer }), 'a sign-in renews the key')
})

t.test('a claim decides on the role at each sign-in; a lower one ends older sessions', async t => {
  const roleMap = new Map([
    ['ops', 'operator'],
    ['boss', 'admin'],
  ] as const)
  const { auth, provider, enter } = await openProviderWorld(t, { roleClaim: 'realm', roleMap })
  const roleAfter = async (realm: unknown) => {
    provider.token = { realm }
    const { token, additional } = await enter()
    return { token, role: (additional.caller as { role: string }).role }
  }
  const first = await roleAfter(['x', 'ops'])
  t.equal(first.role, 'operator')
  const second = await roleAfter(['ops', 'boss'])
  t.equal(second.role, 'admin', 'the highest')
  t.match(await auth.ask('/auth/sessions', { session: first.token }), { status: 200 })
  t.equal((await roleAfter(undefined)).role, 'admin', 'the last admin stays')
  auth.account('priya', 'admin')
  t.equal((await roleAfter(undefined)).role, 'trader', 'without the claim')
  for (const { token } of [first, second]) {
    t.match(await auth.ask('/auth/sessions', { session: token }), { status: 401 })
  }
  t.ok(kindsOf(auth.store).includes('role_changed'))
})

t.test('sessions and the keys made in them last as long as the sign-in', async t => {
  const { auth, clock, enter } = await openProviderWorld(t)
  const { token } = await enter()
  const pass = (ms: number) => {
    clock.now += ms
    auth.clock.now += ms
  }
  const body = { name: 'bot', scopes: ['read'], expires_at: new Date(START + 30 * DAY).toISOString() }
  const made = await auth.ask('/auth/keys', { body, session: token })
  t.equal(made.additional.expires_at, new Date(START + 12 * HOUR).toISOString())
  const bearer = String(made.additional.key)
  const works = async () => (await auth.ask('/auth/session', { bearer })).status
  t.match(await auth.ask('/auth/passkeys/options', { method: 'POST', session: token }), {
    ...{ status: 403, reason: 'provider_session' },
  })
  pass(12 * HOUR - 1)
  t.equal(await works(), 200)
  pass(1)
  t.match(await auth.ask('/auth/session', { session: token }), { additional: { caller: null } })
  t.equal(await works(), 401)
  t.equal((await enter()).status, 200)
  t.equal(await works(), 200, 'a sign-in renews the keys')
  t.equal((await auth.ask('/auth/sessions', { session: token })).status, 401, 'but no session')
  auth.clock.now += 12 * HOUR
  t.equal(await works(), 401)
})

t.test('what the links of such a session open depends on the sign-in as well', async t => {
  const roleMap = new Map([['boss', 'admin']] as const)
  const { auth, provider, enter } = await openProviderWorld(t, {
    roleClaim: 'realm',
    roleMap,
    sessionMs: HOUR,
  })
  provider.token = { realm: 'boss' }
  const { token } = await enter()
  const link = await auth.ask('/auth/admin-link', { method: 'POST', session: token })
  const [, code] = String(link.additional.url).split('code=')
  const opened = await auth.ask('/auth/code', { body: { code } })
  const made = await auth.ask('/auth/keys', { body: { name: 'k', scopes: ['read'] }, session: opened.token })
  t.equal(made.additional.expires_at, new Date(START + HOUR).toISOString())
})

t.test('a disabled account stays shut, and a suspended user stays suspended', async t => {
  const { auth, enter } = await openProviderWorld(t)
  const { caller } = (await enter()).additional as { caller: { userid: string } }
  const headers = { bearer: OPERATOR_KEY, method: 'POST' }
  auth.store.limits.change(caller.userid, { isSuspended: true, reason: 'checked' }, ADMIN)
  const { token } = await enter()
  const price = { l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy', order_type: 'LO' }
  await auth.test.create()
  const body = { event_id: '1000001', userid: caller.userid, ...price }
  t.match(await auth.ask('/order/initiate', { body, session: token }), { reason: 'trading_suspended' })
  t.equal((await auth.ask(`/auth/users/${caller.userid}/disable`, headers)).status, 200)
  t.match(await enter(), { status: 403, reason: 'account_disabled', cookie: '' })
})

t.test('two first sign-ins of one person at once make one account', async t => {
  const { auth, begin, finish } = await openProviderWorld(t)
  const begun = [await begin(), await begin(), await begin()]
  const answers = await Promise.all(begun.map(one => finish(one)))
  for (const { status, additional } of answers) {
    t.match({ status, additional }, { status: 200, additional: answers[0]?.additional })
  }
  t.same(kindsOf(auth.store), ['sign_up', 'sign_in', 'sign_in', 'sign_in'])
})

t.test('with TLS the cookie that binds a sign-in to its browser is one of this host only', async t => {
  const { auth, provider } = await openProviderWorld(t, {}, { publicUrl: 'https://oak.example' })
  const headers = { Host: 'oak.example', Origin: 'https://oak.example' }
  const { cookie, additional } = await auth.ask('/auth/oidc/start', { body: {}, headers })
  t.match(cookie, /^__Host-raay_oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  const url = String(additional.url)
  t.equal(new URL(url).searchParams.get('redirect_uri'), 'https://oak.example/sign-in/oidc')
  const finish = (Cookie: string) =>
    auth.ask('/auth/oidc/finish', { body: provider.visit(url), headers: { ...headers, Cookie } })
  const [pair = ''] = cookie.split(';')
  t.match(
    await finish(pair.replace('__Host-', '')),
    { reason: 'state_wrong' },
    'one that a neighbour can set',
  )
  t.equal((await finish(pair)).status, 200)
})

t.test('a provider that is down, slow or rambling is no fault of the exchange', async t => {
  const { auth, provider, clock, begin, finish } = await openProviderWorld(t)
  const start = () => auth.ask('/auth/oidc/start', { body: {} })
  const failures = {
    'an error': response => response.writeHead(500).end('<b>secret</b>'),
    'a redirect': response => response.writeHead(302, { Location: `${provider.issuer}/jwks` }).end(),
    'not JSON': response => response.end('<html>'),
    'too long': response => response.end(JSON_OF({ issuer: provider.issuer, x: 'x'.repeat(300_000) })),
    'another issuer': response => response.end(JSON_OF({ issuer: 'https://id.example' })),
    'no addresses': response => response.end(JSON_OF({ issuer: provider.issuer })),
  } satisfies Record<string, NonNullable<OpenIdProvider['instead']>>
  for (const [what, instead] of Object.entries(failures)) {
    provider.instead = instead
    clock.watch += 5000
    const { status, reason, message } = await start()
    t.same({ status, reason }, { status: 503, reason: 'provider_down' }, what)
    t.notMatch(message, /secret|example/)
  }
  const { length } = provider.asked
  t.equal((await start()).status, 503)
  t.equal(provider.asked.length, length, 'it is asked again after a pause only')
  t.equal(provider.asked.includes('/jwks'), false, 'no redirect is followed')
  provider.instead = undefined
  clock.watch += 5000
  const begun = await begin()
  provider.instead = failures['an error']
  t.match(await finish(begun), { status: 503, reason: 'provider_down', cookie: '' })
})

t.test('a provider that answers never, or a byte at a time, is given up', async t => {
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  }
  for (const instead of [() => {}, drip]) {
    const { auth, provider, clock, begin, finish } = await openProviderWorld(t, {}, { timeoutMs: 60 })
    provider.instead = instead
    t.match(await auth.ask('/auth/oidc/start', { body: {} }), { status: 503, reason: 'provider_down' })
    provider.instead = undefined
    clock.watch += 5000
    const begun = await begin()
    provider.instead = instead
    t.match(await finish(begun), { status: 503, reason: 'provider_down', cookie: '' })
    clock.watch += 11 * MINUTE
    t.ok((await begin()).url, 'what was found out before stays good meanwhile')
  }
})

t.test('sign-ins that wait for the provider are bounded', async t => {
  const { provider, begin, finish } = await openProviderWorld(t)
  const begun: Begun[] = []
  for (let count = 0; count <= 32; count++) begun.push(await begin())
  const waiting: ServerResponse[] = []
  const areWaiting = new Promise<void>(resolve => {
    provider.instead = response => {
      if (waiting.push(response) === 32) resolve()
    }
  })
  const answers = begun.slice(1).map(one => finish(one))
  await areWaiting
  t.match(await finish(begun[0] as Begun), { status: 503, reason: 'busy' })
  for (const response of waiting) response.writeHead(500).end()
  for (const answer of await Promise.all(answers)) t.equal(answer.reason, 'provider_down')
  provider.instead = undefined
  t.equal((await finish(await begin())).status, 200)
})

t.test('a flood of starts keeps a bounded number, and takes from nobody elsewhere', async t => {
  const { auth, begin, finish } = await openProviderWorld(t)
  const { providerSignIn } = auth.store
  const flood = async (address: string, count: number) => {
    const wish = { returnTo: '/', linkedBy: undefined }
    const client = { address, browser: '' }
    for (let number = 0; number < count; number++) {
      await providerSignIn?.begin(wish, 'http://localhost:3000/sign-in/oidc', client)
    }
  }
  const first = await begin()
  await flood('203.0.113.9', 600)
  t.equal(providerSignIn?.pending.length, 251)
  t.equal((await finish(first)).status, 200)
  for (let house = 0; house < 21; house++) await flood(`198.51.100.${house}`, 250)
  t.equal(providerSignIn?.pending.length, 5000)
  t.equal((await finish(await begin())).status, 200)
})

t.test('without a provider there is nothing to begin', async t => {
  const auth = await openAuthApp(t)
  t.match(await auth.ask('/auth/oidc/start', { body: {} }), { status: 404, reason: 'provider_off' })
  t.match(await auth.ask('/auth/session'), { additional: { provider: null } })
})

t.test('the challenge of PKCE is that of RFC 7636', async t => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const provider = await startOpenIdProvider(t)
  const settings = { issuer: provider.issuer, clientId: CLIENT_ID, scopes: 'openid' } as OidcSettings
  const client = new OidcProvider({ settings, now: () => START, watch: () => 0, warn: () => {} })
  const url = await client.addressFor({ state: 's', nonce: 'n', verifier, redirectUri: 'http://x/' })
  t.match(url, /[?&]code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM(?:&|$)/)
})
