import type { Test } from 'tap'
import t from 'tap'
import { passwordFault } from '../../../src/access/accounts/password-rules.js'
import { Passwords } from '../../../src/access/accounts/passwords.js'
import { SignInBrake } from '../../../src/access/accounts/sign-in-brake.js'
import type { AccessRoom } from '../../fixtures/access-room.js'
import {
  ADMIN,
  AT_HOME,
  DAY,
  granted,
  kindsOf,
  MINUTE,
  openAccessRoom,
  PASSWORD,
  START,
} from '../../fixtures/access-room.js'

const STRANGER = { address: '198.51.100.9', browser: 'curl' }
const login = ({ store }: AccessRoom, name: string, password: string, client = AT_HOME) =>
  store.signIn.login({ name, password }, client)

async function roomWithAsha(t: Test, options = {}): Promise<AccessRoom> {
  const room = openAccessRoom(t, options)
  await room.signedIn('asha')
  return room
}

t.test('a right password opens a session, in any spelling of the name', async t => {
  const room = await roomWithAsha(t)
  const outcome = await login(room, ' ASHA ', PASSWORD)
  t.match(outcome, { account: { name: 'asha' }, session: { token: /^rs_[\w-]{43}$/ } })
})

t.test(
  'an unknown name, a wrong password and an account without one have the same answer and the same work',
  async t => {
    const room = await roomWithAsha(t)
    room.account('ravi')
    const verified: boolean[] = []
    const { passwords } = room.store
    const verify = passwords.verify.bind(passwords)
    passwords.verify = (password, stored) => {
      verified.push(stored !== undefined)
      return verify(password, stored)
    }
    for (const name of ['nobody', 'asha', 'ravi']) {
      t.equal(await login(room, name, 'not the password', STRANGER), 'sign_in_failed', name)
    }
    t.same(verified, [false, true, false], 'each time a hash is made')
    const lines = room.store.audit.list({ limit: 10, kind: 'sign_in_failed' }).lines
    t.same(lines.map(({ name, address }) => [name, address]).reverse(), [
      ['nobody', '198.51.100.9'],
      ['asha', '198.51.100.9'],
      ['ravi', '198.51.100.9'],
    ])
  },
)

t.test('verifying against nothing costs as much as against a hash, and never matches', async t => {
  const passwords = new Passwords(bytes => Buffer.alloc(bytes), { ln: 4, r: 8, p: 1 })
  t.equal(await passwords.verify('', undefined), 'wrong')
  t.equal(await passwords.verify(PASSWORD, 'not a hash'), 'wrong')
  const stored = await passwords.hash(PASSWORD)
  t.match(stored, /^\$scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)
  t.equal(await passwords.verify(PASSWORD, stored), 'right')
  t.equal(await passwords.verify(`${PASSWORD} `, stored), 'wrong')
  t.equal(await passwords.verify('e\u0301'.repeat(9), await passwords.hash('\u00e9'.repeat(9))), 'right')
})

t.test('a hash costs what the guide says unless a test asks for less', async t => {
  const passwords = new Passwords(bytes => Buffer.alloc(bytes))
  t.match(await passwords.hash(PASSWORD), /^\$scrypt\$ln=15,r=8,p=3\$/)
})

t.test('a hash is made again at the next login once the cost has grown', async t => {
  const room = await roomWithAsha(t)
  room.store.close()
  const dearer = openAccessRoom(t, { path: room.path, hashCost: { ln: 5, r: 8, p: 1 } })
  const { accounts } = dearer.store
  const stored = () => accounts.passwordOf(granted(accounts.named('asha')))
  t.match(stored(), /ln=4/)
  t.equal(await login(dearer, 'asha', 'not the password'), 'sign_in_failed')
  t.match(stored(), /ln=4/, 'a wrong password changes nothing')
  t.match(await login(dearer, 'asha', PASSWORD), { account: { name: 'asha' } })
  t.match(stored(), /ln=5/)
  t.match(await login(dearer, 'asha', PASSWORD), { account: { name: 'asha' } })
})

