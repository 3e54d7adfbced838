import { join } from 'node:path'
import t from 'tap'
import type { Account } from '../../../src/access/accounts/accounts.js'
import type { TimeMs } from '../../../src/core/units.js'
import { digestOf } from '../../../src/access/secrets.js'
import { DecisionMark } from '../../../src/store/companions/decision-mark.js'
import { SiteStore } from '../../../src/site/site-store.js'
import type { AccessRoom } from '../../fixtures/access-room.js'
import { PROVIDER, personOf } from '../../fixtures/access-damage.js'
import {
  ADMIN,
  AT_HOME,
  granted,
  HOUR,
  kindsOf,
  openAccessRoom,
  PASSWORD,
  START,
} from '../../fixtures/access-room.js'
import { withFailingWrites } from '../../fixtures/failing-writes.js'

const OTHER = 'staple battery horse'

interface Stage {
  readonly room: AccessRoom
  readonly asha: Account
  readonly session: number
  readonly recovery: string
}

/** Each change of accounts, as it is asked for. */
const ACTS: Readonly<Record<string, (stage: Stage) => unknown>> = {
  'create an account': ({ room }) => room.account('ravi'),
  'sign up': ({ room }) => room.store.signIn.signUp({ name: 'ravi', password: PASSWORD }, AT_HOME),
  'sign in': ({ room }) => room.store.signIn.login({ name: 'asha', password: PASSWORD }, AT_HOME),
  'sign in at the provider': ({ room }) => room.store.providerSignIn?.enter(personOf(1), AT_HOME),
  'link an identity': ({ room, asha }) => room.store.providerSignIn?.link(personOf(1), asha, AT_HOME),
  'unlink an identity': ({ room }) => {
    const cara = granted(room.store.accounts.named('member2'))
    const [identity] = room.store.identities.list(cara)
    room.store.identities.unlink(cara, identity?.id ?? 0, ADMIN)
  },
  'change a password': ({ room, asha, session }) =>
    room.store.signIn.changePassword(asha, { current: PASSWORD, password: OTHER }, session, AT_HOME),
  'recover an account': ({ room, recovery }) =>
    room.store.signIn.recover({ token: recovery, password: OTHER }, AT_HOME),
  'change a role': ({ room, asha }) => room.store.accounts.setRole(asha, 'viewer', ADMIN),
  'disable an account': ({ room, asha }) => room.store.accounts.disable(asha, ADMIN),
  'end a session': ({ room, asha, session }) =>
    room.store.sessions.end(asha, session, 'session_ended', ADMIN),
  invite: ({ room }) => room.store.invitations.make({ role: 'viewer' }, ADMIN),
  'make a recovery link': ({ room, asha }) => room.store.recoveryLinks.make(asha, ADMIN),
  'suspend a user': ({ room }) => room.store.limits.change('asha', { isSuspended: true }, ADMIN),
  'resume a user': ({ room }) => room.store.limits.change('ben', { isSuspended: false }, ADMIN),
  'open a session of the operator': ({ room }) => room.store.sessions.openOperator(AT_HOME, 'a code'),
}

t.test('no change of access counts if its commit fails, and it works once the disk does', async t => {
  for (const [name, act] of Object.entries(ACTS)) {
    const path = join(t.testdir(), 'access.db')
    const mark = new DecisionMark(path)
    mark.allowNone()
    const room = openAccessRoom(t, { path, mark, provider: PROVIDER })
    const { store } = room
    store.providerSignIn?.enter(personOf(2), AT_HOME)
    const { account: asha, session } = await room.signedIn('asha')
    store.limits.change('ben', { isSuspended: true }, ADMIN)
    const recovery = store.recoveryLinks.make(asha, ADMIN).token
    const stage: Stage = { room, asha, session: session.id, recovery }
    const before = stateOf(stage)
    const [marked, endedCount] = [mark.read(), room.ended.length]
    const failing = () => withFailingWrites(`${path}-wal`, async () => act(stage))
    for (let times = 0; times < 3; times++) await t.rejects(failing(), { code: /^SQLITE_(IOERR|FULL)/ }, name)
    t.same(stateOf(stage), before, `${name}: what is in memory`)
    t.same(room.ended.slice(endedCount), [], `${name}: nothing is reported as ended`)
    t.same(mark.read(), marked, `${name}: the mark`)
    t.equal(store.file.doubt, undefined)

    await act(stage)
    const after = stateOf(stage)
    t.notSame(after, before, `${name}: afterwards it works`)
    t.ok((mark.read()?.number ?? 0) > (marked?.number ?? 0))
    store.close()
    const again = openAccessRoom(t, { path, mark, provider: PROVIDER })
    t.equal(again.store.file.doubt, undefined)
    t.same(stateOf({ ...stage, room: again }), after, `${name}: and it is on disk`)
    again.store.close()
  }
})

