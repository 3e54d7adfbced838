import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { nameFault } from '../../../src/access/accounts/account-name.js'
import { foldedName } from '../../../src/core/plain-name.js'
import { openDatabase } from '../../../src/store/database.js'
import {
  ADMIN,
  AT_HOME,
  DAY,
  granted,
  kindsOf,
  openAccessRoom,
  PASSWORD,
} from '../../fixtures/access-room.js'

const create = (room: ReturnType<typeof openAccessRoom>, name: string) =>
  room.store.accounts.create({ name, password: undefined, role: 'trader' }, ADMIN)

t.test('a new data directory starts with an empty file that only its owner reads', async t => {
  const { store, path } = openAccessRoom(t)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(store.accounts.needsAdmin, true)
  t.same(store.accounts.list({ limit: 10 }), { accounts: [], next: undefined })
})

t.test('what was written is there after a restart', async t => {
  const path = join(t.testdir(), 'access.db')
  const first = openAccessRoom(t, { path })
  const { session } = await first.signedIn('asha')
  first.store.close()
  const second = openAccessRoom(t, { path })
  t.equal(second.store.find(session.token, '203.0.113.7')?.userId, 'asha')
})

t.test('a file that is not one of accounts, newer or damaged closes sign-in and is left alone', async t => {
  const path = join(t.testdir(), 'access.db')
  const refuses = (message: RegExp) => {
    const before = readFileSync(path)
    const { store } = openAccessRoom(t, { path })
    t.match(store.file.doubt, message)
    t.equal(store.isClosed, true)
    t.same(readFileSync(path), before)
  }
  writeFileSync(path, 'SQLite format 3\0 and nothing behind it'.padEnd(5000, 'x'))
  refuses(/access\.db: it is damaged \(file is not a database\)/)

  writeFileSync(path, '')
  const foreign = openDatabase(path)
  foreign.exec('CREATE TABLE orders (id INTEGER); PRAGMA user_version = 1')
  foreign.close()
  refuses(/it is not a file of accounts of Raay/)

  writeFileSync(path, '')
  openAccessRoom(t, { path }).store.close()
  const newer = openDatabase(path)
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  refuses(/it has version 99, this program knows \d+: start a newer Raay/)
})

t.test('names fold to one form, and two that look alike cannot both exist', async t => {
  const room = openAccessRoom(t)
  t.match(create(room, ' Asha '), { name: 'asha' })
  for (const name of ['asha', 'ASHA', 'ａｓｈａ', 'Asha\u00a0'])
    t.equal(create(room, name), 'name_taken', name)
  t.equal(room.store.accounts.named('ＡＳＨＡ')?.name, 'asha')
  t.equal(foldedName('ＪÜＲＧＥＮ'), 'jürgen')
})

t.test('names that are no names are refused', async t => {
  for (const good of ['ab', 'a.b_c-d', '7up', 'आशा', 'অনিল', 'jürgen', 'x'.repeat(32)]) {
    t.equal(nameFault(foldedName(good)), undefined, good)
  }
  for (const bad of [
    '',
    'a',
    'x'.repeat(33),
    '..',
    '.a',
    '-rf',
    '_a',
    'a b',
    'a/b',
    'a@b',
    'a\u200bb',
    'а1',
  ]) {
    t.type(nameFault(foldedName(bad)), 'string', JSON.stringify(bad))
  }
  for (const mixed of [
    'аsha',
    'ashаशा',
    'aआ',
    'house',
    'external',
    'fees',
    'bot-7',
    'a\u0301\u0301b',
    '😀😀',
  ]) {
    t.type(nameFault(foldedName(mixed)), 'string', mixed)
  }
})

t.test('nobody gets a name that passes for the exchange, in no spelling and by no invitation', async t => {
  const room = openAccessRoom(t)
  room.users.add('Support')
  for (const name of ['admin', 'Operator', 'TOKEN', 'ro.ot', 'sup-port', 'ＡＤＭＩＮ', 'raay_']) {
    t.match(create(room, name), { fault: /is reserved/ }, name)
    t.match(room.store.invitations.make({ role: 'trader', name }, ADMIN), { fault: /is reserved/ }, name)
    const up = await room.store.signIn.signUp({ name, password: PASSWORD }, AT_HOME)
    t.match(up, { fault: /is reserved/ }, name)
  }
  const claim = room.store.invitations.make({ role: 'trader', name: 'Support' }, ADMIN)
  t.match(claim, { fault: /is reserved/ }, 'not even where a user has it')
  t.equal(nameFault('administrator2'), undefined)
})

