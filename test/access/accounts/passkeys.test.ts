import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import t from 'tap'
import { PasskeyChallenges } from '../../../src/access/accounts/passkeys/passkey-challenges.js'
import { relyingParty } from '../../../src/access/accounts/passkeys/relying-party.js'
import {
  ADMIN,
  AT_HOME,
  granted,
  kindsOf,
  MINUTE,
  openAccessRoom,
  START,
} from '../../fixtures/access-room.js'
import type { Forgery } from '../../fixtures/soft-authenticator.js'
import { SoftAuthenticator } from '../../fixtures/soft-authenticator.js'

const ORIGIN = 'https://raay.example'
const SITE = { id: 'raay.example', origin: ORIGIN }
/** A session that does not end meanwhile. */
const STILL_IN = { author: ADMIN, checkAgain: async () => {} }

/** A room with an account and its passkey. */
async function roomWithPasskey(t: Test) {
  const room = openAccessRoom(t)
  const asha = room.account('asha')
  const device = new SoftAuthenticator(ORIGIN)
  const { passkeys, signIn } = room.store
  const options = granted(await passkeys.additionOptions(asha, SITE))
  const passkey = granted(
    await passkeys.add(asha, { response: device.create(options), name: 'phone' }, SITE, STILL_IN),
  )
  const login = async (forgery: Forgery = {}) =>
    signIn.passkeyLogin(device.get(await passkeys.signInOptions(SITE), forgery), SITE, AT_HOME)
  return { ...room, asha, device, passkeys, passkey, login }
}

t.test('a passkey signs its account in, without name or password', async t => {
  const { store, asha, passkeys, login } = await roomWithPasskey(t)
  t.match(passkeys.list(asha), [{ name: 'phone', lastUsedAt: undefined }])
  const { session } = granted(await login())
  t.equal(store.find(session.token, '')?.userId, 'asha')
  t.ok(granted(await login()), 'and again')
  t.match(passkeys.list(asha), [{ name: 'phone', lastUsedAt: START }])
  t.same(kindsOf(store), ['account_made', 'passkey_added', 'sign_in', 'sign_in'])
})

