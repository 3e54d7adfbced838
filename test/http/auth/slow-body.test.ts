import t from 'tap'
import { PasskeyChallenges } from '../../../src/access/accounts/passkeys/passkey-challenges.js'
import { DAY, granted, PASSWORD } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY, peer } from '../../fixtures/http-scenario.js'
import { SoftAuthenticator } from '../../fixtures/soft-authenticator.js'

/** Sends a body, and lets something happen before its last byte. */
async function sendSlowly(
  { app }: AuthApp,
  path: string,
  body: object,
  headers: object,
  meanwhile: () => unknown,
) {
  const text = JSON.stringify(body)
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  let parts = 0
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (parts++ === 0) {
        controller.enqueue(Buffer.from(text.slice(0, 1)))
        return
      }
      begin()
      await meanwhile()
      controller.enqueue(Buffer.from(text.slice(1)))
      controller.close()
    },
  })
  const init = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { Host: 'localhost:3000', ...headers },
  }
  const response = await app.request(path, init as RequestInit, peer('127.0.0.1'))
  await begun
  return { status: response.status, reason: response.headers.get('raay-reason') }
}

const cookie = (token: string) => ({ Cookie: `raay_session=${token}` })

t.test('who loses a right while the body is on its way does not use it', async t => {
  const auth = await openAuthApp(t)
  await auth.test.create()
  const { store, account, signedIn } = auth
  account('first', 'admin')
  const by = { by: 'first', address: '' }
  const order = { event_id: '1000001', l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy' }
  const ends: readonly (readonly [string, string, object, 401 | 403])[] = [
    ['disabled', '/auth/users', { name: 'mallory', role: 'admin', password: PASSWORD }, 401],
    ['demoted', '/auth/users', { name: 'mallory', role: 'admin' }, 403],
    ['demoted', '/auth/users/zoya/role', { role: 'admin' }, 403],
    ['signed out', '/auth/invitations', { role: 'admin' }, 401],
    ['signed out', '/auth/keys', { name: 'x', scopes: ['read'] }, 401],
    ['demoted', '/portfolio/zoya/deposit', { amount: 5, txn_id: 'x' }, 403],
    ['disabled', '/order/initiate', { ...order, order_type: 'LO' }, 401],
  ]
  account('zoya')
  for (const [index, [end, path, body, status]] of ends.entries()) {
    const { account: maker, session } = await signedIn(`priya${index}`, 'admin')
    const before = auth.test.journalled().length
    const answer = await sendSlowly(auth, path, body, cookie(session.token), () => {
      if (end === 'demoted') store.accounts.setRole(maker, 'trader', by)
      if (end === 'disabled') store.accounts.disable(maker, by)
      if (end === 'signed out') store.sessions.end(maker, session.id, 'sign_out', by)
    })
    t.equal(answer.status, status, `${end}: ${path} ${answer.reason}`)
    await auth.test.exchange.drain()
    t.equal(auth.test.journalled().length, before, 'and nothing is written')
  }
  t.equal(store.accounts.named('mallory'), undefined)
  t.equal(store.accounts.named('zoya')?.role, 'trader')
  t.same(store.invitations.list(), [])

  const { account: owner } = await signedIn('asha')
  const { id, token } = granted(store.keys.make(owner, { name: 'bot', scopes: ['trade'] }, by))
  const revoke = () => store.keys.revoke(owner, id, by)
  const bearer = { Authorization: `Bearer ${token}` }
  t.equal(
    (await sendSlowly(auth, '/order/initiate', { ...order, order_type: 'LO' }, bearer, revoke)).status,
    401,
  )
})

t.test('a slow body of someone whose rights stay is read, no matter who else loses theirs', async t => {
  const auth = await openAuthApp(t)
  const { store, signedIn } = auth
  const { session } = await signedIn('priya', 'admin')
  const other = await signedIn('ravi')
  const end = () => store.sessions.end(other.account, other.session.id, 'sign_out', { by: '', address: '' })
  const invite = (headers: object) => sendSlowly(auth, '/auth/invitations', { role: 'viewer' }, headers, end)
  t.equal((await invite(cookie(session.token))).status, 201)
  t.equal((await invite({ Authorization: `Bearer ${OPERATOR_KEY}` })).status, 201)
  auth.clock.now += DAY
  t.equal((await invite(cookie(session.token))).status, 201)
})

t.test('a session that ends while a passkey is verified adds none', async t => {
  const auth = await openAuthApp(t)
  const { store, signedIn, ask } = auth
  const headers = { Host: 'localhost:3000' }
  for (const isEnded of [false, true]) {
    const { account, session } = await signedIn(isEnded ? 'asha' : 'ravi')
    const { additional } = await ask('/auth/passkeys/options', {
      method: 'POST',
      session: session.token,
      headers,
    })
    const options = additional.options as Parameters<SoftAuthenticator['create']>[0]
    const response = new SoftAuthenticator('http://localhost:3000').create(options)
    const { take } = PasskeyChallenges.prototype
    t.teardown(() => Object.assign(PasskeyChallenges.prototype, { take }))
    PasskeyChallenges.prototype.take = function (...args) {
      if (isEnded) store.sessions.end(account, session.id, 'sign_out', { by: 'asha', address: '' })
      return take.apply(this, args)
    }
    const body = { name: 'phone', response }
    const added = await ask('/auth/passkeys', { method: 'POST', session: session.token, body, headers })
    t.equal(added.status, isEnded ? 401 : 201)
    t.equal(store.passkeys.list(account).length, isEnded ? 0 : 1)
  }
})