t.test('two hashes at once and thirty waiting; more are refused at once', async t => {
  const passwords = new Passwords(bytes => Buffer.alloc(bytes), { ln: 4, r: 8, p: 1 })
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => passwords.hash(PASSWORD)))
  t.equal(outcomes.filter(outcome => outcome === 'busy').length, 8)
  t.match(await passwords.hash(PASSWORD), /^\$scrypt/, 'and then there is room again')
})

t.test('bad passwords are refused, at sign-up, change and recovery', async t => {
  for (const bad of [
    '',
    'short',
    '123456789',
    '1234567890',
    'Password123',
    'aaaaaaaaaaaa',
    'x'.repeat(257),
  ]) {
    t.type(passwordFault(bad, 'asha'), 'string', bad.slice(0, 20))
  }
  t.type(passwordFault('Krishnamurti', 'krishnamurti'), 'string', 'the name itself')
  for (const good of [PASSWORD, 'only lower case letters', 'पासवर्ड एकदम नया', `${'7'.repeat(255)}x`]) {
    t.equal(passwordFault(good, 'asha'), undefined, good.slice(0, 20))
  }
  const room = await roomWithAsha(t)
  const asha = granted(room.store.accounts.named('asha'))
  const { signIn } = room.store
  const { token } = room.store.recoveryLinks.make(asha, ADMIN)
  t.match(await signIn.signUp({ name: 'ravi', password: 'short' }, AT_HOME), { fault: /^password: / })
  const change = { current: PASSWORD, password: 'short' }
  t.match(await signIn.changePassword(asha, change, undefined, AT_HOME), { fault: /^password: / })
  t.match(await signIn.recover({ token, password: 'short' }, AT_HOME), { fault: /^password: / })
  t.match(await login(room, 'asha', PASSWORD), { account: { name: 'asha' } })
  t.match(
    await signIn.recover({ token, password: 'a better one' }, AT_HOME),
    { ended: { sessions: 2 } },
    'the link still works',
  )
})

t.test('failures by name cost twice the wait each time, from wherever they come', async t => {
  const clock = { now: START }
  const brake = new SignInBrake(() => clock.now)
  const waits: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    let outcome = brake.begin('asha', `10.0.0.${attempt}`, false)
    if ('waitMs' in outcome) {
      waits.push(outcome.waitMs)
      t.match(
        brake.begin('asha', '10.9.9.9', false),
        { waitMs: outcome.waitMs },
        'waiting costs nothing more',
      )
      clock.now += outcome.waitMs
      outcome = brake.begin('asha', `10.0.0.${attempt}`, false)
    }
    t.match(outcome, { keys: [] })
  }
  t.same(waits, [2000, 4000, 8000, 16_000, 32_000, 64_000], 'after five failures')
  clock.now += DAY
  t.match(brake.begin('asha', '10.0.0.1', false), { keys: [] }, 'failures are forgotten')
})

t.test('failures by address slow all names down there, and nobody elsewhere', async t => {
  const brake = new SignInBrake(() => START)
  for (let attempt = 0; attempt < 21; attempt++)
    t.match(brake.begin(`n${attempt}`, '10.0.0.1', false), { keys: [] })
  t.match(brake.begin('fresh', '10.0.0.1', false), { waitMs: 2000 })
  t.match(brake.begin('fresh', '10.0.0.2', false), { keys: [] })
})

t.test('successes at an address do not buy failures there', async t => {
  const clock = { now: START }
  const brake = new SignInBrake(() => clock.now)
  let guesses = 0
  for (let round = 0; round < 2000; round++) {
    const own = brake.begin('mallory', '10.0.0.1', false)
    if ('keys' in own) brake.succeeded(own)
    if ('keys' in brake.begin(`victim${round}`, '10.0.0.1', false)) guesses++
    clock.now += 100
  }
  t.ok(guesses < 35, `${guesses} guesses in 200 s`)
})

