import type { Test } from 'tap'
import t from 'tap'
import type { PackOrder } from '../../src/replication/companions/companion-messages.js'
import { CompanionReplica } from '../../src/replication/companions/companion-replica.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import { Companion } from '../../src/store/companions/companion.js'
import { PASSWORD } from '../fixtures/access-room.js'
import { openAuthApp } from '../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../fixtures/http-scenario.js'

interface Timer {
  readonly act: () => void
  readonly ms: number
}

/** An app whose accounts go to a log that the test plays, with a clock in its hands. */
async function openReplicated(t: Test) {
  const timers: Timer[] = []
  const orders: PackOrder[] = []
  let hurried: () => void = () => undefined
  const thread = {
    order: (order: PackOrder) => {
      orders.push(order)
      if (order.kind === 'hurry') hurried()
    },
    close: async () => undefined,
  }
  const setTimer = (act: () => void, ms: number) => {
    const timer = { act, ms }
    timers.push(timer)
    return () => {
      const at = timers.indexOf(timer)
      if (at >= 0) timers.splice(at, 1)
    }
  }
  const replica = new CompanionReplica(thread, () => 7, setTimer)
  const auth = await openAuthApp(t, { replicated: replica })
  const accounts = auth.store.file
  const site = new Companion({ path: ':memory:' }, SITE_FILE)
  replica.begin({ companions: { accounts, site }, followed: () => undefined }, true)
  t.teardown(() => site.close())
  const count = accounts.prepare<unknown[], number>('SELECT count(*) FROM outbox').pluck()
  const last = () => accounts.prepare<unknown[], number>('SELECT max(number) FROM outbox').pluck().get() ?? 0
  const hear = (number: number) =>
    replica.hear({ kind: 'held', companion: 'accounts', number, place: number, hash: '', epoch: 0 })
  /** Waits until an answer waits for the log. */
  const waits = () =>
    new Promise<void>(resolve => {
      hurried = resolve
    })
  /** Sends a request whose answer waits, and then lets the log hold all. */
  const held = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const waiting = waits()
    const asked = ask()
    await waiting
    let isAnswered = false
    void asked.then(() => {
      isAnswered = true
    })
    hear(last() - 1)
    await new Promise(resolve => setImmediate(resolve))
    t.notOk(isAnswered, 'it waits for its own line')
    hear(last())
    return asked
  }
  return { auth, replica, timers, orders, held, waits, hear, count: () => count.get() ?? 0, last }
}

t.test('a revocation is answered once the log has its line', async t => {
  const { auth, held, timers, orders, count } = await openReplicated(t)
  const { ask } = auth
  const { token: session } = await ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  const made = await ask('/auth/keys', { session, body: { name: 'bot', scopes: ['read'] } })
  t.equal(made.status, 201, 'what takes nothing away waits for nobody')
  t.match(orders, [{ kind: 'go', companions: ['accounts', 'site'] }, { kind: 'changed' }])
  const bearer = String(made.additional.key)
  t.equal((await held(() => ask('/auth/keys/1', { method: 'DELETE', session }))).status, 200)
  t.equal((await ask('/auth/session', { bearer })).reason, 'token_wrong')

  const operator = { bearer: OPERATOR_KEY }
  const second = (await ask('/auth/login', { body: { name: 'asha', password: PASSWORD } })).token
  const change = { current: PASSWORD, password: `${PASSWORD} again` }
  t.equal((await held(() => ask('/auth/password', { session, body: change }))).status, 200)
  t.equal((await ask('/auth/sessions', { session: second })).status, 401)
  const limits = { ...operator, method: 'PATCH', body: { suspended: true, reason: 'check' } }
  t.equal((await held(() => ask('/portfolio/asha/limits', limits))).status, 200)
  const role = { ...operator, body: { role: 'viewer' } }
  t.equal((await held(() => ask('/auth/users/asha/role', role))).status, 200)
  t.equal((await held(() => ask('/auth/logout', { method: 'POST', session }))).status, 200)
  const disabling = { ...operator, method: 'POST' }
  t.equal((await held(() => ask('/auth/users/asha/disable', disabling))).status, 200)
  t.equal((await ask('/auth/users/asha/enable', { ...operator, method: 'POST' })).status, 200)

  // What the log has is written down together, and then no timer is left.
  t.match(timers, [{ ms: 1000 }])
  const before = count()
  for (const { act } of [...timers]) act()
  t.ok(count() < before, 'only what it lacks is left')
})

t.test('after five seconds it says so, and is in force', async t => {
  const { auth, timers, waits, replica } = await openReplicated(t)
  const { ask } = auth
  const { token: session } = await ask('/auth/sign-up', { body: { name: 'asha', password: PASSWORD } })
  const made = await ask('/auth/keys', { session, body: { name: 'bot', scopes: ['read'] } })
  const waiting = waits()
  const revoking = ask('/auth/keys/1', { method: 'DELETE', session })
  await waiting
  const bearer = String(made.additional.key)
  t.equal((await ask('/auth/session', { bearer })).reason, 'token_wrong', 'at once')
  t.match(timers, [{ ms: 5000 }])
  replica.hear({ kind: 'failing', companion: 'accounts', reason: 'the store is down' })
  for (const { act } of [...timers]) act()
  const answer = await revoking
  t.match(answer, { status: 503, reason: 'not_replicated', message: /^This is done, and in force/ })
  t.same((await ask('/auth/keys', { session })).additional, { keys: [] })
  t.same(replica.failure, { at: 7, message: 'the store is down' })
  const [wrong, missing] = [
    await ask('/auth/keys/7', { method: 'DELETE', session }),
    await ask('/auth/keys/1', { method: 'DELETE' }),
  ]
  t.match([wrong.status, missing.status], [404, 401], 'what revokes nothing waits for nobody')
  const waitingAgain = waits()
  const leaving = ask('/auth/logout', { method: 'POST', session })
  await waitingAgain
  for (const { act } of [...timers]) act()
  t.match(await leaving, { status: 503, cookie: /raay_session=;/ }, 'and the browser forgets the session')
})
