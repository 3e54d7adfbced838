import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { openDatabase } from '../../src/store/database.js'
import { allAnswers } from '../fixtures/archive/all-answers.js'
import { liveLong } from '../fixtures/archive/long-life.js'
import { Dice } from '../fixtures/dice.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** Matches scans of SQLite's own names, of tables of one row, and of rows that a statement has just made. */
const SMALL =
  /^(?:main\.)?(?:sqlite_\w+|archived|reached|pragma_\w+|json_each)\b|^CONSTANT ROW|VALUES CLAUSE$|^\(subquery|^(?:chain|lines)$/
/** Walks along a key from its end, and stops: `… FROM entries ORDER BY id DESC LIMIT 1`. */
const SHORT_WALK = /^SELECT (?!.* WHERE ).* ORDER BY \w+(?: DESC)? LIMIT (?:1|\?)$/
/** The walks of recursive statements rename their rows; those follow one link after the other. */
const RENAMED_WALK = /^WITH RECURSIVE (?:chain|lines) AS /

/** The statements that may read a whole table, by how they begin, and why. */
const WHOLE_READS: readonly (readonly [begins: string, why: string])[] = [
  ['SELECT max( ifnull((SELECT sequence FROM entries ORDER BY id DESC', 'three last rows, by their keys'],
  ['SELECT * FROM markets ORDER BY code', 'a start loads the events'],
  ['SELECT market, account, yes, no, yes_locked', 'a start loads the positions that are not paid'],
  ['SELECT code AS market, count(*)', 'a start counts the positions that are paid'],
  ['SELECT number, owner, cash, held, user_seq AS userSeq FROM accounts', 'a start loads the accounts'],
  ['SELECT a.number, a.owner, a.cash', 'a start compares accounts with their last lines'],
  ['SELECT m.code FROM markets AS m LEFT JOIN trades', 'a start compares events with their last trades'],
  ['SELECT account, sequence, user_seq AS userSeq', 'a start walks back over the last batches, and stops'],
  ['SELECT rowid FROM market_words WHERE market_words MATCH', 'the index of words'],
  ...[
    'SELECT (SELECT sequence FROM reached) AS sequence, (SELECT count(*) FROM accounts)',
    'SELECT sum(cash) AS cash FROM accounts HAVING',
    'SELECT number, owner, cash, held FROM accounts WHERE number <> 1 AND NOT',
    'SELECT m.code, m.payout, m.status, m.outcome, m.open_pairs',
    'WITH needs AS (SELECT o.account,',
    'WITH needs AS (SELECT o.market, o.account,',
  ].map(begins => [begins, 'GET /ledger/verify counts all money; operators run one at a time'] as const),
  ...[
    'SELECT code, (SELECT at FROM whole_trades WHERE market = code ORDER BY trade LIMIT 1 OFFSET 5)',
    "SELECT substr(owner, 6) AS user FROM accounts WHERE owner LIKE 'user:%'",
    'SELECT at AS middle FROM whole_entries',
    "SELECT market || '-' || number || '-' || suffix AS id FROM whole_orders",
  ].map(begins => [begins, 'allAnswers finds what it asks for'] as const),
]

const plans = new Map<string, string[]>()
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

t.test('no statement on the tables scans one that grows, but for those of a start', async t => {
  const test = await TestExchange.open(t)
  await liveLong(test, Dice.fromEnvironment(t), 60)
  await test.close()
  t.teardown(() => {
    door.prepare = prepare
  })
  door.prepare = function (this: Database, text: string) {
    const statement = prepare.call(this, text)
    const sql = text.replaceAll(/\s+/g, ' ').trim()
    if (this.name === test.file && /^(?:SELECT|WITH|UPDATE|DELETE|INSERT)/.test(sql) && !plans.has(sql))
      plans.set(sql, planOf(this, text))
    return statement
  } as typeof prepare
  await test.restart()
  await allAnswers(test)
  await test.playAll(['asha buy 1 @ 3', 'ben sell 1 @ 3'], 1_000_004 as never)
  await test.close()
  t.ok(plans.size > 60, `${plans.size} statements`)
  const unused = new Set(WHOLE_READS.map(([begins]) => begins))
  for (const [sql, steps] of plans) {
    const allowed = WHOLE_READS.find(([begins]) => sql.startsWith(begins))
    if (allowed === undefined) t.same(scansIn(sql, steps), [], sql.slice(0, 110))
    else unused.delete(allowed[0])
  }
  t.same([...unused], [], 'each exception is one')
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