t.test('an address that signs in all the time still forgets its failures', async t => {
  const clock = { now: START }
  const brake = new SignInBrake(() => clock.now)
  for (let attempt = 0; attempt < 20; attempt++) brake.begin(`n${attempt}`, '10.0.0.1', false)
  for (let minute = 0; minute < 120; minute++) {
    clock.now += MINUTE / 2
    const attempt = brake.begin(`m${minute}`, '10.0.0.1', false)
    if ('keys' in attempt) brake.succeeded(attempt)
  }
  for (let attempt = 0; attempt < 15; attempt++)
    t.match(brake.begin(`o${attempt}`, '10.0.0.1', false), { keys: [] })
})

t.test('parallel attempts count before they are answered', async t => {
  const room = await roomWithAsha(t)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => login(room, 'asha', `guess number ${index}`, STRANGER)),
  )
  t.equal(outcomes.filter(outcome => outcome === 'sign_in_failed').length, 6)
  t.equal(outcomes.filter(outcome => typeof outcome === 'object' && 'waitMs' in outcome).length, 14)
})

t.test('strangers cannot lock an account out where its owner has signed in before', async t => {
  const room = await roomWithAsha(t)
  for (let attempt = 0; attempt < 200; attempt++) {
    await login(room, 'asha', 'not the password', { address: `198.51.100.${attempt}`, browser: '' })
    room.clock.now += 1000
  }
  t.match(await login(room, 'asha', 'not the password', STRANGER), { waitMs: Number }, 'strangers wait')
  t.match(await login(room, 'asha', PASSWORD, STRANGER), { waitMs: Number }, 'even with the right one')
  t.match(await login(room, 'asha', PASSWORD), { account: { name: 'asha' } })
})

t.test('forged names and addresses keep the memory of failures bounded', async t => {
  const brake = new SignInBrake(() => START)
  for (let index = 0; index < 200_000; index++) brake.begin(`n${index}`, `a${index}`, false)
  t.ok(brake.length <= 40_000, String(brake.length))
})

t.test('a changed password ends the other sessions, not this one and not the keys', async t => {
  const room = await roomWithAsha(t)
  const here = granted(await login(room, 'asha', PASSWORD))
  const there = granted(await login(room, 'asha', PASSWORD))
  const { store, ended } = room
  const key = granted(store.keys.make(here.account, { name: 'bot', scopes: ['trade'] }, ADMIN))
  const change = (current: string, password: string) =>
    store.signIn.changePassword(here.account, { current, password }, here.session.id, AT_HOME)
  t.equal(await change('not the password', 'quite another one'), 'sign_in_failed')
  t.same(ended, [])
  t.match(await change(PASSWORD, 'quite another one'), { ended: { sessions: 2, keys: 0 } })
  t.equal(store.find(there.session.token, ''), undefined)
  t.equal(store.find(here.session.token, '')?.userId, 'asha')
  t.equal(ended.includes(`session:${here.session.id}`), false)
  t.equal(await login(room, 'asha', PASSWORD), 'sign_in_failed', 'the old password is gone')
  t.equal(store.find(key.token, '')?.userId, 'asha')
})

t.test('a login that was under way when the password changed opens nothing', async t => {
  const room = await roomWithAsha(t)
  const asha = granted(room.store.accounts.named('asha'))
  const underWay = login(room, 'asha', PASSWORD)
  room.store.accounts.setPassword(asha, 'another hash')
  t.equal(await underWay, 'sign_in_failed')

  const signingIn = login(room, 'asha', PASSWORD)
  room.account('priya', 'admin')
  room.store.accounts.disable(asha, ADMIN)
  t.equal(typeof (await signingIn), 'string')
  t.same(room.store.sessionsOf(asha), [])
})

