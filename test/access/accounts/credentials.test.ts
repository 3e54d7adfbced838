import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { AddressList } from '../../../src/access/accounts/address-list.js'
import { ADMIN, AT_HOME, DAY, granted, HOUR, MINUTE, openAccessRoom } from '../../fixtures/access-room.js'

t.test('a session gives the rights of its account, until it is idle or old', async t => {
  const { store, clock, signedIn } = openAccessRoom(t)
  const { session } = await signedIn('asha')
  const find = () => store.find(session.token, AT_HOME.address)
  t.match(find(), {
    kind: 'session',
    userId: 'asha',
    role: 'trader',
    credential: `session:${session.id}`,
    expiresAt: clock.now + 30 * DAY,
  })
  for (let day = 0; day < 29; day++) {
    clock.now += DAY
    t.ok(find(), `used every day, day ${day + 1}`)
  }
  clock.now += DAY
  t.equal(find(), undefined, 'thirty days are the end')

  const { session: idle } = await signedIn('ravi')
  clock.now += 7 * DAY - 1
  t.ok(store.find(idle.token, ''))
  clock.now += 7 * DAY
  t.equal(store.find(idle.token, ''), undefined, 'a week without use is the end')
  const ended: string[] = []
  store.onEnded(credential => ended.push(credential))
  store.beat()
  t.ok(ended.includes(`session:${idle.id}`), 'and its sockets close')
})

t.test('very many sessions that have ended are deleted in portions', async t => {
  const { store, clock, account, ended } = openAccessRoom(t)
  const rows = store.file.prepare(
    `INSERT INTO sessions (hash, account, created_at, last_used_at, address, browser)
     VALUES (?, 1, 0, 0, '', '')`,
  )
  account('asha')
  store.file.transaction(() => {
    for (let number = 0; number < 1200; number++) rows.run(`hash ${number}`)
  })()
  store.beat()
  t.equal(ended.length, 500)
  store.beat()
  store.beat()
  t.equal(ended.length, 1200)
  clock.now += HOUR
  store.beat()
  t.equal(new Set(ended).size, 1200, 'each once')
})

t.test('the last use survives a restart, and is written once a minute, all together', async t => {
  const first = openAccessRoom(t)
  const { account, session } = await first.signedIn('asha')
  const use = (now: number) => {
    first.clock.now = now
    first.store.find(session.token, '')
  }
  const start = first.clock.now
  const lastUse = () => first.store.sessionsOf(account).map(({ lastUsedAt }) => lastUsedAt - start)
  use(start + MINUTE - 1)
  t.same(lastUse(), [0])
  use(start + MINUTE)
  t.same(lastUse(), [MINUTE], 'seen before it is written')
  use(start + 3 * MINUTE)
  first.store.close()
  const second = openAccessRoom(t, { path: first.path })
  const [kept] = second.store.sessionsOf(account)
  t.equal(kept?.lastUsedAt, start + 3 * MINUTE)
})

t.test('tokens that are not those of a session or key find nothing', async t => {
  const { store, signedIn } = openAccessRoom(t)
  const { session } = await signedIn('asha')
  const forged = [
    '',
    'rs_',
    `rs_${'A'.repeat(43)}`,
    session.token.slice(0, -1),
    `${session.token}A`,
    'rk_',
    "' OR 1=1",
  ]
  for (const token of forged) t.equal(store.find(token, ''), undefined, token)
  t.equal(store.find(session.token.replace('rs_', 'rk_'), ''), undefined, 'nor does one of another kind')
})

t.test('the file holds hashes of tokens only', async t => {
  const { store, path, signedIn } = openAccessRoom(t)
  const { account, session } = await signedIn('asha')
  const key = granted(store.keys.make(account, { name: 'bot', scopes: ['read'] }, ADMIN))
  const link = store.recoveryLinks.make(account, ADMIN)
  const invitation = granted(store.invitations.make({ role: 'trader' }, ADMIN))
  store.close()
  const file = readFileSync(path)
  for (const { token } of [session, key, link, invitation]) {
    t.equal(file.includes(token), false)
    t.equal(file.includes(createHash('sha256').update(token).digest('base64url')), true)
  }
})

t.test('an ended session ends at once, and only its owner can end it', async t => {
  const { store, ended, signedIn } = openAccessRoom(t)
  const asha = await signedIn('asha')
  const ravi = await signedIn('ravi')
  t.ok(store.find(asha.session.token, ''))
  const author = { by: 'ravi', address: '' }
  t.equal(store.sessions.end(ravi.account, asha.session.id, 'session_ended', author), false)
  t.equal(store.sessions.end('operator', asha.session.id, 'session_ended', author), false)
  t.ok(store.find(asha.session.token, ''))
  t.equal(store.sessions.end(asha.account, asha.session.id, 'sign_out', author), true)
  t.equal(store.find(asha.session.token, ''), undefined)
  t.equal(store.sessions.end(asha.account, asha.session.id, 'sign_out', author), false)
  t.same(ended, [`session:${asha.session.id}`])
  t.ok(store.find(ravi.session.token, ''))
})

t.test('the twenty-first session ends the oldest', async t => {
  const { store, ended, signedIn } = openAccessRoom(t)
  const { account, session } = await signedIn('asha')
  const others = Array.from({ length: 20 }, () => store.sessions.open(account, AT_HOME))
  t.same(ended, [`session:${session.id}`])
  t.equal(store.find(session.token, ''), undefined)
  t.equal(store.sessionsOf(account).length, 20)
  for (const { token } of others) t.ok(store.find(token, ''))
})

