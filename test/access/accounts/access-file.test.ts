import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../../src/access/accounts/access-schema.js'
import { openCompanion } from '../../../src/store/companions/companion-database.js'
import { DecisionMark } from '../../../src/store/companions/decision-mark.js'
import { openDatabase } from '../../../src/store/database.js'
import {
  copyAccounts,
  decide,
  decisionsIn,
  EXCHANGE,
  flipBits,
  killDeciders,
  newAccounts,
  openAccounts,
} from '../../fixtures/access-damage.js'
import { ADMIN } from '../../fixtures/access-room.js'
import { Dice } from '../../fixtures/dice.js'

const markOf = (directory: string) => new DecisionMark(join(directory, 'raay.db'))

/** Returns a directory with the accounts of an exchange that was stopped. */
function stopped(t: Test, decisions = 3): string {
  const directory = t.testdir()
  const store = newAccounts(directory)
  for (let number = 1; number <= decisions; number++) decide(store, number)
  store.close()
  return directory
}

/** Opens the accounts; sign-in must be closed for this reason, and the file unchanged. */
function isClosed(t: Test, directory: string, reason: RegExp): void {
  const path = join(directory, 'access.db')
  const before = readOrNothing(path)
  const store = openAccounts(directory)
  t.equal(store.isClosed, true)
  t.match(store.file.doubt, reason)
  t.throws(() => store.find('rk_any', ''), { code: 503, reason: 'sign_in_closed' })
  t.equal(store.find('rs_any', ''), undefined, 'a browser is signed out')
  t.throws(() => store.limits.change('asha', { isSuspended: true }, ADMIN), { name: 'CompanionShutError' })
  t.equal(store.limits.of('asha'), undefined)
  store.close()
  t.equal(readOrNothing(path), before)
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return 'nothing'
  }
}

t.test('one flipped bit in the file or its log after a kill is noticed, or changes nothing', async t => {
  const dice = Dice.fromEnvironment(t)
  const { noticed, harmless, lost } = flipBits(40, dice)
  t.comment(`${noticed} noticed, ${harmless} harmless`)
  t.same(lost, [])
  t.ok(noticed > 0)
})

t.test('a kill at any moment loses nothing that was acknowledged, and closes nothing', async t => {
  const { decisions, wrong } = await killDeciders(4, Dice.fromEnvironment(t))
  t.same(wrong, [])
  t.ok(decisions > 0)
})

t.test(
  'accounts that are missing or empty close sign-in, also before the log has moved into the file',
  async t => {
    const directory = stopped(t)
    const path = join(directory, 'access.db')
    truncateSync(path)
    isClosed(t, directory, /access\.db: it is missing or empty/)
    rmSync(path)
    isClosed(t, directory, /access\.db: it is missing or empty/)
    appendFileSync(`${path}-wal`, 'left behind')
    isClosed(t, directory, /its log access\.db-wal is there/)
  },
)

t.test(
  'an exchange without any decision needs no file, and one of before there were marks has its file',
  t => {
    const directory = t.testdir()
    newAccounts(directory).close()
    rmSync(join(directory, 'access.db'))
    t.equal(openAccounts(directory).file.doubt, undefined)
    const older = t.testdir({ older: {} })
    const store = newAccounts(join(older, 'older'))
    decide(store, 1)
    store.close()
    rmSync(join(older, 'older', 'raay.access'))
    t.equal(openAccounts(join(older, 'older')).file.doubt, undefined)
    t.ok(markOf(join(older, 'older')).read()?.number, 'it is marked from then on')
    t.end()
  },
)

t.test('without its mark, an exchange whose accounts are missing does not begin with none', t => {
  isClosed(t, t.testdir(), /it is missing or empty/)
  t.end()
})

