import type { Test } from 'tap'
import t from 'tap'
import { REFUSED } from '../../../src/api/refusal-texts.js'
import { routes } from '../../../src/api/routes.js'
import { DocumentedClient } from '../../docs/documented-client.js'
import { PROVIDER } from '../../fixtures/access-damage.js'
import { granted, HOUR, PASSWORD } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { DocumentedApi, documentOf } from '../../fixtures/documented-api.js'
import { AS_OPERATOR } from '../../fixtures/http-scenario.js'
import { openProviderWorld } from '../../fixtures/provider-world.js'
import { SoftAuthenticator } from '../../fixtures/soft-authenticator.js'

const api = new DocumentedApi(documentOf(path => path.startsWith('/auth/')))
const ours = routes.filter(({ group }) => group === 'Accounts')
const LATER = '2100-01-01T00:00:00Z'
const BY = { by: 'operator key', address: '' }
const WRONG = 'wrong wrong wrong'

type Headers = Readonly<Record<string, string>>
interface Call {
  readonly with?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Headers
}

interface Stage {
  readonly auth: AuthApp
  /** The headers of a signed-in trader, of a program with a key, and of nobody. */
  readonly asha: Headers
  readonly program: Headers
  /** Calls an operation; the response must match the document and have this status. */
  readonly call: (id: string, status: number, call?: Call) => Promise<Record<string, unknown>>
}

const cookie = (token: string): Headers => ({ Cookie: `raay_session=${token}` })

async function open(t: Test, options: Parameters<typeof openAuthApp>[1] = {}): Promise<Stage> {
  const auth = await openAuthApp(t, options)
  const { account, session } = await auth.signedIn('asha')
  const { call } = stageOf(t, auth)
  const key = granted(auth.store.keys.make(account, { name: 'program', scopes: ['read'] }, BY))
  const program = { Authorization: `Bearer ${key.token}` }
  return { auth, asha: cookie(session.token), program, call }
}

function stageOf(t: Test, auth: AuthApp): Pick<Stage, 'call'> {
  const client = new DocumentedClient(api, auth.app)
  const call = async (id: string, status: number, asked: Call = {}) => {
    const called = await client.call(id, asked)
    t.same(called.faults, [], `${id} ${status} is as documented`)
    t.equal(called.status, status, `${id}: ${called.message}`)
    return (called.additional ?? {}) as Record<string, unknown>
  }
  return { call }
}

const bodyOf = (id: string) => ours.find(operation => operation.id === id)?.body?.samples.request

t.test('modes without accounts, strangers, keys and traders are refused as documented', async t => {
  const off = await open(t, { mode: 'open' })
  const on = await open(t, { provider: PROVIDER })
  for (const { id, refusals, body, query } of ours) {
    const asked = {
      body: body === undefined ? undefined : bodyOf(id),
      with: query === undefined ? {} : NO_QUERY,
    }
    const isOff = refusals[404]?.some(message => message.startsWith('There are no accounts'))
    if (isOff) await off.call(id, 404, { ...asked, headers: AS_OPERATOR })
    await on.call(id, 401, { ...asked, headers: { Authorization: 'Bearer rk_forged' } })
    if (!api.messagesOf(id, 401).includes(REFUSED.tokenMissing)) continue
    await on.call(id, 401, asked)
    await on.call(id, 403, { ...asked, headers: on.program })
  }
  for (const { id, body } of ours) {
    if (body === undefined) continue
    for (const [text, status] of [
      ['{', 400],
      [`"${'x'.repeat(200_000)}"`, 413],
    ] as const) {
      const headers = AS_SESSION.includes(id) ? on.asha : AS_OPERATOR
      await on.call(id, status, { body: text, headers })
    }
  }
})

/** Leaves out the parameters of queries, which are optional. */
const NO_QUERY: Record<string, never> = {}
const AS_SESSION = ['changePassword', 'addPasskey', 'renamePasskey', 'makeKey']

