import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { SiteStore } from '../../src/site/site-store.js'
import { moveToArchive } from '../../src/store/archive/move-to-archive.js'
import type { Database } from '../../src/store/database.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { ADMIN, AT_HOME, DAY, granted, openAccessRoom, PASSWORD } from '../fixtures/access-room.js'
import { allAnswers } from '../fixtures/archive/all-answers.js'
import { liveLong, QUIET } from '../fixtures/archive/long-life.js'
import { Dice } from '../fixtures/dice.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** Matches scans of SQLite's own names, of tables of one row, and of rows that a statement has just made. */
const SMALL =
  /^(?:main\.)?(?:sqlite_\w+|archived|reached|exchange|pragma_\w+|json_each)\b|^CONSTANT ROW|VALUES CLAUSE$|^\(subquery|^(?:chain|lines|parts|w)$/
/** Walks along a key, and stops: `… FROM entries ORDER BY id DESC LIMIT 1`, or at the first row. */
const SHORT_WALK = /^SELECT (?!.* WHERE )(?:.* ORDER BY \w+(?: DESC)?|1 FROM \w+) LIMIT (?:1|\?)$/
/** The walks of recursive statements rename their rows; those follow one link after the other. */
const RENAMED_WALK = /^WITH RECURSIVE (?:chain|lines) AS /

/** The statements that may read a whole table, by how they begin, and why. */
type WholeReads = readonly (readonly [begins: string, why: string])[]
const WHOLE_READS: WholeReads = [
  ['SELECT max( ifnull((SELECT sequence FROM entries ORDER BY id DESC', 'three last rows, by their keys'],
  ['SELECT * FROM markets ORDER BY code', 'a state hash reads the events'],
  [
    'SELECT sequence, fields FROM admin_actions INDEXED BY epochs',
    'a start looks for the last epochs, a thousand at most',
  ],
  ['SELECT * FROM markets INDEXED BY markets_live', 'the shards load the events that go on'],
  ['SELECT q.*, ifnull(p.no - p.yes, 0) AS sold', 'a start loads the quotes of the house'],
  ['SELECT market, account, yes, no, yes_locked', 'a start loads the positions that are not paid'],
  ['SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts', 'a start loads the accounts'],
  ['SELECT * FROM seasons ORDER BY season', 'a thousand at most'],
  ['SELECT account, ends_at, markets, fired FROM timers', 'a start loads the timers'],
  ['SELECT a.number, a.owner, a.cash', 'a start compares accounts with their last lines'],
  [
    'SELECT m.code FROM markets AS m INDEXED BY markets_live',
    'a start compares live events with their last trades',
  ],
  ['SELECT account, sequence, user_seq AS userSeq', 'a start walks back over the last batches, and stops'],
  ['SELECT rowid FROM market_words WHERE market_words MATCH', 'the index of words'],
  ...[
    'SELECT (SELECT sequence FROM reached) AS sequence, (SELECT count(*) FROM accounts)',
    'SELECT sum(cash) AS cash FROM accounts HAVING',
    'SELECT number, owner, cash, held FROM accounts WHERE number <> 1 AND NOT',
    'WITH sums AS MATERIALIZED (SELECT market, sum(yes) AS yes,',
    'WITH needs AS (SELECT account, sum(held)',
    'WITH needs AS MATERIALIZED (SELECT market, account,',
  ].map(begins => [begins, 'GET /ledger/verify counts all money; operators run one at a time'] as const),
  ...[
    'SELECT code, (SELECT at FROM whole_trades WHERE market = code ORDER BY trade LIMIT 1 OFFSET 5)',
    "SELECT substr(owner, 6) AS user FROM accounts WHERE owner LIKE 'user:%'",
    'SELECT at AS middle FROM whole_entries',
    "SELECT market || '-' || orders.number || '-' || suffix AS id",
  ].map(begins => [begins, 'allAnswers finds what it asks for'] as const),
]

const LINEAGE = [
  'SELECT owner, earlier, place, hash, version, epoch FROM main.replicated',
  'a start reads the one row',
] as const
const WHOLE_READS_OF_ACCESS: WholeReads = [
  LINEAGE,
  ['SELECT quote(row.', 'a start compares all rows with their chain'],
  ['SELECT * FROM user_limits', "a start loads the limits, since each order asks for its user's"],
  ['SELECT id, address, shown, fingerprint, secret', 'there are 20 webhooks at most'],
  ['SELECT count(*) FROM api_keys', 'a start counts what the mode leaves idle'],
  ['SELECT count(*) FROM accounts', 'raay access accept says how many there are'],
  ...[
    'DELETE FROM invitations WHERE issuer',
    'DELETE FROM invitations WHERE made_by',
    'DELETE FROM invitations WHERE expires_at',
    'SELECT id, role, name, made_by, created_at, expires_at FROM invitations WHERE expires_at',
  ].map(begins => [begins, 'there are 1,000 invitations at most'] as const),
]
const WHOLE_READS_OF_SITE: WholeReads = [
  LINEAGE,
  ['SELECT market, emoji, picture FROM event_images', 'a start loads the images of events'],
  ['SELECT user_id, is_public FROM profiles', 'a start loads who is public'],
  ...['user_settings', 'comments', 'watchlists'].map(
    table => [`SELECT count(*) FROM ${table}`, 'a start counts rows'] as const,
  ),
  ['SELECT ifnull(sum(length(bytes)), 0) FROM pictures', 'a start counts bytes'],
  ...[
    'SELECT * FROM event_schedules',
    'UPDATE event_schedules SET through = max(ifnull(through, ',
    'UPDATE event_schedules SET trouble',
    'SELECT 1 FROM event_schedules',
    'SELECT id, name, body FROM event_templates',
    'SELECT count(*) AS count, ifnull(sum(length(body)), 0) AS length FROM event_templates',
  ].map(begins => [begins, 'there are 50 templates at most, each with one schedule'] as const),
]

/** Statements on one line, and the steps of their plans. */
type Plans = Map<string, string[]>

const SOURCES = new URL('../../../src/', import.meta.url).pathname
const STATEMENT = /^(?:SELECT|WITH|UPDATE|DELETE|INSERT) /
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const memory = openDatabase(':memory:')
const door = Object.getPrototypeOf(memory) as Database
memory.close()
const { prepare } = door

function planOf(database: Database, sql: string): string[] {
  const plan = prepare.call(database, `EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|[@$]\w+/g, '1')}`)
  return (plan.raw().all() as [number, number, number, string][]).map(([, , , step]) => step)
}

/** Returns what a plan scans that may grow. */
function scansIn(sql: string, steps: readonly string[]): string[] {
  const scanned = steps.filter(step => step.startsWith('SCAN ')).map(step => step.slice('SCAN '.length))
  if (SHORT_WALK.test(sql) && !steps.some(step => step.includes('TEMP B-TREE'))) return []
  if (RENAMED_WALK.test(sql)) return scanned.filter(name => !SMALL.test(name) && !/^[a-z]$/.test(name))
  return scanned.filter(name => !SMALL.test(name))
}

/** Keeps the plan of each statement that connections to the files of a directory prepare. */
function watchPlans(t: Test, directory: string): Plans {
  const plans = new Map<string, string[]>()
  t.teardown(() => {
    door.prepare = prepare
  })
  door.prepare = function (this: Database, text: string) {
    const statement = prepare.call(this, text)
    const sql = oneLine(text)
    if (dirname(this.name) === directory && STATEMENT.test(sql) && !plans.has(sql))
      plans.set(sql, planOf(this, text))
    return statement
  } as typeof prepare
  return plans
}

function checkPlans(t: Test, plans: Plans, wholeReads: WholeReads): void {
  const unused = new Set(wholeReads.map(([begins]) => begins))
  for (const [sql, steps] of plans) {
    const allowed = wholeReads.find(([begins]) => sql.startsWith(begins))
    if (allowed === undefined) t.same(scansIn(sql, steps), [], sql.slice(0, 110))
    else unused.delete(allowed[0])
  }
  t.same([...unused], [], 'each exception is one')
}

t.test('no statement on tables and journal scans one that grows, but for those of a start', async t => {
  const test = await TestExchange.open(t)
  await liveLong(test, Dice.fromEnvironment(t), 60)
  await test.close()
  const plans = watchPlans(t, dirname(test.file))
  await test.restart()
  await allAnswers(test)
  await test.playAll(['asha buy 1 @ 3', 'ben sell 1 @ 3'], 1_000_004 as never)
  await test.close()
  t.ok(plans.size > 60, `${plans.size} statements`)
  checkPlans(t, plans, WHOLE_READS)
})

t.test(
  'a verification takes each block of rows from where the last one ended, beside an archive, too',
  async t => {
    const test = await TestExchange.open(t)
    await liveLong(test, Dice.fromEnvironment(t), 60)
    await test.close()
    t.ok(moveToArchive(test.file, QUIET), 'something is archived')
    const plans = watchPlans(t, dirname(test.file))
    t.ok(verifyFile(test.file).ok)
    const blocks = [...plans].filter(([sql]) => sql.includes('group_concat(line'))
    t.equal(blocks.length, 4, 'orders, trades, updates and statement lines')
    for (const [sql, steps] of blocks) {
      t.notOk(
        steps.some(step => step.includes('TEMP B-TREE')),
        sql,
      )
      t.equal(steps.filter(step => step.includes('SEARCH ')).length, 2, 'of the tables and of the archive')
    }
  },
)

/** Returns the statements in the sources of a room; those with a part in `${}` have a gap there. */
function statementsIn(room: string): string[] {
  const names = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  const texts = names.map(name => readFileSync(join(room, name), 'utf8'))
  const found = texts.flatMap(text => [...text.matchAll(/(['"`])((?:[A-Z]+) [^`]*?)\1/g)])
  return found.map(([, , sql = '']) => oneLine(sql)).filter(sql => STATEMENT.test(sql))
}

/** Plans each statement in the sources; those that are put together must have been prepared. */
function planSources(t: Test, plans: Plans, room: string, database: Database): void {
  const gap = /\$\{[^}]*\}/
  for (const sql of statementsIn(join(SOURCES, room))) {
    // The beginning of others is not one by itself.
    if ([...plans.keys()].some(other => other !== sql && other.startsWith(`${sql} AND `))) continue
    if (!gap.test(sql)) plans.set(sql, plans.get(sql) ?? planOf(database, sql))
    const parts = sql.split(gap).map(part => part.trim())
    const hasAll = (other: string) => parts.every(part => other.includes(part))
    t.ok([...plans.keys()].some(hasAll), `${sql.slice(0, 110)} was planned`)
  }
}

t.test(
  'no statement on accounts and credentials scans a table that grows, but for those of a start',
  async t => {
    const plans = watchPlans(t, t.testdir())
    const path = join(t.testdirName, 'access.db')
    const room = openAccessRoom(t, { path })
    const { store, clock } = room
    const { account } = await room.signedIn('asha', 'admin')
    const made = granted(store.invitations.make({ role: 'trader' }, ADMIN))
    store.invitations.find(made.token)
    await store.signIn.login({ name: 'asha', password: PASSWORD }, AT_HOME)
    store.keys.madeBy(account)
    const change = { current: PASSWORD, password: 'another horse battery', endsKeys: true }
    await store.signIn.changePassword(account, change, undefined, AT_HOME)
    store.accounts.listed(account)
    store.accounts.list({ limit: 10 })
    store.audit.list({ limit: 10 })
    store.countOfAccounts()
    clock.now += 40 * DAY
    store.beat()
    const database = openReadOnly(path)
    planSources(t, plans, 'access', database)
    database.close()
    checkPlans(t, plans, WHOLE_READS_OF_ACCESS)
  },
)

t.test('no statement on the site scans a table that grows, but for those of a start', async t => {
  const plans = watchPlans(t, t.testdir())
  const path = join(t.testdirName, 'site.db')
  const store = new SiteStore({ path, now: () => 0 as TimeMs })
  const database = openReadOnly(path)
  planSources(t, plans, 'site', database)
  database.close()
  store.close()
  checkPlans(t, plans, WHOLE_READS_OF_SITE)
})

t.test('a scan of rows without a key is found', t => {
  const database = openDatabase(':memory:')
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, account INTEGER)')
  const found = (sql: string) => scansIn(sql, planOf(database, sql))
  t.same(found('SELECT id FROM orders WHERE account = ?'), ['orders'])
  t.same(found('SELECT id FROM orders WHERE account = ? ORDER BY id DESC LIMIT 1'), ['orders'])
  t.same(found('SELECT id FROM orders ORDER BY account LIMIT 1'), ['orders'])
  t.same(found('SELECT id FROM orders ORDER BY id DESC LIMIT 1'), [])
  t.same(found('SELECT id FROM orders WHERE id = ?'), [])
  database.close()
  t.end()
})
