import t from 'tap'
import { kindsOf, openAccessRoom, PASSWORD } from '../../fixtures/access-room.js'
import { accountsFile } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'
import { openProviderWorld } from '../../fixtures/provider-world.js'

t.test('an account is linked in its own session only', async t => {
  const { auth, provider, begin, finish, enter } = await openProviderWorld(t)
  const { token } = await auth.ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  t.equal((await auth.ask('/auth/oidc/start', { body: { link: true } })).status, 401)
  const begun = await begin({ link: true, return_to: '/account' }, token)
  const alone = await finish(begun)
  t.equal(alone.status, 401, 'the session has to be there at the end')
  const other = await auth.ask('/auth/sign-up', { body: { name: 'ravi', password: PASSWORD } })
  const crossed = await finish(await begin({ link: true }, token), {}, other.token)
  t.match(crossed, { status: 403, reason: 'state_wrong' }, 'another account')
  const linked = await finish(await begin({ link: true, return_to: '/account' }, token), {}, token)
  t.match(linked.additional, { linked: true, return_to: '/account', caller: { userid: 'asha' } })
  t.match((await enter()).additional, { caller: { userid: 'asha' } })
  const taken = await finish(await begin({ link: true }, other.token), {}, other.token)
  t.match(taken, { status: 409, reason: 'identity_taken' }, 'one identity, one account')
  provider.token = { sub: 'person-2' }
  provider.userInfo = { sub: 'person-2' }
  const second = await finish(await begin({ link: true }, token), {}, token)
  t.match(second, { status: 409, reason: 'identity_taken' }, 'one identity of a provider')
  t.ok(kindsOf(auth.store).includes('identity_linked'))
})

t.test('without passwords only the last admin signs in by one', async t => {
  const { auth, enter } = await openProviderWorld(t, {}, { hasPasswords: false })
  const admin = { name: 'priya', role: 'admin', password: PASSWORD }
  const trader = { name: 'asha', role: 'trader', password: PASSWORD }
  for (const body of [admin, trader]) {
    t.equal((await auth.ask('/auth/users', { bearer: OPERATOR_KEY, body })).status, 201)
  }
  const login = (name: string, password = PASSWORD) => auth.ask('/auth/login', { body: { name, password } })
  t.equal((await login('priya')).status, 200)
  for (const answer of [await login('asha'), await login('nobody'), await login('priya', 'wrong one here')]) {
    t.match(answer, { status: 403, reason: 'password_off', cookie: '' })
  }
  const signUp = await auth.ask('/auth/sign-up', { body: { name: 'ravi', password: PASSWORD } })
  t.match(signUp, { status: 403, reason: 'password_off' })
  const link = await auth.ask('/auth/users/asha/recovery', { bearer: OPERATOR_KEY, method: 'POST' })
  const [, token] = String(link.additional.url).split('token=')
  const recovered = await auth.ask('/auth/recover', { body: { token, password: 'a new one of mine' } })
  t.match(recovered, { status: 403, reason: 'password_off' })
  const second = { name: 'meera', role: 'admin', password: PASSWORD }
  t.equal((await auth.ask('/auth/users', { bearer: OPERATOR_KEY, body: second })).status, 201)
  t.equal((await login('priya')).status, 403, 'not the last one any more')
  t.equal((await enter()).status, 200)
})

t.test('an identity is unlinked where something else remains to sign in with', async t => {
  const { auth, provider, begin, finish, enter } = await openProviderWorld(t)
  const { token } = await auth.ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  const listed = async (session: string) => (await auth.ask('/auth/identities', { session })).additional
  t.same(await listed(token), { identities: [], has_password: true, has_other_way: true })
  await finish(await begin({ link: true }, token), {}, token)
  const [identity] = (await listed(token)).identities as { id: number; issuer: string }[]
  t.equal(identity?.issuer, provider.issuer)
  const body = { name: 'bot', scopes: ['read'] }
  const byProvider = await enter()
  const keyOf = async (session: string) => (await auth.ask('/auth/keys', { body, session })).additional.key
  const [lasting, passing] = [await keyOf(token), await keyOf(byProvider.token)]
  const works = async (key: unknown) => (await auth.ask('/auth/session', { bearer: String(key) })).status
  t.same([await works(lasting), await works(passing)], [200, 200])

  const other = await auth.ask('/auth/sign-up', { body: { name: 'ravi', password: PASSWORD } })
  const unlink = (session: string) =>
    auth.ask(`/auth/identities/${identity?.id}`, { method: 'DELETE', session })
  t.match(await unlink(other.token), { status: 404, reason: 'credential_not_found' }, 'not by others')
  t.match(await unlink(byProvider.token), { status: 200 })
  t.same(await listed(token), { identities: [], has_password: true, has_other_way: true })
  t.equal((await auth.ask('/auth/sessions', { session: byProvider.token })).status, 401)
  t.same([await works(lasting), await works(passing)], [200, 401])
  t.same(auth.ended.slice(-2), ['session:2', 'key:2'], 'their sockets close')
  const again = await enter()
  t.match(again.additional, { caller: { userid: 'user-' } }, 'the person is a stranger again')
})

t.test('the only way to sign in is not removed', async t => {
  const { auth, enter } = await openProviderWorld(t)
  const { token, additional } = await enter()
  const { userid } = additional.caller as { userid: string }
  const list = async (session: string) => (await auth.ask('/auth/identities', { session })).additional
  const [identity] = (await list(token)).identities as { id: number }[]
  const unlink = (session: string) =>
    auth.ask(`/auth/identities/${identity?.id}`, { method: 'DELETE', session })
  t.match(await unlink(token), { status: 409, reason: 'identity_needed' })
  t.match(await list(token), { has_password: false, has_other_way: false })
  const link = await auth.ask(`/auth/users/${userid}/recovery`, { bearer: OPERATOR_KEY, method: 'POST' })
  const recovery = String(link.additional.url).split('token=')[1]
  const recovered = await auth.ask('/auth/recover', { body: { token: recovery, password: PASSWORD } })
  t.equal(recovered.status, 200)
  t.equal((await list(recovered.token)).has_password, true)
  t.match(await unlink(recovered.token), { status: 200 }, 'with a password it is')
})

t.test('once passwords are off, a password keeps no identity and no session', async t => {
  const path = accountsFile(t)
  const before = openAccessRoom(t, { path })
  const admin = await before.signedIn('priya', 'admin')
  const trader = await before.signedIn('asha')
  before.store.close()
  const { auth, begin, finish, enter } = await openProviderWorld(t, {}, { path, hasPasswords: false })
  const sessions = (session: string) => auth.ask('/auth/sessions', { session })
  t.equal((await sessions(trader.session.token)).status, 401, 'what a password opened before has ended')
  t.equal((await sessions(admin.session.token)).status, 200, 'but for the last admin')
  const linking = await begin({ link: true }, admin.session.token)
  t.match(await finish(linking, {}, admin.session.token), { status: 200 })
  const { token } = await enter()
  t.match(await auth.ask('/auth/identities', { session: token }), { additional: { has_other_way: true } })
  const second = { name: 'meera', role: 'admin', password: PASSWORD }
  t.equal((await auth.ask('/auth/users', { bearer: OPERATOR_KEY, body: second })).status, 201)
  t.match(await auth.ask('/auth/identities/1', { method: 'DELETE', session: token }), {
    ...{ status: 409, reason: 'identity_needed' },
  })
})