t.test("another exchange's accounts, and an older copy of its own, close sign-in", t => {
  const directory = t.testdir({ older: {} })
  const store = newAccounts(directory)
  decide(store, 1)
  copyAccounts(directory, join(directory, 'older'))
  decide(store, 2)
  store.close()
  t.equal(openAccounts(directory, { isLenient: true, exchange: 7 }).file.doubt, undefined, 'a demo takes any')
  isClosed(t, directory, /it belongs to exchange 00000007, this is 12345678/)
  for (const end of ['', '-wal'])
    renameSync(join(directory, 'older', `access.db${end}`), join(directory, `access.db${end}`))
  isClosed(t, directory, /it lacks the last \d+ changes that were answered/)
  t.end()
})

t.test('a row that is changed, added or removed behind the chain closes sign-in', t => {
  const directory = stopped(t)
  const path = join(directory, 'access.db')
  const image = readFileSync(path)
  const changes: readonly [sql: string, reason: RegExp][] = [
    [
      "UPDATE accounts SET role = 'admin' WHERE name = 'user1'",
      /its rows are not those that decision \d+ left/,
    ],
    ['DELETE FROM sessions', /its rows are not/],
    ["UPDATE audit SET detail = 'nothing' WHERE id = 1", /its rows are not/],
    ['DELETE FROM decisions WHERE number = 3', /decision 3 is missing/],
    [
      'UPDATE decisions SET link = randomblob(96) WHERE number = 3',
      /decision 3 does not follow from decision 2/,
    ],
    ['DROP TABLE decisions', /its tables are not those of its version/],
    ['DROP INDEX sessions_of', /its tables are not those of its version 10/],
    ['PRAGMA user_version = 2', /version 2, this program knows no version before 5: start the Raay/],
  ]
  for (const [sql, reason] of changes) {
    writeFileSync(path, image)
    const database = openDatabase(path)
    database.exec(sql)
    database.close()
    isClosed(t, directory, reason)
  }
  t.end()
})

t.test('every change is chained, whichever statement makes it; what notes a use is not', t => {
  const directory = t.testdir()
  mkdirSync(join(directory, 'data'))
  const store = newAccounts(join(directory, 'data'))
  decide(store, 1)
  const numberOf = () => Number(markOf(join(directory, 'data')).read()?.number)
  const first = numberOf()
  store.file.prepare("UPDATE accounts SET role = 'operator' WHERE name = 'user1'").run()
  store.file
    .prepare("INSERT OR REPLACE INTO recovery_links (account, hash, expires_at) VALUES (1, 'other', 5)")
    .run()
  store.file.noteHead()
  t.equal(numberOf(), first + 3, 'a change, and the removal and the addition of a replacement')
  store.file.prepare('UPDATE accounts SET last_sign_in_at = 7').run()
  t.throws(
    store.file.transaction(() => {
      store.file.prepare('DELETE FROM accounts').run()
      throw new Error('rolled back')
    }),
    { message: 'rolled back' },
  )
  store.file.noteHead()
  t.equal(numberOf(), first + 3)
  store.close()
  t.equal(openAccounts(join(directory, 'data')).file.doubt, undefined)
  t.end()
})

t.test('each commit waits for the disk', t => {
  const database = openCompanion(join(t.testdir(), 'access.db'), ACCESS_FILE, EXCHANGE)
  t.equal(database.pragma('synchronous', { simple: true }), 2)
  t.equal(database.pragma('journal_mode', { simple: true }), 'wal')
  database.close()
  t.end()
})

t.test('moved while it runs, accounts are read and no longer changed, and can be put back', t => {
  const directory = t.testdir()
  const store = newAccounts(directory)
  decide(store, 1)
  const before = decisionsIn(directory)
  rmSync(join(directory, 'access.db'))
  store.file.shut('access.db was deleted')
  t.equal(store.isClosed, false)
  t.equal(store.accounts.named('user1')?.name, 'user1')
  t.throws(() => decide(store, 2), { name: 'CompanionShutError' })
  const copy = store.file.rescue()
  t.not(store.file.rescue(), copy, 'a second copy replaces none')
  store.close()
  for (const end of ['-wal', '-shm']) rmSync(join(directory, `access.db${end}`), { force: true })
  renameSync(copy, join(directory, 'access.db'))
  t.equal(openAccounts(directory).file.doubt, undefined)
  t.equal(decisionsIn(directory), before)
  t.end()
})