t.test('people who sign up, in and out get documented answers', async t => {
  const { auth, call, asha } = await open(t)
  await call('getSession', 200)
  await call('getSession', 200, { headers: asha })
  await call('getSession', 200, { headers: AS_OPERATOR })
  await call('signUp', 201, { body: { name: 'ravi', password: PASSWORD } })
  await call('signUp', 409, { body: { name: 'ravi', password: PASSWORD } })
  await call('signUp', 422, { body: { name: 'r', password: PASSWORD } })
  await call('signUp', 403, { body: { name: 'meera', password: PASSWORD, invitation: 'ri_forged' } })
  await call('logIn', 200, { body: { name: 'asha', password: PASSWORD } })
  await call('logIn', 401, { body: { name: 'asha', password: WRONG } })
  await call('logIn', 422, { body: { name: '' } })
  const { account } = await auth.signedIn('lena')
  const key = granted(auth.store.keys.make(account, { name: 'bot', scopes: ['read'] }, BY))
  auth.store.accounts.disable(account, BY)
  await call('getSession', 403, { headers: { Authorization: `Bearer ${key.token}` } })
  await call('logIn', 403, { body: { name: 'lena', password: PASSWORD } })
  await call('changePassword', 422, { body: { current: PASSWORD, password: 'short' }, headers: asha })
  await call('changePassword', 401, { body: { current: WRONG, password: PASSWORD }, headers: asha })
  await call('changePassword', 200, { body: { current: PASSWORD, password: WRONG }, headers: asha })
  const { token } = auth.store.recoveryLinks.make(granted(auth.store.accounts.named('asha')), BY)
  await call('recover', 403, { body: { token: 'rr_forged', password: PASSWORD } })
  await call('recover', 422, { body: { token, password: 'short' } })
  await call('recover', 200, { body: { token, password: PASSWORD } })
  const { code } = auth.store.adminLinks.makeAtStart()
  await call('useCode', 200, { body: { code } })
  await call('useCode', 403, { body: { code } })
  await call('useCode', 422, { body: {} })
  await call('openOperatorSession', 200, { headers: AS_OPERATOR })
  await call('makeAdminLink', 201, { headers: AS_OPERATOR })
  const { session } = auth.store.signIn.openSession(account, { address: '', browser: '' }, 'test')
  auth.store.accounts.enable(account, BY)
  await call('logOut', 200, { headers: cookie(session.token) })
  for (let attempt = 0; attempt < 7; attempt++) {
    await auth.ask('/auth/login', { body: { name: 'asha', password: WRONG } })
  }
  await call('logIn', 429, { body: { name: 'asha', password: WRONG } })
})

t.test('a slowed change of password and a full queue of hashes are as documented', async t => {
  const { auth, call, asha } = await open(t)
  const body = { current: WRONG, password: PASSWORD }
  const { store } = auth
  for (let attempt = 0; attempt < 6; attempt++) await call('changePassword', 401, { body, headers: asha })
  await call('changePassword', 429, { body, headers: asha })
  auth.clock.now += HOUR
  store.passwords.verify = async () => 'busy'
  await call('changePassword', 503, { body, headers: asha })
  await call('logIn', 503, { body: { name: 'asha', password: PASSWORD } })
})

t.test('owners of sessions, keys and passkeys get documented answers', async t => {
  const { auth, call, asha } = await open(t)
  const here = { headers: asha }
  const { sessions } = (await call('listSessions', 200, here)) as { sessions: { id: number }[] }
  await call('endSession', 404, { ...here, with: { number: '99' } })
  await call('endSession', 404, { ...here, with: { number: 'x' } })
  const made = await call('makeKey', 201, { ...here, body: { name: 'bot', scopes: ['read'] } })
  await call('makeKey', 422, { ...here, body: { name: 'bot', scopes: [] } })
  const number = String(made.id)
  await call('listSessions', 404, { headers: AS_OPERATOR, with: { user: 'nobody' } })
  await call('listKeys', 200, here)
  await call('listKeys', 200, { ...here, with: { user: 'asha' } })
  await call('listKeys', 404, { headers: AS_OPERATOR, with: { user: 'nobody' } })
  await call('revokeKey', 404, { ...here, with: { number: '99' } })
  await call('revokeKey', 200, { ...here, with: { number } })
  for (let count = 1; count < 25; count++) {
    await auth.ask('/auth/keys', { body: { name: 'bot', scopes: ['read'] }, headers: asha })
  }
  await call('makeKey', 409, { ...here, body: { name: 'bot', scopes: ['read'] } })

  const device = new SoftAuthenticator('http://localhost')
  const options = async () => (await call('makePasskeyOptions', 200, here)).options as Options
  const response = device.create(await options(), { origin: 'http://evil.example' })
  await call('addPasskey', 401, { ...here, body: { name: 'x', response } })
  const passkey = await call('addPasskey', 201, {
    ...here,
    body: { name: 'phone', response: device.create(await options()) },
  })
  await call('addPasskey', 422, { ...here, body: { response } })
  await call('listPasskeys', 200, here)
  const login = async (status: number, forgery = {}) => {
    const { options } = await call('makePasskeyLoginOptions', 200)
    await call('logInWithPasskey', status, { body: { response: device.get(options as Options, forgery) } })
  }
  await login(200)
  await login(401, { origin: 'http://evil.example' })
  await call('logInWithPasskey', 422, { body: {} })
  const elsewhere = { Host: '127.0.0.1:3000' }
  await call('makePasskeyLoginOptions', 409, { headers: elsewhere })
  await call('makePasskeyOptions', 409, { headers: { ...asha, ...elsewhere } })
  await call('addPasskey', 409, { headers: { ...asha, ...elsewhere }, body: { name: 'x', response } })
  await call('logInWithPasskey', 409, { headers: elsewhere, body: { response: device.get(await options()) } })
  await call('renamePasskey', 404, { ...here, with: { number: '99' }, body: { name: 'Phone' } })
  await call('renamePasskey', 422, { ...here, with: { number: '99' }, body: {} })
  await call('removePasskey', 404, { ...here, with: { number: '99' } })
  const account = granted(auth.store.accounts.named('asha'))
  auth.store.accounts.disable(account, BY)
  await login(403)
  auth.store.accounts.enable(account, BY)
  const { session } = auth.store.signIn.openSession(account, { address: '', browser: '' }, 'test')
  const again = { headers: cookie(session.token) }
  await call('renamePasskey', 200, {
    ...again,
    with: { number: String(passkey.id) },
    body: { name: 'Phone' },
  })
  await call('removePasskey', 200, { ...again, with: { number: String(passkey.id) } })
  await call('endSession', 200, { ...again, with: { number: String(session.id) } })
  t.equal(sessions.length, 1)
})

