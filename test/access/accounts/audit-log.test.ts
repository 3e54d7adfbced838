import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../../src/access/accounts/access-schema.js'
import { AuditLog } from '../../../src/access/accounts/audit-log.js'
import { openCompanion } from '../../../src/store/companions/companion-database.js'
import { ADMIN, AT_HOME, HOUR, kindsOf, MINUTE, openAccessRoom, START } from '../../fixtures/access-room.js'

function openLog(t: Test, linesMax = { acts: 20, refusals: 20 }) {
  const clock = { now: START }
  const database = openCompanion(join(t.testdir(), 'access.db'), ACCESS_FILE)
  t.teardown(() => database.close())
  const audit = new AuditLog(database, () => clock.now, linesMax)
  const lines = (query = {}) => audit.list({ limit: 1000, ...query }).lines
  return { audit, clock, database, lines }
}

const entry = (changes = {}) => ({
  name: 'asha',
  by: 'priya',
  address: '203.0.113.7',
  detail: '',
  ...changes,
})

t.test('each act is one line, with its time and address', async t => {
  const { audit, clock, lines } = openLog(t)
  audit.write('key_made', entry({ detail: 'key 1' }))
  clock.now += HOUR
  audit.write('key_made', entry({ detail: 'key 1' }))
  t.match(lines(), [
    { at: START + HOUR, kind: 'key_made', name: 'asha', by: 'priya', address: '203.0.113.7', times: 1 },
    { at: START, kind: 'key_made', detail: 'key 1', times: 1 },
  ])
})

t.test(
  'equal refusals of one minute are one line with their number; others are lines of their own',
  async t => {
    const { audit, clock, lines } = openLog(t)
    for (let times = 0; times < 1000; times++) audit.count('scope_missing', entry())
    audit.count('scope_missing', entry({ address: '203.0.113.8' }))
    t.same(
      lines().map(({ times }) => times),
      [1, 1000],
    )
    clock.now += MINUTE - 1
    audit.count('scope_missing', entry())
    t.same(
      lines().map(({ times }) => times),
      [1, 1001],
      'still the same minute, though it was written before',
    )
    clock.now += 1
    audit.count('scope_missing', entry())
    t.same(
      lines().map(({ times }) => times),
      [1, 1, 1001],
    )
  },
)

t.test('the newest lines stay; refusals push out no acts', async t => {
  const { audit, lines } = openLog(t)
  for (let index = 0; index < 30; index++) audit.write('sign_in', entry({ detail: `${index}` }))
  for (let index = 0; index < 500; index++) audit.count('sign_in_failed', entry({ name: `n${index}` }))
  const acts = lines({ kind: 'sign_in' })
  const refusals = lines({ kind: 'sign_in_failed' })
  t.ok(acts.length >= 20 && acts.length <= 22, `${acts.length} acts`)
  t.ok(refusals.length >= 20 && refusals.length <= 22, `${refusals.length} refusals`)
  t.equal(acts[0]?.detail, '29')
  t.equal(refusals[0]?.name, 'n499')
})

t.test('a line at the limit deletes few others, also where far too many are kept', async t => {
  const { audit, database, clock } = openLog(t, { acts: 2000, refusals: 20 })
  const insert = database.prepare("INSERT INTO audit VALUES (?, 0, ?, 'sign_in', 'asha', 'asha', '', '', 1)")
  database.transaction(() => {
    for (let id = 1; id <= 3000; id++) insert.run(id, clock.now)
  })()
  const log = new AuditLog(database, () => clock.now, { acts: 2000, refusals: 20 })
  const count = database.prepare<unknown[], number>('SELECT count(*) FROM audit').pluck()
  const counts = database.transaction(() =>
    Array.from({ length: 400 }, () => {
      log.write('sign_in', entry())
      return count.get() ?? 0
    }),
  )()
  const deleted = counts.map((now, index) => (index === 0 ? 3000 : (counts[index - 1] ?? 0)) + 1 - now)
  t.ok(Math.max(...deleted) <= 200, `${Math.max(...deleted)} at once`)
  t.ok((counts.at(-1) ?? 0) < 2100, 'all that are too many go')
  t.ok(Math.min(...counts) >= 2000)
  t.equal(audit.list({ limit: 1 }).lines.length, 1)
})

t.test('lines that did not reach the disk push out no others', async t => {
  const { audit, database, lines } = openLog(t)
  audit.write('sign_in', entry())
  const failing = database.transaction(() => {
    audit.write('sign_in', entry())
    throw new Error('no')
  })
  for (let times = 0; times < 50; times++) t.throws(failing)
  audit.write('sign_in', entry())
  t.equal(lines().length, 2)
})