t.test('a recovery link works once, within a day, and ends all sessions', async t => {
  const room = await roomWithAsha(t)
  const { store, clock } = room
  const asha = granted(store.accounts.named('asha'))
  const recover = (token: string) => store.signIn.recover({ token, password: 'quite another one' }, STRANGER)
  const replaced = store.recoveryLinks.make(asha, ADMIN)
  const expired = store.recoveryLinks.make(asha, ADMIN)
  t.equal(await recover(replaced.token), 'recovery_wrong', 'a later link replaces an earlier one')
  clock.now += DAY
  t.equal(await recover(expired.token), 'recovery_wrong')
  t.match(await login(room, 'asha', PASSWORD), { account: { name: 'asha' } })

  const good = store.recoveryLinks.make(asha, ADMIN)
  const both = await Promise.all([recover(good.token), recover(good.token)])
  t.equal(both.filter(outcome => outcome === 'recovery_wrong').length, 1, 'twice at the same time')
  t.equal(store.sessionsOf(asha).length, 1)
  t.match(await login(room, 'asha', 'quite another one', STRANGER), { account: { name: 'asha' } })
})

t.test('a change of password makes an open recovery link worthless', async t => {
  const room = await roomWithAsha(t)
  const asha = granted(room.store.accounts.named('asha'))
  const { token } = room.store.recoveryLinks.make(asha, ADMIN)
  const change = { current: PASSWORD, password: 'quite another one' }
  t.match(await room.store.signIn.changePassword(asha, change, undefined, AT_HOME), {
    ended: { sessions: 1 },
  })
  t.equal(await room.store.signIn.recover({ token, password: 'a third password' }, AT_HOME), 'recovery_wrong')
})

t.test('no password and no token stands in the file or in the audit log', async t => {
  const room = await roomWithAsha(t)
  await login(room, 'asha', 'a wrong password here', STRANGER)
  t.equal(kindsOf(room.store).includes('sign_in_failed'), true)
  const text = JSON.stringify(room.store.audit.list({ limit: 100 }).lines)
  for (const secret of [PASSWORD, 'a wrong password here', 'rs_']) t.notOk(text.includes(secret), secret)
})

t.test('a clock that jumps makes nobody wait, and ends no session', async t => {
  const room = await roomWithAsha(t)
  const { clock, store } = room
  const jump = (ms: number) => {
    clock.now += ms
    clock.jumped += ms
  }
  for (let attempt = 0; attempt < 6; attempt++) await login(room, 'asha', 'wrong wrong', STRANGER)
  t.match(await login(room, 'asha', 'wrong wrong', STRANGER), { waitMs: 2000 })
  jump(-3 * 60 * MINUTE)
  t.match(await login(room, 'asha', PASSWORD, STRANGER), { waitMs: 2000 }, 'no longer than before')
  clock.now += 2000
  t.match(await login(room, 'asha', PASSWORD, STRANGER), { account: { name: 'asha' } })
  jump(3 * 60 * MINUTE)
  for (let attempt = 0; attempt < 6; attempt++) await login(room, 'ravi', 'wrong wrong', STRANGER)
  jump(DAY)
  t.match(await login(room, 'ravi', 'wrong wrong', STRANGER), { waitMs: 2000 }, 'nor shorter')
  store.flush()
})

t.test('a start deletes no session: only later is it known whether the clock is right', async t => {
  const first = openAccessRoom(t)
  const { session, account } = await first.signedIn('asha')
  first.store.close()
  let now = START + 30 * DAY
  const second = openAccessRoom(t, { path: first.path, now: () => now })
  second.store.close()
  now = START + MINUTE
  const third = openAccessRoom(t, { path: first.path, now: () => now })
  third.store.beat()
  t.ok(third.store.find(session.token, ''), 'the clock was wrong')
  t.equal(third.store.sessionsOf(account).length, 1)
  now = START + 30 * DAY
  const ended: string[] = []
  const fourth = openAccessRoom(t, { path: first.path, now: () => now })
  fourth.store.onEnded(credential => ended.push(credential))
  fourth.store.beat()
  t.same(ended, [`session:${session.id}`], 'here it is right')
})