t.test('the name of a user who exists is not free', async t => {
  const room = openAccessRoom(t)
  room.users.add('asha')
  t.equal(create(room, 'Asha'), 'name_taken')
  t.equal(await room.store.signIn.signUp({ name: 'asha', password: PASSWORD }, AT_HOME), 'name_taken')
  t.same(room.store.accounts.list({ limit: 10 }).accounts, [])
})

t.test('the last admin can neither be demoted nor disabled', async t => {
  const { store, account } = openAccessRoom(t)
  const priya = account('priya', 'admin')
  t.equal(store.accounts.needsAdmin, false)
  t.equal(store.accounts.setRole(priya, 'trader', ADMIN), 'last_admin')
  t.equal(store.accounts.disable(priya, ADMIN), 'last_admin')
  t.match(store.accounts.withId(priya.id), { role: 'admin', isDisabled: false })

  const ravi = account('ravi', 'admin')
  t.match(store.accounts.disable(ravi, ADMIN), { isDisabled: true })
  t.equal(store.accounts.disable(priya, ADMIN), 'last_admin', 'a disabled admin does not count')
  store.accounts.enable(ravi, ADMIN)
  t.match(store.accounts.setRole(priya, 'viewer', ADMIN), { role: 'viewer' })
})

t.test('a disabled account has no sessions, and its keys and links open nothing', async t => {
  const { store, signedIn, ended } = openAccessRoom(t)
  const { account, session } = await signedIn('asha')
  const key = granted(store.keys.make(account, { name: 'bot', scopes: ['read'] }, ADMIN))
  const { token: link } = store.recoveryLinks.make(account, ADMIN)
  t.equal(store.find(key.token, '10.0.0.1')?.userId, 'asha')
  t.equal(store.find(session.token, '10.0.0.1')?.userId, 'asha')

  store.accounts.disable(account, ADMIN)
  t.same(ended, [`session:${session.id}`, `key:${key.id}`])
  t.equal(store.find(session.token, '10.0.0.1'), undefined)
  t.throws(() => store.find(key.token, '10.0.0.1'), { code: 403, reason: 'account_disabled' })
  t.equal(
    await store.signIn.recover({ token: link, password: 'another password' }, AT_HOME),
    'recovery_wrong',
  )
  t.equal(await store.signIn.login({ name: 'asha', password: PASSWORD }, AT_HOME), 'account_disabled')
  const wrong = await store.signIn.login({ name: 'asha', password: 'not the password' }, AT_HOME)
  t.equal(wrong, 'sign_in_failed', 'without the password nobody learns that it is disabled')

  store.accounts.enable(account, ADMIN)
  t.equal(store.find(session.token, '10.0.0.1'), undefined, 'an ended session stays ended')
  t.equal(store.find(key.token, '10.0.0.1')?.userId, 'asha')
})

t.test('a changed role counts at once, and sockets that had the old one close', async t => {
  const { store, signedIn, ended } = openAccessRoom(t)
  const { account, session } = await signedIn('asha', 'operator')
  t.equal(store.find(session.token, '')?.scopes.has('operate'), true)
  store.accounts.setRole(account, 'viewer', ADMIN)
  t.same([...(store.find(session.token, '')?.scopes ?? [])], ['read'])
  t.same(ended, [`session:${session.id}`])
})

t.test('an admin who is demoted or disabled leaves no invitations behind', async t => {
  const { store, account } = openAccessRoom(t)
  account('priya', 'admin')
  for (const fall of ['setRole', 'disable'] as const) {
    const ravi = account(`ravi-${fall.toLowerCase()}`, 'admin')
    store.invitations.make({ role: 'admin' }, { by: ravi.name, address: '' })
    store.invitations.make({ role: 'trader' }, ADMIN)
    const before = store.invitations.list().length
    if (fall === 'setRole') store.accounts.setRole(ravi, 'operator', ADMIN)
    else store.accounts.disable(ravi, ADMIN)
    t.equal(store.invitations.list().length, before - 1)
    t.notOk(store.invitations.list().some(({ role }) => role === 'admin'))
  }
})