t.test(
  "an operator's session has all rights and no user, for half a day unused and a day in all",
  async t => {
    const { store, clock } = openAccessRoom(t)
    const { token, id } = store.sessions.openOperator(AT_HOME, 'a code')
    t.match(store.find(token, ''), { kind: 'operator_session', userId: undefined, role: 'admin' })
    t.same(
      store.sessionsOf('operator').map(session => session.id),
      [id],
    )
    clock.now += 11 * HOUR
    t.ok(store.find(token, ''))
    clock.now += 11 * HOUR
    t.ok(store.find(token, ''))
    clock.now += 2 * HOUR
    t.equal(store.find(token, ''), undefined)
    t.same(store.sessionsOf('operator'), [])
  },
)

t.test("an operator's session ends when the operator's key has changed", async t => {
  const first = openAccessRoom(t)
  const { token } = first.store.sessions.openOperator(AT_HOME, 'a code')
  const { session } = await first.signedIn('asha')
  first.store.close()
  const same = openAccessRoom(t, { path: first.path })
  t.ok(same.store.find(token, ''))
  same.store.close()
  const changed = openAccessRoom(t, { path: first.path, operatorKey: 'ro_another' })
  t.equal(changed.store.find(token, ''), undefined)
  t.ok(changed.store.find(session.token, ''), 'sessions of accounts stay')
})

t.test('a key has the scopes it was made with, less those its account has lost', async t => {
  const { store, account } = openAccessRoom(t)
  account('priya', 'admin')
  const ravi = account('ravi', 'operator')
  const key = granted(store.keys.make(ravi, { name: 'bot', scopes: ['trade', 'money', 'trade'] }, ADMIN))
  const scopes = () => [...(store.find(key.token, '')?.scopes ?? [])]
  t.match(store.find(key.token, ''), { kind: 'api_key', userId: 'ravi', credential: `key:${key.id}` })
  t.same(scopes(), ['trade', 'money'])
  store.accounts.setRole(ravi, 'trader', ADMIN)
  t.same(scopes(), ['trade'])
  store.accounts.setRole(ravi, 'viewer', ADMIN)
  t.same(scopes(), [])
})

t.test('keys that reach further than their account are not made', async t => {
  const { store, account, clock } = openAccessRoom(t)
  const asha = account('asha')
  const make = (changes: object) =>
    store.keys.make(asha, { name: 'bot', scopes: ['read'], ...changes }, ADMIN)
  for (const scope of ['money', 'operate']) t.equal(make({ scopes: ['read', scope] }), 'scope_missing', scope)
  t.match(make({ scopes: [] }), { fault: /scopes/ })
  t.match(make({ expiresAt: clock.now }), { fault: /expires_at/ })
  for (const bad of [
    [],
    [''],
    ['10.0.0.0/33'],
    ['10.0.0.0/8/8'],
    ['localhost'],
    ['fe80::1%eth0'],
    ['10.0.0.1,::/0'],
  ]) {
    t.match(make({ addresses: bad }), { fault: /addresses/ }, JSON.stringify(bad))
  }
  t.same(store.keys.list(asha), [])
})

t.test('a key works from its addresses only, until it expires', async t => {
  const { store, account, clock } = openAccessRoom(t)
  const asha = account('asha')
  const addresses = ['203.0.113.0/24', '2001:db8::/48']
  const draft = { name: 'bot', scopes: ['read'] as const, addresses, expiresAt: clock.now + DAY }
  const { token } = granted(store.keys.make(asha, draft, ADMIN))
  for (const address of ['203.0.113.200', '::ffff:203.0.113.200', '2001:db8:0:ffff::1']) {
    t.ok(store.find(token, address), address)
  }
  for (const address of ['203.0.114.1', '127.0.0.1', '::1', '2001:db8:1::1', '', 'nonsense']) {
    t.throws(() => store.find(token, address), { code: 403, reason: 'address_refused' }, address)
  }
  clock.now += DAY
  t.throws(() => store.find(token, '203.0.113.200'), { code: 401, reason: 'token_expired' })
})

t.test('a revoked key ends at once, and only its owner can revoke it', async t => {
  const { store, account, ended } = openAccessRoom(t)
  const asha = account('asha')
  const ravi = account('ravi')
  const { id, token } = granted(store.keys.make(asha, { name: 'bot', scopes: ['read'] }, ADMIN))
  t.ok(store.find(token, '10.0.0.1'))
  t.match(store.keys.list(asha), [{ name: 'bot', scopes: ['read'], lastUsedAt: undefined }])
  t.equal(store.keys.revoke(ravi, id, ADMIN), false)
  t.ok(store.find(token, '10.0.0.1'))
  store.flush()
  t.match(store.keys.list(asha), [{ lastUsedAt: Number, lastAddress: '10.0.0.1' }])
  t.equal(store.keys.revoke(asha, id, ADMIN), true)
  t.equal(store.find(token, '10.0.0.1'), undefined)
  t.same(ended, [`key:${id}`])
  const again = granted(store.keys.make(asha, { name: 'bot', scopes: ['read'] }, ADMIN))
  t.not(again.id, id, 'ids are never given twice')
})

t.test('an account has 25 keys at most', async t => {
  const { store, account } = openAccessRoom(t)
  const asha = account('asha')
  const make = () => store.keys.make(asha, { name: 'bot', scopes: ['read'] }, ADMIN)
  const made = Array.from({ length: 25 }, () => granted(make()))
  t.equal(make(), 'keys_full')
  store.keys.revoke(asha, made[0]?.id ?? 0, ADMIN)
  t.ok(granted(make()))
})

t.test('a list of addresses that cannot be read lets nobody in', async t => {
  t.equal(AddressList.of(['10.0.0.1', 'nowhere']), undefined)
  const nowhere = AddressList.of([])
  for (const address of ['127.0.0.1', '::1', '']) t.equal(nowhere?.has(address), false)
})
