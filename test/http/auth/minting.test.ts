import t from 'tap'
import { DAY, granted, HOUR, MINUTE, openAccessRoom, PASSWORD } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { accountsFile, openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'
import { TokenBook } from '../../fixtures/sockets/ws-tokens.js'

/** A credential, as a request sends it. */
type Sent = { readonly session?: string; readonly bearer?: string }

const CODE = /#code=([\w-]+)$/

/** Makes a link; returns its code. */
async function linkOf({ ask }: AuthApp, sent: Sent): Promise<string> {
  const { message, additional } = await ask('/auth/admin-link', { method: 'POST', ...sent })
  const code = CODE.exec(String(additional.url))?.[1]
  if (code === undefined) throw new Error(message)
  return code
}

/** Opens a session with a code; returns its token, the empty text if the code is refused. */
async function redeem({ ask }: AuthApp, code: string): Promise<string> {
  return (await ask('/auth/code', { body: { code } })).token
}

async function linked(auth: AuthApp, sent: Sent): Promise<string> {
  return redeem(auth, await linkOf(auth, sent))
}

function callerOf(auth: AuthApp, session: string): Promise<unknown> {
  return auth.ask('/auth/session', { session }).then(({ additional }) => additional.caller)
}

/** The routes from which credentials and rights come, in the order of the cells below. */
const MINTS: readonly (readonly [path: string, body: object])[] = [
  ['/auth/operator', {}],
  ['/auth/admin-link', {}],
  ['/auth/keys', { name: 'x', scopes: ['read'] }],
  ['/auth/keys', { name: 'x', scopes: ['read'], user: 'zoya' }],
  ['/auth/passkeys/options', {}],
  ['/auth/invitations', { role: 'admin' }],
  ['/auth/users', { name: '', role: 'admin' }],
  ['/auth/users/zoya/role', { role: 'king' }],
  ['/auth/users/zoya/recovery', {}],
  ['/auth/users/zoya/enable', {}],
]

/** `+` makes it, or is refused only for what the request says. */
const MINTING: Readonly<Record<string, string>> = {
  nobody: '? ? ? ? ? ? ? ? ? ?',
  'a trader': 'o a + a + a a a a a',
  'an operator': 'o a + a + a a a a a',
  'an admin': 'o + + + + + + + + +',
  'what an admin has linked': 'o + + + + + + + + +',
  'a key of an admin': 'o n n n n n n n n n',
  'the operator key': '+ + n + n + + + + +',
  'a session of the operator key': 'o + n + n + + + + +',
  'what that session has linked': 'o + n + n + + + + +',
}
const SIGNS: Readonly<Record<string, string>> = {
  token_missing: '?',
  operator_only: 'o',
  admin_only: 'a',
  session_needed: 'n',
}

t.test('each credential mints what the table says, and nothing else', async t => {
  const auth = await openAuthApp(t)
  const { ask, store, account, signedIn } = auth
  account('zoya')
  const priya = await signedIn('priya', 'admin')
  const key = granted(
    store.keys.make(
      priya.account,
      { name: 'all', scopes: ['read', 'trade', 'money', 'operate'] },
      { by: 'priya', address: '' },
    ),
  )
  const operator = { session: (await ask('/auth/operator', { method: 'POST', bearer: OPERATOR_KEY })).token }
  const admin = { session: priya.session.token }
  const callers: Readonly<Record<string, Sent>> = {
    nobody: {},
    'a trader': { session: (await signedIn('asha')).session.token },
    'an operator': { session: (await signedIn('olga', 'operator')).session.token },
    'an admin': admin,
    'what an admin has linked': { session: await linked(auth, admin) },
    'a key of an admin': { bearer: key.token },
    'the operator key': { bearer: OPERATOR_KEY },
    'a session of the operator key': operator,
    'what that session has linked': { session: await linked(auth, operator) },
  }
  for (const [name, sent] of Object.entries(callers)) {
    const cells: string[] = []
    for (const [path, body] of MINTS) {
      const { status, reason } = await ask(path, { body, ...sent })
      cells.push(SIGNS[reason ?? ''] ?? (status < 300 || status === 422 ? '+' : `${status} ${reason}`))
    }
    t.equal(cells.join(' '), MINTING[name], name)
  }
})

t.test('a token of an identity provider makes no link, whatever its scopes', async t => {
  const tokens = new TokenBook()
  const auth = await openAuthApp(t, { mode: 'jwt', verifier: tokens })
  const scopes = {
    none: [],
    read: ['read'],
    operate: ['operate'],
    all: ['read', 'trade', 'money', 'operate'],
  }
  for (const [name, list] of Object.entries(scopes)) {
    tokens.give(`${name}.a.b`, 'root', { role: 'admin', scopes: new Set(list as 'read'[]) })
    const { status, cookie } = await auth.ask('/auth/admin-link', { method: 'POST', bearer: `${name}.a.b` })
    t.same([status, cookie], [403, ''], name)
  }
})

t.test('an admin who is demoted or disabled leaves no link and no session with their rights', async t => {
  const auth = await openAuthApp(t)
  const { ask, store, account, signedIn } = auth
  account('first', 'admin')
  for (const end of ['demoted', 'disabled', 'signed out', 'revoked']) {
    const { account: maker, session } = await signedIn(end.replace(' ', '-'), 'admin')
    const sent = { session: session.token }
    const [open, unused] = [await linked(auth, sent), await linkOf(auth, sent)]
    t.match(await callerOf(auth, open), { kind: 'session', userid: maker.name, role: 'admin' }, end)
    t.equal((await ask('/admin/health', { session: open })).status, 200)
    const { lines } = store.audit.list({ kind: 'sign_in', limit: 1 })
    t.match(lines, [{ kind: 'sign_in', by: maker.name, detail: /^link of session \d+, session \d+$/ }])
    const by = { by: 'first', address: '' }
    if (end === 'demoted') store.accounts.setRole(maker, 'trader', by)
    if (end === 'disabled') store.accounts.disable(maker, by)
    if (end === 'signed out') await ask('/auth/logout', { method: 'POST', ...sent })
    if (end === 'revoked') {
      const gone = await ask(`/auth/sessions/${session.id}?user=${maker.name}`, {
        method: 'DELETE',
        bearer: OPERATOR_KEY,
      })
      t.equal(gone.status, 200, gone.message)
    }
    t.equal(await redeem(auth, unused), '', `${end}: the unused link opens nothing`)
    if (end === 'demoted') t.match(await callerOf(auth, open), { role: 'trader' })
    else t.equal(await callerOf(auth, open), null, `${end}: its session has ended`)
    t.not((await ask('/admin/health', { session: open })).status, 200, end)
    const opened = Number(/session (\d+)$/.exec(lines[0]?.detail ?? '')?.[1])
    t.ok(auth.ended.includes(`session:${opened}`), `${end}: sockets of the session close`)
  }
})

t.test('what a link opens never outlives the session that made it', async t => {
  const auth = await openAuthApp(t)
  const { ask, clock, signedIn } = auth
  const admin = { session: (await signedIn('priya', 'admin')).session.token }
  const operator = { session: (await ask('/auth/operator', { method: 'POST', bearer: OPERATOR_KEY })).token }
  const first = await linked(auth, admin)
  t.match(await callerOf(auth, first), { expires_at: new Date(clock.now + DAY).toISOString() })
  for (let hour = 0; hour < 23; hour++) {
    clock.now += HOUR
    for (const session of [first, operator.session, admin.session]) t.ok(await callerOf(auth, session))
  }
  const [byLinked, byOperator] = [await linked(auth, { session: first }), await linked(auth, operator)]
  const end = new Date(clock.now + HOUR).toISOString()
  t.match(await callerOf(auth, byLinked), { expires_at: end }, 'no chain of links lives longer')
  t.match(await callerOf(auth, byOperator), { expires_at: end })
  clock.now += HOUR - 10 * MINUTE
  const late = await linkOf(auth, operator)
  clock.now += 10 * MINUTE
  for (const session of [first, byLinked, byOperator]) t.equal(await callerOf(auth, session), null)
  t.equal(await redeem(auth, late), '')
  t.ok(await callerOf(auth, admin.session), 'the session that made it goes on')
})

t.test('a session that a link opened ends when its maker has been idle', async t => {
  const auth = await openAuthApp(t)
  const { ask, clock, store } = auth
  const operator = { session: (await ask('/auth/operator', { method: 'POST', bearer: OPERATOR_KEY })).token }
  const open = await linked(auth, operator)
  for (let hour = 1; hour < 12; hour++) {
    clock.now += HOUR
    t.ok(await callerOf(auth, open), `after ${hour} h`)
  }
  clock.now += HOUR
  t.equal(await callerOf(auth, open), null)
  t.same(auth.ended, [])
  store.beat()
  t.equal(auth.ended.length, 2, 'and sockets of both close')
})

t.test('a link in the browser that made it leaves that browser signed in', async t => {
  const auth = await openAuthApp(t)
  const session = (await auth.signedIn('priya', 'admin')).session.token
  const code = await linkOf(auth, { session })
  const { token } = await auth.ask('/auth/code', { body: { code }, session })
  t.match(await callerOf(auth, token), { userid: 'priya' })
  const body = { current: PASSWORD, password: 'another horse battery' }
  t.equal((await auth.ask('/auth/password', { body, session: token })).status, 200)
  t.match(await callerOf(auth, token), { userid: 'priya' }, 'who proves the password stays')
  t.equal(await callerOf(auth, session), null)
})

/** Makes, as an admin, secrets that are not used yet, a session and keys. */
async function madeBy(auth: AuthApp, sent: Sent) {
  const post = async (path: string, body: object) => (await auth.ask(path, { body, ...sent })).additional
  const secretOf = ({ url }: Readonly<Record<string, unknown>>) => String(url).split('=')[1] ?? ''
  const invite = async (role: string) => secretOf(await post('/auth/invitations', { role }))
  return {
    opened: await linked(auth, sent),
    link: await linkOf(auth, sent),
    invitations: { admin: await invite('admin'), operator: await invite('operator') },
    harmless: { trader: await invite('trader'), viewer: await invite('viewer') },
    recovery: secretOf(await post('/auth/users/zoya/recovery', {})),
    own: await post('/auth/keys', { name: 'own', scopes: ['read'] }),
    others: await post('/auth/keys', { user: 'zoya', name: 'theirs', scopes: ['read'] }),
  }
}

t.test('a new password leaves nothing that a stolen session of an admin has made, but keys', async t => {
  for (const [how, endsKeys] of [
    ['change', false],
    ['change', true],
    ['recovery', false],
    ['recovery', true],
  ] as const) {
    const auth = await openAuthApp(t)
    const { ask, store, account, signedIn } = auth
    account('first', 'admin')
    account('zoya')
    const stolen = { session: (await signedIn('priya', 'admin')).session.token }
    const here = {
      session: (await ask('/auth/login', { body: { name: 'priya', password: PASSWORD } })).token,
    }
    const [theirs, alsoHere] = [await madeBy(auth, stolen), await linkOf(auth, here)]
    const foreign = granted(store.invitations.make({ role: 'admin' }, { by: 'first', address: '' }))
    const next = { password: 'another horse battery', ...(endsKeys && { end_keys: true }) }
    const recovery = store.recoveryLinks.make(granted(store.accounts.named('priya')), {
      ...{ by: 'first', address: '' },
    })
    const answer =
      how === 'change'
        ? await ask('/auth/password', { body: { current: PASSWORD, ...next }, ...here })
        : await ask('/auth/recover', { body: { token: recovery.token, ...next } })
    const label = `${how}, end_keys ${endsKeys}`
    t.match(answer.additional, {
      sessions_ended: how === 'change' ? 2 : 3,
      invitations_ended: 2,
      keys_ended: endsKeys ? 2 : 0,
    })
    const left = answer.additional.keys as { readonly name: string; readonly user: string }[]
    const known = [
      ['own', 'priya'],
      ['theirs', 'zoya'],
    ]
    t.same(
      left.map(({ name, user }) => [name, user]),
      endsKeys ? [] : known,
      `${label}: the answer lists what still works`,
    )
    for (const session of [stolen.session, theirs.opened]) t.equal(await callerOf(auth, session), null, label)
    for (const link of [theirs.link, alsoHere]) t.equal(await redeem(auth, link), '', `${label}: links`)
    for (const [role, invitation] of Object.entries(theirs.invitations)) {
      const up = await ask('/auth/sign-up', { body: { name: 'mallory', password: PASSWORD, invitation } })
      t.equal(up.reason, 'invitation_wrong', `${label}: an invitation for an ${role}`)
    }
    for (const invitation of [...Object.values(theirs.harmless), foreign.token])
      t.ok(store.invitations.find(invitation), `${label}: invitations of traders, and of other admins, stay`)
    const reset = await ask('/auth/recover', { body: { token: theirs.recovery, password: PASSWORD } })
    t.equal(reset.reason, 'recovery_wrong', `${label}: recovery links for others`)
    for (const [key, path] of [
      [theirs.own, '/order'],
      [theirs.others, '/order?userid=zoya'],
    ] as const) {
      t.equal((await ask(path, { bearer: String(key.key) })).status, endsKeys ? 401 : 200, label)
      t.equal(auth.ended.includes(`key:${Number(key.id)}`), endsKeys, 'sockets of revoked keys close')
    }
    const { lines } = store.audit.list({
      limit: 1,
      kind: how === 'change' ? 'password_changed' : 'recovered',
    })
    const sessions = how === 'change' ? 2 : 3
    t.equal(
      lines[0]?.detail,
      `sessions ended: ${sessions}, invitations ended: 2${endsKeys ? ', keys ended: 2' : ''}`,
    )
  }
})

t.test('a new password ends no key, link or invitation that others made', async t => {
  const auth = await openAuthApp(t)
  const { ask, account, signedIn, store } = auth
  account('zoya')
  const admin = { session: (await signedIn('priya', 'admin')).session.token }
  const made = await madeBy(auth, admin)
  const asha = { session: (await signedIn('asha')).session.token }
  const body = { current: PASSWORD, password: 'another horse battery', end_keys: true }
  const unclear = await ask('/auth/password', { body: { ...body, end_keys: 'no' }, ...asha })
  t.match(unclear, { status: 422, message: /^end_keys: / })
  t.match((await ask('/auth/password', { body, ...asha })).additional, {
    ...{ sessions_ended: 0, invitations_ended: 0, keys_ended: 0, keys: [], passkeys: 0 },
  })
  t.ok(await callerOf(auth, await redeem(auth, made.link)))
  t.ok(store.invitations.find(made.invitations.admin))
  t.equal((await ask('/order?userid=zoya', { bearer: String(made.others.key) })).status, 200)
  t.ok(store.recoveryLinks.accountOf(made.recovery))
})

t.test('operators’ sessions are listed with who opened them, and end where an admin ends them', async t => {
  const auth = await openAuthApp(t)
  const { ask, signedIn, store } = auth
  const operator = { session: (await ask('/auth/operator', { method: 'POST', bearer: OPERATOR_KEY })).token }
  const open = await linked(auth, operator)
  const admin = { session: (await signedIn('priya', 'admin')).session.token }
  const trader = { session: (await signedIn('asha')).session.token }
  type Listed = { readonly sessions: readonly { readonly id: number; readonly opened_by: string }[] }
  const list = async (query: string, sent: Sent) => {
    return ((await ask(`/auth/sessions${query}`, sent)).additional as unknown as Listed).sessions
  }
  for (const [query, sent] of [
    ['', { bearer: OPERATOR_KEY }],
    ['', operator],
    ['?operator=true', admin],
  ] as const) {
    const [last, first] = await list(query, sent)
    t.match([last?.opened_by, first?.opened_by], [`session ${first?.id}`, 'operator key'])
  }
  t.match(await list('?user=asha', admin), [{ opened_by: null }])
  for (const query of ['?operator=true', '?user=priya']) {
    t.equal((await ask(`/auth/sessions${query}`, trader)).reason, 'admin_only', query)
    t.equal((await ask(`/auth/sessions/1${query}`, { method: 'DELETE', ...trader })).reason, 'admin_only')
  }
  const first = (await list('', operator)).at(-1)
  const end = { method: 'DELETE', ...admin }
  t.equal(
    (await ask(`/auth/sessions/${first?.id}`, end)).reason,
    'credential_not_found',
    'not one of her own',
  )
  t.equal((await ask(`/auth/sessions/${first?.id}?operator=true`, end)).status, 200)
  t.same([await callerOf(auth, operator.session), await callerOf(auth, open)], [null, null])
  const { lines } = store.audit.list({ limit: 100 })
  t.match(
    lines.filter(({ kind }) => ['session_ended', 'operator_session', 'admin_link'].includes(kind)),
    [
      { kind: 'session_ended', by: 'priya', detail: `session ${first?.id}` },
      { kind: 'operator_session', by: `operator session ${first?.id}`, detail: /^link of session/ },
      { kind: 'admin_link', by: `operator session ${first?.id}` },
      { kind: 'operator_session', by: 'operator key' },
    ],
  )
})

t.test('invitations, recovery links and keys for others end with the rights of their maker', async t => {
  for (const end of ['demoted', 'disabled'] as const) {
    const auth = await openAuthApp(t)
    const { ask, store, account, signedIn } = auth
    account('first', 'admin')
    account('zoya')
    const { account: maker, session } = await signedIn('priya', 'admin')
    const post = async (path: string, body: object) => {
      return (await ask(path, { body, session: session.token })).additional
    }
    const secretOf = ({ url }: Readonly<Record<string, unknown>>) => String(url).split('=')[1] ?? ''
    const invitation = secretOf(await post('/auth/invitations', { role: 'admin' }))
    const token = secretOf(await post('/auth/users/zoya/recovery', {}))
    const key = await post('/auth/keys', { user: 'zoya', name: 'x', scopes: ['read'] })
    const own = await post('/auth/keys', { name: 'x', scopes: ['read'] })
    t.equal((await ask('/order?userid=zoya', { bearer: String(key.key) })).status, 200)
    if (end === 'demoted') store.accounts.setRole(maker, 'trader', { by: 'first', address: '' })
    else store.accounts.disable(maker, { by: 'first', address: '' })
    const up = await ask('/auth/sign-up', { body: { name: 'mallory', password: PASSWORD, invitation } })
    t.equal(up.reason, 'invitation_wrong', end)
    t.equal(
      (await ask('/auth/recover', { body: { token, password: PASSWORD } })).reason,
      'recovery_wrong',
      end,
    )
    t.equal((await ask('/order?userid=zoya', { bearer: String(key.key) })).status, 401, end)
    t.ok(auth.ended.includes(`key:${Number(key.id)}`), 'its sockets close')
    const still = await ask('/order', { bearer: String(own.key) })
    t.equal(still.status, end === 'demoted' ? 200 : 403, 'a key of their own account follows the account')
  }
})

t.test('invitations and recovery links of an operator key end when the key changes; keys stay', async t => {
  const path = accountsFile(t)
  const first = await openAuthApp(t, { path })
  first.account('zoya')
  const by = { by: 'operator key', address: '', isOperator: true } as const
  const zoya = granted(first.store.accounts.named('zoya'))
  const kept = granted(first.store.keys.make(zoya, { name: 'bot', scopes: ['read'] }, by))
  const made = () => [
    granted(first.store.invitations.make({ role: 'admin' }, by)).token,
    first.store.recoveryLinks.make(zoya, by).token,
  ]
  const [invitation = '', recovery = ''] = made()
  first.store.close()
  for (const [operatorKey, works] of [
    [OPERATOR_KEY, true],
    ['ro_another', false],
  ] as const) {
    const { store } = openAccessRoom(t, { path, operatorKey })
    t.equal(store.invitations.find(invitation) !== undefined, works, operatorKey)
    t.equal(store.recoveryLinks.accountOf(recovery) !== undefined, works, operatorKey)
    t.ok(store.find(kept.token, ''), 'programs go on')
    store.close()
  }
})

/** Returns a file that outlives the exchanges of a test, each of which has a directory of its own. */
t.test('outside accounts mode its sessions and keys open nothing, and can be revoked', async t => {
  const path = accountsFile(t)
  const first = await openAuthApp(t, { path })
  const { account, session } = await first.signedIn('priya', 'admin')
  const { id, token } = granted(
    first.store.keys.make(
      account,
      { name: 'bot', scopes: ['read', 'money', 'operate'] },
      {
        by: 'priya',
        address: '',
      },
    ),
  )
  first.store.close()
  const tokens = new TokenBook()
  for (const mode of ['open', 'jwt'] as const) {
    const auth = await openAuthApp(t, { path, mode, verifier: tokens })
    const { ask } = auth
    t.same(auth.store.countOfAccounts(), { sessions: 1, keys: 1 }, 'a start can say how many')
    const transfer = { body: { amount: 5, txn_id: mode } }
    for (const sent of [{ bearer: token }, { bearer: session.token }]) {
      t.equal((await ask('/portfolio/asha/deposit', { ...transfer, ...sent })).reason, 'token_wrong', mode)
      t.equal((await ask('/auth/admin-link', { method: 'POST', ...sent })).reason, 'token_wrong', mode)
    }
    const cookie = { session: session.token }
    t.equal((await ask('/portfolio/asha/deposit', { ...transfer, ...cookie })).reason, 'token_missing', mode)
    t.equal((await ask('/auth/admin-link', { method: 'POST', ...cookie })).reason, 'token_missing', mode)
    t.equal((await ask('/auth/keys?user=priya')).status, 401)
  }
  const { ask, store } = await openAuthApp(t, { path, mode: 'jwt', verifier: tokens })
  tokens.give('weak.a.b', 'root', { role: 'admin', scopes: new Set(['read']) })
  const asOperator = { bearer: OPERATOR_KEY }
  t.match((await ask('/auth/users', asOperator)).additional, { users: [{ name: 'priya', keys: 1 }] })
  t.match((await ask('/auth/keys?user=priya', asOperator)).additional, { keys: [{ id }] })
  const revoke = (path: string, sent: Sent) => ask(path, { method: 'DELETE', ...sent })
  const keyPath = `/auth/keys/${id}?user=priya`
  tokens.give('blind.a.b', 'root', { role: 'admin', scopes: new Set(['operate']) })
  for (const path of ['keys?user=priya', 'sessions?user=priya', 'sessions?operator=true', 'users', 'audit']) {
    t.equal((await ask(`/auth/${path}`, { bearer: 'blind.a.b' })).reason, 'scope_missing', path)
  }
  t.equal((await revoke(keyPath, { bearer: 'weak.a.b' })).reason, 'scope_missing')
  t.equal((await revoke(keyPath, asOperator)).status, 200)
  t.equal((await revoke(`/auth/sessions/${session.id}?user=priya`, asOperator)).status, 200)
  t.same(store.countOfAccounts(), { sessions: 0, keys: 0 })
  t.equal((await ask('/auth/keys', { body: { user: 'priya' }, ...asOperator })).reason, 'accounts_off')
})