t.test('the list has pages, a search and the number of credentials', async t => {
  const { store, account, signedIn } = openAccessRoom(t)
  for (const name of ['ravi', 'meera', 'asha2']) account(name)
  await signedIn('asha')
  const names = (query: Parameters<typeof store.accounts.list>[0]) =>
    store.accounts.list(query).accounts.map(({ name }) => name)
  t.same(names({ limit: 2 }), ['asha', 'asha2'])
  t.same(names({ limit: 2, after: store.accounts.list({ limit: 2 }).next }), ['meera', 'ravi'])
  t.same(names({ limit: 10, q: 'ASHA' }), ['asha', 'asha2'])
  t.same(names({ limit: 10, q: "%' OR 1=1 --" }), [])
  t.match(store.accounts.list({ limit: 1 }).accounts, [{ sessions: 1, keys: 0, passkeys: 0 }])
})

t.test('an invitation works once, for its name and role, until it expires', async t => {
  const { store, clock, users } = openAccessRoom(t, { signUps: 'invitation' })
  const { signIn, invitations } = store
  const signUp = (name: string, invitation?: string) =>
    signIn.signUp({ name, password: PASSWORD, invitation }, AT_HOME)
  t.equal(await signUp('asha'), 'invitation_missing')
  t.equal(await signUp('asha', `ri_${'x'.repeat(43)}`), 'invitation_wrong')

  users.add('Old.Asha')
  const reserved = granted(invitations.make({ role: 'operator', name: 'Old.Asha' }, ADMIN))
  t.equal(invitations.make({ role: 'trader', name: 'old.asha' }, ADMIN), 'name_taken')
  t.match(await signUp('someone', reserved.token), { fault: /Expected Old.Asha/ })
  t.match(await signUp('old.asha', reserved.token), { account: { name: 'Old.Asha', role: 'operator' } })
  t.equal(await signUp('old.asha', reserved.token), 'invitation_wrong', 'it was accepted already')

  const late = granted(invitations.make({ role: 'trader' }, ADMIN))
  clock.now += 7 * DAY
  t.equal(await signUp('ravi', late.token), 'invitation_wrong')
  t.same(invitations.list(), [])
  t.match(invitations.make({ role: 'trader', expiresAt: clock.now + 91 * DAY }, ADMIN), { fault: /90 days/ })
  t.match(invitations.make({ role: 'trader', name: 'a b' }, ADMIN), { fault: /^name: / })
})

t.test('one invitation accepted twice at the same time makes one account', async t => {
  const { store } = openAccessRoom(t, { signUps: 'invitation' })
  const made = granted(store.invitations.make({ role: 'trader' }, ADMIN))
  const draft = { password: PASSWORD, invitation: made.token }
  const both = await Promise.all(
    ['asha', 'ravi'].map(name => store.signIn.signUp({ ...draft, name }, AT_HOME)),
  )
  t.equal(both.filter(outcome => outcome === 'invitation_wrong').length, 1)
  t.equal(store.accounts.list({ limit: 10 }).accounts.length, 1)
})

t.test('a name that an invitation reserves is not free for others; a withdrawn one frees it', async t => {
  const { store } = openAccessRoom(t)
  const made = granted(store.invitations.make({ role: 'trader', name: 'Asha' }, ADMIN))
  t.equal(made.name, 'asha')
  t.equal(await store.signIn.signUp({ name: 'ASHA', password: PASSWORD }, AT_HOME), 'name_taken')
  t.equal(store.invitations.withdraw(made.id, ADMIN), true)
  t.equal(store.invitations.withdraw(made.id, ADMIN), false)
  const withdrawn = { name: 'asha', password: PASSWORD, invitation: made.token }
  t.equal(await store.signIn.signUp(withdrawn, AT_HOME), 'invitation_wrong')
  t.match(await store.signIn.signUp({ name: 'asha', password: PASSWORD }, AT_HOME), {
    account: { name: 'asha' },
  })
  t.same(kindsOf(store), ['invited', 'invitation_removed', 'sign_up', 'sign_in'])
})