t.test('a signature for another site, challenge, purpose or user is refused', async t => {
  const { store, asha, login } = await roomWithPasskey(t)
  const forged: readonly (readonly [string, Forgery])[] = [
    ['another origin', { origin: 'https://raay.evil' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['plain http', { origin: 'http://raay.example' }],
    ['another site', { rpId: 'evil' }],
    ['a challenge of its own', { challenge: randomBytes(32).toString('base64url') }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['nobody present', { flags: 4 }],
    ['a user whom the device did not verify', { flags: 1 }],
    ['the handle of another user', { userHandle: randomBytes(32).toString('base64url') }],
  ]
  for (const [what, forgery] of forged) t.equal(await login(forgery), 'passkey_wrong', what)
  t.same(store.sessionsOf(asha), [])
  t.match(store.audit.list({ limit: 1 }).lines, [{ kind: 'sign_in_failed', detail: 'passkey', times: 9 }])
  t.ok(granted(await login()))
})

t.test('a signature works once; a device whose counter goes back is refused', async t => {
  const { store, device, passkeys, login } = await roomWithPasskey(t)
  const signed = device.get(await passkeys.signInOptions(SITE))
  t.ok(granted(await store.signIn.passkeyLogin(signed, SITE, AT_HOME)))
  t.equal(await store.signIn.passkeyLogin(signed, SITE, AT_HOME), 'passkey_wrong')
  t.equal(await login({ counter: 1 }), 'passkey_wrong', 'a copy of the device')
  t.ok(granted(await login({ counter: 10 })))
  t.equal(await login({ counter: 9 }), 'passkey_wrong')
})

t.test('of two signatures with one counter at the same time, one counts', async t => {
  const { login } = await roomWithPasskey(t)
  const both = await Promise.all([login({ counter: 5 }), login({ counter: 5 })])
  t.equal(both.filter(outcome => outcome === 'passkey_wrong').length, 1)
})

t.test('a device that does not count signs in again and again', async t => {
  const { login } = await roomWithPasskey(t)
  for (let times = 0; times < 3; times++) t.ok(granted(await login({ counter: 0 })))
})

t.test('a forged signature, an unknown passkey and nonsense are refused', async t => {
  const { store, device, passkeys } = await roomWithPasskey(t)
  const other = new SoftAuthenticator(ORIGIN)
  const options = await passkeys.signInOptions(SITE)
  const mine = device.get(options)
  const theirs = other.get(options)
  const swapped = { ...mine, response: { ...mine.response, signature: theirs.response.signature } }
  const empty = { ...mine, response: { ...mine.response, clientDataJSON: '', authenticatorData: '' } }
  for (const answer of [swapped, theirs, empty]) {
    t.equal(await store.signIn.passkeyLogin(answer, SITE, AT_HOME), 'passkey_wrong')
  }
})

t.test('a passkey is added only for the account and site that the options were made for', async t => {
  const { store, asha, device, passkeys, account } = await roomWithPasskey(t)
  const ravi = account('ravi')
  const add = async (
    to: typeof ravi,
    made: typeof ravi,
    forgery: Forgery = {},
    from = new SoftAuthenticator(ORIGIN),
  ) => {
    const options = granted(await passkeys.additionOptions(made, SITE))
    return passkeys.add(to, { response: from.create(options, forgery), name: 'x' }, SITE, STILL_IN)
  }
  t.equal(await add(ravi, asha), 'passkey_wrong', 'the challenge of another account')
  t.equal(await add(ravi, ravi, { origin: 'https://raay.evil' }), 'passkey_wrong')
  t.equal(await add(ravi, ravi, { flags: 64 + 1 }), 'passkey_wrong', 'an unverified user')
  t.equal(await add(ravi, ravi, {}, device), 'passkey_wrong', 'the passkey of another account')
  const challenge = (await passkeys.signInOptions(SITE)).challenge
  t.equal(await add(ravi, ravi, { challenge }), 'passkey_wrong', 'a challenge for signing in')
  t.same(store.passkeys.list(ravi), [])
  t.ok(granted(await add(ravi, ravi)))
})

t.test(
  'a removed passkey opens nothing, nor does one of a disabled account; only owners remove theirs',
  async t => {
    const { store, asha, passkeys, passkey, login, account } = await roomWithPasskey(t)
    t.equal(passkeys.remove(account('ravi'), passkey.id, ADMIN), false)
    store.accounts.disable(asha, ADMIN)
    t.equal(await login(), 'account_disabled')
    store.accounts.enable(asha, ADMIN)
    t.ok(granted(await login()))
    t.equal(passkeys.remove(asha, passkey.id, ADMIN), true)
    t.equal(await login(), 'passkey_wrong')
  },
)

t.test('an account has ten passkeys at most', async t => {
  const { asha, passkeys } = await roomWithPasskey(t)
  for (let count = 2; count <= 10; count++) {
    const options = granted(await passkeys.additionOptions(asha, SITE))
    const response = new SoftAuthenticator(ORIGIN).create(options)
    t.ok(granted(await passkeys.add(asha, { response, name: `${count}` }, SITE, STILL_IN)))
  }
  t.equal(await passkeys.additionOptions(asha, SITE), 'passkeys_full')
})

t.test('a challenge works once, for five minutes; a flood of them is bounded', async t => {
  const clock = { now: START }
  const challenges = new PasskeyChallenges(() => clock.now, randomBytes)
  const make = () => challenges.make('sign_in').toString('base64url')
  const challenge = make()
  t.equal(challenges.take(challenge, 'sign_in'), true)
  t.equal(challenges.take(challenge, 'sign_in'), false)
  const late = make()
  clock.now += 5 * MINUTE
  t.equal(challenges.take(late, 'sign_in'), false)
  const first = make()
  for (let count = 0; count < 10_000; count++) make()
  t.equal(challenges.take(first, 'sign_in'), false, 'ten thousand are open at most')
})

t.test('passkeys belong to a host name, without its port, over TLS or on this machine', async t => {
  t.same(relyingParty('https://raay.example:8443'), {
    id: 'raay.example',
    origin: 'https://raay.example:8443',
  })
  t.same(relyingParty('http://localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' })
  for (const address of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://203.0.113.7:3000']) {
    t.match(relyingParty(address), { refused: /IP address: open http:\/\/localhost:3000/ }, address)
  }
  t.match(relyingParty('http://raay.example'), { refused: /HTTPS/ })
})