type Options = { readonly challenge: string; readonly user: { readonly id: string } }

t.test('sign-ins at the provider, links and their ends get documented answers', async t => {
  const { auth, provider, begin } = await openProviderWorld(t)
  const { call } = stageOf(t, auth)
  const { token } = await auth.ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  const asha = cookie(token)
  await call('beginOidc', 200, { body: { return_to: '/' } })
  await call('beginOidc', 422, { body: { return_to: 'https://id.example' } })
  const finish = async (status: number, headers: Headers = {}, body: object = {}) => {
    const { url, browser } = await begin({ link: headers.Cookie !== undefined }, headers.Cookie && token)
    const Cookie = [browser, headers.Cookie].filter(Boolean).join('; ')
    return call('finishOidc', status, { body: { ...provider.visit(url), ...body }, headers: { Cookie } })
  }
  await call('finishOidc', 422, { body: {} })
  await finish(403, {}, { code: 'made-up' })
  await finish(200)
  await finish(409, asha)
  const as = { headers: asha }
  await call('listIdentities', 200, as)
  await call('removeIdentity', 404, { ...as, with: { number: '99' } })
  const { identities, accounts, providerSignIn } = auth.store
  const person = { subject: 'person-2', role: undefined, names: ['ravi'] }
  providerSignIn?.link(person, granted(accounts.named('asha')), { address: '', browser: '' })
  const [identity] = identities.list(granted(accounts.named('asha')))
  await call('removeIdentity', 200, { ...as, with: { number: String(identity?.id) } })
  const ravi = granted(providerSignIn?.enter(person, { address: '', browser: '' }))
  const [only] = identities.list(ravi.account)
  const own = { headers: cookie(ravi.session.token), with: { number: String(only?.id) } }
  await call('removeIdentity', 409, own)
  await call('makePasskeyOptions', 403, { headers: own.headers })
  const begun = await begin()
  provider.instead = response => response.writeHead(500).end()
  const headers = { Cookie: begun.browser }
  await call('finishOidc', 503, { body: provider.visit(begun.url), headers })
  const down = stageOf(t, (await openProviderWorld(t, { issuer: 'http://127.0.0.1:9' })).auth)
  await down.call('beginOidc', 503, { body: {} })
})

t.test('admins and operators get documented answers', async t => {
  const { auth, call, asha } = await open(t)
  const as = { headers: AS_OPERATOR }
  await call('createAccount', 201, { ...as, body: { name: 'priya', role: 'admin' } })
  await call('createAccount', 409, { ...as, body: { name: 'priya', role: 'admin' } })
  await call('createAccount', 422, { ...as, body: { name: 'priya' } })
  await call('listAccounts', 200, { ...as, with: { limit: '1' } })
  await call('listAccounts', 422, { ...as, with: { cursor: '%' } })
  await call('listAudit', 200, as)
  await call('listAudit', 422, { ...as, with: { cursor: 'x' } })
  for (const id of ['changeRole', 'disableAccount', 'enableAccount', 'makeRecoveryLink']) {
    const body = id === 'changeRole' ? { role: 'viewer' } : undefined
    await call(id, 404, { ...as, body, with: { name: 'nobody' } })
    await call(id, id === 'makeRecoveryLink' ? 201 : 200, { ...as, body, with: { name: 'asha' } })
    if (id === 'changeRole' || id === 'disableAccount') {
      await call(id, 409, { ...as, body, with: { name: 'priya' } })
    }
  }
  await call('changeRole', 422, { ...as, body: { role: 'king' }, with: { name: 'asha' } })
  auth.store.accounts.disable(granted(auth.store.accounts.named('asha')), BY)
  await call('makeRecoveryLink', 403, { ...as, with: { name: 'asha' } })
  const invitation = await call('makeInvitation', 201, {
    ...as,
    body: { name: 'ravi', expires_at: undefined },
  })
  await call('makeInvitation', 409, { ...as, body: { name: 'ravi' } })
  await call('makeInvitation', 422, { ...as, body: { expires_at: LATER } })
  await call('listInvitations', 200, as)
  const number = String(invitation.id)
  await call('withdrawInvitation', 200, { ...as, with: { number } })
  await call('withdrawInvitation', 404, { ...as, with: { number } })
  t.equal(auth.store.find(asha.Cookie?.split('=')[1] ?? '', ''), undefined)
})

t.test('every documented response below /auth has been seen', async t => {
  // One place answers it for all of them, where the exchange is replicated: test/replication/revocations.
  const revoking = ours.filter(({ revokes }) => revokes === true).map(({ id }) => `${id} 503`)
  t.same(
    api.unseen().filter(name => !name.startsWith('#/components/') && !revoking.includes(name)),
    [],
  )
})