t.test('refusals and last uses are counted on, within bounds, while nothing can be written', async t => {
  const path = join(t.testdir(), 'access.db')
  const { store, clock, signedIn } = openAccessRoom(t, { path })
  const { session } = await signedIn('asha')
  clock.now += HOUR
  await withFailingWrites(`${path}-wal`, async () => {
    for (let n = 0; n < 6000; n++) t.notOk(store.find(`rk_${n}`, `2001:db8::${n.toString(16)}`))
    t.ok(store.find(session.token, AT_HOME.address), 'a session counts all the same')
    t.throws(() => store.flush(), { code: /^SQLITE_(IOERR|FULL)/ })
  })
  store.flush()
  const lines = store.audit.list({ kind: 'token_refused', limit: 10_000 }).lines
  t.equal(lines.length, 5000)
  const row = store.file.prepare('SELECT last_used_at FROM sessions WHERE id = ?').pluck()
  t.equal(row.get(session.id), clock.now)
})

t.test('a recovery that opens no session leaves the link, the password and the sessions', async t => {
  const room = openAccessRoom(t)
  const { store } = room
  const { account: asha, session } = await room.signedIn('asha')
  const recovery = store.recoveryLinks.make(asha, ADMIN).token
  const stage: Stage = { room, asha, session: session.id, recovery }
  const before = stateOf(stage)
  const open = store.sessions.open
  store.sessions.open = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  const recover = () => store.signIn.recover({ token: recovery, password: OTHER }, AT_HOME)
  await t.rejects(recover(), { code: 'SQLITE_FULL' })
  t.same(stateOf(stage), before)
  t.same(room.ended, [])
  store.sessions.open = open
  t.match(await recover(), { ended: { sessions: 1 } })
})

t.test('a first sign-in at the provider that opens no session leaves neither account nor identity', t => {
  const { store, ended } = openAccessRoom(t, { provider: PROVIDER })
  const { open } = store.sessions
  store.sessions.open = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  const enter = () => store.providerSignIn?.enter(personOf(1), AT_HOME)
  t.throws(enter, { code: 'SQLITE_FULL' })
  t.equal(store.accounts.named('member1'), undefined)
  t.equal(store.file.prepare('SELECT count(*) FROM identities').pluck().get(), 0)
  t.same([kindsOf(store), ended], [[], []])
  store.sessions.open = open
  t.match(enter(), { account: { name: 'member1' } })
  t.end()
})

t.test('ten thousand last uses that cannot be written fail no request, and are written later', async t => {
  const path = join(t.testdir(), 'access.db')
  const { store, clock } = openAccessRoom(t, { path })
  const tokens = Array.from({ length: 10_002 }, (_, n) => `rs_${n}`)
  const insert = store.file.prepare(
    `INSERT INTO sessions (hash, issuer, created_at, last_used_at, address, browser)
     VALUES (?, (SELECT issuer FROM sessions LIMIT 1), ?, ?, '', '')`,
  )
  store.sessions.openOperator(AT_HOME, 'a code')
  store.file.transaction(() => {
    for (const token of tokens) insert.run(digestOf(token), clock.now, clock.now)
  })()
  clock.now += HOUR
  await withFailingWrites(`${path}-wal`, async () => {
    for (const token of tokens) if (store.find(token, AT_HOME.address) === undefined) t.fail(token)
  })
  store.flush()
  const used = store.file.prepare('SELECT count(*) FROM sessions WHERE last_used_at = ?').pluck()
  const count = Number(used.get(clock.now))
  t.ok(count >= 9_999 && count <= 10_000, `${count} last uses were held`)
})

t.test('a choice on the site that was not committed is not in memory either', async t => {
  const path = join(t.testdir(), 'site.db')
  const site = new SiteStore({ path, now: () => START as TimeMs })
  t.teardown(() => site.close())
  site.profiles.choose('asha', true)
  for (let times = 0; times < 2; times++) {
    const choose = () => withFailingWrites(`${path}-wal`, async () => site.profiles.choose('asha', false))
    await t.rejects(choose(), { code: /^SQLITE_(IOERR|FULL)/ })
    t.equal(site.profiles.choiceOf('asha'), true)
  }
  site.profiles.choose('asha', false)
  t.equal(site.profiles.choiceOf('asha'), false)
})

/** Returns what the store answers about all of it. */
function stateOf({ room: { store }, recovery }: Stage) {
  const account = store.accounts.named('asha')
  const identities = [account, ...['member1', 'member2'].map(name => store.accounts.named(name))]
  return {
    accounts: ['asha', 'ravi', 'member1', 'member2'].map(name => store.accounts.named(name)),
    identities: identities.map(account => account && store.identities.list(account)),
    password: account && store.accounts.passwordOf(account),
    sessions: account && store.sessions.list(account),
    operators: store.sessions.list('operator'),
    invitations: store.invitations.list(),
    recovery: store.recoveryLinks.accountOf(recovery),
    limits: [store.limits.of('asha'), store.limits.of('ben')],
    acts: kindsOf(store),
  }
}