t.test('without room on the disk refusals are counted, and the log is read', async t => {
  const { audit, clock, database, lines } = openLog(t, { acts: 100_000, refusals: 100_000 })
  audit.count('scope_missing', entry())
  t.equal(lines().length, 1)
  database.pragma('max_page_count = 1')
  const long = 'x'.repeat(200)
  for (let index = 0; index < 6000; index++) {
    audit.count('scope_missing', entry({ name: `${index}`, detail: long }))
  }
  for (let times = 0; times < 3; times++) {
    clock.now += MINUTE
    audit.count('scope_missing', entry())
  }
  t.equal(lines().length, 1, 'what is on disk is shown')
  t.throws(() => audit.flush(), { code: 'SQLITE_FULL' }, 'the rounds of the server report it')
  database.pragma('max_page_count = 1000000')
  audit.flush()
  const kept = audit.list({ q: 'asha', limit: 10 }).lines
  t.equal(
    kept.reduce((sum, { times }) => sum + times, 0),
    4,
    'nothing of the first kind is lost',
  )
  t.ok(lines({ limit: 10_000 }).length <= 5000, 'and memory has a bound')
})

t.test('forged names and addresses fill neither memory nor lines without bound', async t => {
  const { audit, lines } = openLog(t)
  for (let index = 0; index < 12_000; index++) {
    audit.count('sign_in_failed', entry({ name: `${index}-${'x'.repeat(10_000)}` }))
  }
  const kept = lines()
  t.ok(kept.length <= 22)
  t.ok(kept.every(({ name }) => name.length === 200))
})

t.test('the search finds names, authors, addresses, details and kinds, page by page', async t => {
  const { audit } = openLog(t, { acts: 1000, refusals: 1000 })
  for (let index = 0; index < 50; index++) {
    audit.write(
      'role_changed',
      entry({ name: `user${index}`, detail: index % 10 === 0 ? 'Trader → viewer' : '' }),
    )
  }
  audit.count('other_user', entry({ address: '2001:db8::1' }))
  const find = (query: object) => audit.list({ limit: 100, ...query }).lines.map(({ name }) => name)
  t.same(find({ q: 'TRADER' }), ['user40', 'user30', 'user20', 'user10', 'user0'])
  t.same(find({ q: 'user7' }), ['user7'])
  t.same(find({ q: '2001:db8' }), ['asha'])
  t.same(find({ kind: 'other_user' }), ['asha'])
  t.same(find({ q: '%' }), [], 'no pattern')
  t.equal(find({ q: 'priya' }).length, 51)
  const first = audit.list({ q: 'trader', limit: 2 })
  const second = audit.list({ q: 'trader', limit: 2, before: first.next })
  t.same(
    [...first.lines, ...second.lines].map(({ name }) => name),
    ['user40', 'user30', 'user20', 'user10'],
  )
  t.equal(audit.list({ limit: 100 }).next, undefined)
})

t.test('an act whose transaction fails leaves no line', async t => {
  const { audit, database, lines } = openLog(t)
  t.throws(() =>
    database.transaction(() => {
      audit.write('role_changed', entry())
      throw new Error('no')
    })(),
  )
  t.same(lines(), [])
})

t.test('every change of an account is recorded with its author', async t => {
  const { store, account } = openAccessRoom(t)
  account('priya', 'admin')
  const asha = account('asha')
  const author = { by: 'priya', address: '203.0.113.9' }
  store.accounts.setRole(asha, 'operator', author)
  store.accounts.setRole(asha, 'operator', author)
  store.accounts.disable(asha, author)
  store.accounts.disable(asha, author)
  store.accounts.enable(asha, author)
  store.recoveryLinks.make(asha, author)
  store.invitations.make({ role: 'viewer' }, author)
  store.sessions.openOperator(AT_HOME, 'a code')
  t.same(kindsOf(store), [
    'account_made',
    'account_made',
    'role_changed',
    'disabled',
    'enabled',
    'recovery_link',
    'invited',
    'operator_session',
  ])
  t.match(store.audit.list({ limit: 1, kind: 'role_changed' }).lines, [
    { name: 'asha', by: 'priya', address: '203.0.113.9', detail: 'trader → operator' },
  ])
  const { by, address } = ADMIN
  const made = store.audit.list({ limit: 9, kind: 'account_made' }).lines
  t.match(made, [
    { by, address },
    { by, address },
  ])
})
