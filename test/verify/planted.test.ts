import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { openReadOnly } from '../../src/store/database.js'
import { selectLinesAfter } from '../../src/verify/stored/stored-lines.js'
import type { TableName } from '../../src/verify/stored/table-shapes.js'
import { TABLE_SHAPES } from '../../src/verify/stored/table-shapes.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy } from '../fixtures/damaged-copy.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

interface Column {
  readonly name: string
  readonly type: 'INTEGER' | 'TEXT' | 'BLOB'
}
type Row = Record<string, string | number | Buffer | null>

const dice = Dice.fromEnvironment(t)
const test = await TestExchange.open(t, { fees: { taker: 100, maker: 50, categories: new Map() } })
const faults = await liveFullDay(test, dice, 120)
const group = await TestGroup.create(test, 3)
await group.play('A: uma buy 2 @ 4')
const converted = await group.convert('uma build 2 of -', 'mine')
t.same([...faults, converted], ['cash -20'])
await test.close()
const clean = openReadOnly(damagedCopy(test.file, () => undefined))
t.teardown(() => clean.close())

const tables = clean
  // SQLite owns the search tables: their words are compared with the titles. Nothing is archived here.
  .prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'market_words%'
     AND name <> 'archived' ORDER BY name`,
  )
  .pluck()
  .all() as string[]
const columnsOf = (table: string) => clean.pragma(`table_info(${table})`) as Column[]
const keyOf = (table: string): readonly string[] => {
  if (table === 'journal') return ['sequence']
  return table === 'reached' ? ['id'] : TABLE_SHAPES[table as TableName].key
}
const where = (row: Row, key: readonly string[]) =>
  key.map(name => `${name} = ${typeof row[name] === 'number' ? row[name] : `'${row[name]}'`}`).join(' AND ')

/** Returns how a finding names a row. */
function nameOf(table: string, row: Row): string {
  if (table === 'reached') return 'reached'
  if (table === 'journal') return `batch ${row.sequence}`
  if (table === 'accounts') return `account ${row.number} (`
  if (table === 'markets') return `market ${row.code}`
  if (table === 'market_groups') return `group ${row.code}`
  if (table === 'conversions') return `conversion ${row.group_code}-${row.number}`
  if (table === 'orders') return `order ${row.market}-${row.number}`
  if (table === 'trades') return `trade ${row.market}-${row.trade}`
  if (table === 'updates') return `row ${row.id} of the messages to users`
  if (table === 'update_marks') return `mark at message ${row.user_seq} of account ${row.account}`
  if (table === 'admin_actions') return `action ${row.sequence}-${row.line} of the operator`
  if (table === 'transfers') return `transfer ${row.txn_id}`
  if (table === 'batch_keys') return `place ${row.place} of the batch ${row.name}`
  if (table === 'order_keys') return `name ${row.name} of an order of account ${row.account}`
  if (table === 'house_quotes') return `quotes of account ${row.account} of the house`
  if (table === 'timers') return `timer of account ${row.account}`
  if (table === 'seasons') return `season ${row.season}`
  if (table === 'fee_days') return `fees of market ${row.market} on day ${row.day}`
  if (table === 'entries') return `row ${row.id} of the statements`
  return `${table.slice(0, -1)} of account ${row.account} in market ${row.market}`
}

/** Returns the value with one character, one unit or one bit changed. */
function changed(value: Row[string], { type }: Column): string | number | Buffer {
  if (value === null) return type === 'TEXT' ? 'x' : 1
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') {
    const at = dice.between(0, Math.max(0, value.length - 1))
    return `${value.slice(0, at)}${value[at] === '!' ? '?' : '!'}${value.slice(at + 1)}`
  }
  const copy = Buffer.from(value)
  const at = dice.between(0, copy.length - 1)
  copy[at] = (copy[at] ?? 0) ^ (1 << dice.between(0, 7))
  return copy
}

function randomRow(table: string): Row {
  const rows = clean.prepare(`SELECT * FROM ${table}`).all() as [Row, ...Row[]]
  return dice.oneOf(rows)
}

/** Returns the findings of the named check after the file has been changed. */
function foundAfter(check: string, damage: (database: Database) => void): string[] {
  const found = wrong(verifyFile(damagedCopy(test.file, damage)))
  return found.filter(text => text.startsWith(`${check}: `) || text.startsWith('pages: '))
}

t.test('every table and column of the schema is checked', async t => {
  t.same([...Object.keys(TABLE_SHAPES), 'journal', 'reached'].sort(), tables)
  for (const [table, { key, columns }] of Object.entries(TABLE_SHAPES)) {
    const known = [...key, ...columns.map(column => column.replace('?', ''))]
    t.same(
      columnsOf(table)
        .map(({ name }) => name)
        .sort(),
      known.sort(),
      table,
    )
  }
})

t.test('a changed value is found and its row is named, in every table and column', async t => {
  for (const table of tables) {
    for (const column of columnsOf(table)) {
      const row = randomRow(table)
      const value = changed(row[column.name] ?? null, column)
      const found = foundAfter(table === 'reached' ? 'journal' : table, database => {
        const set = `UPDATE ${table} SET ${column.name} = ? WHERE ${where(row, keyOf(table))}`
        // A number already used by another row is moved to an unused one.
        try {
          database.prepare(set).run(value)
        } catch {
          database.prepare(set).run(typeof value === 'number' ? value + 7_000_000 : `${value}!`)
        }
      })
      const what = `${table}.${column.name}`
      if (!found.some(text => text.includes(nameOf(table, row)))) {
        t.fail(`${what} of ${nameOf(table, row)}`, { row, value: String(value), found })
      } else t.pass(what)
    }
  }
})

t.test('the finding names the column, the stored value and the expected one', async t => {
  const cases = [
    ['accounts', 'cash', (value: number) => [value / 1e4, value / 1e4 + 0.0001]],
    ['orders', 'filled', (value: number) => [value, value + 1]],
  ] as const
  for (const [table, column, shown] of cases) {
    const row = clean.prepare(`SELECT * FROM ${table} WHERE ${column} > 0 LIMIT 1`).get() as Row
    const [was, is] = shown(row[column] as number)
    const found = foundAfter(table, database => {
      database.exec(`UPDATE ${table} SET ${column} = ${column} + 1 WHERE ${where(row, keyOf(table))}`)
    })
    const digits = table === 'accounts' ? 4 : 0
    const text = `${column} ${is?.toFixed(digits)} in the table, ${was?.toFixed(digits)} by the journal`
    t.equal(found.length, 1)
    t.ok(found[0]?.endsWith(text), String(found))
  }
})

t.test('a missing row is found', async t => {
  for (const table of Object.keys(TABLE_SHAPES)) {
    const row = randomRow(table)
    const found = foundAfter(table, database => {
      database.exec(`DELETE FROM ${table} WHERE ${where(row, keyOf(table))}`)
    })
    const isNamed = found.some(text => text.includes(nameOf(table, row)) && text.includes('is missing'))
    t.ok(isNamed, `${nameOf(table, row)}: ${found}`)
  }
})

t.test('an extra row is found', async t => {
  for (const table of Object.keys(TABLE_SHAPES)) {
    const row = { ...randomRow(table) }
    const [key = ''] = [...keyOf(table)].slice(-1)
    row[key] = typeof row[key] === 'number' ? (row[key] as number) + 5_000 : `${row[key]}x`
    if (table === 'accounts') row.owner = 'user:nobody'
    if (table === 'markets') Object.assign(row, { id: 'x', slug: 'x', escrow: 99 })
    if (table === 'market_groups') Object.assign(row, { id: 'x', escrow: 99 })
    if (table === 'conversions') row.client_key = 'x'
    if (table === 'house_quotes') row.round = 99
    const found = foundAfter(table, database => {
      const names = Object.keys(row)
      const values = names.map(() => '?').join(', ')
      database.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`).run(...Object.values(row))
    })
    const isNamed = found.some(text => text.includes(nameOf(table, row)) && text.includes('knows nothing'))
    t.ok(isNamed, `${nameOf(table, row)}: ${found}`)
  }
})

t.test('numbers assigned out of turn are found, and do no harm', async t => {
  for (const number of [-1, 0, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const row = { ...randomRow('orders'), number }
    const found = foundAfter('orders', database => {
      const values = Object.keys(row).map(() => '?')
      database.prepare(`INSERT INTO orders VALUES (${values})`).run(...Object.values(row))
    })
    t.ok(
      found.some(text => text.includes(nameOf('orders', row))),
      String(number),
    )
  }
})

t.test('numbers that a double cannot hold are found, and the rows after them are read', async t => {
  const row = randomRow('trades')
  const found = foundAfter('trades', database => {
    const columns = Object.keys(row).map(name => (name === 'trade' ? '?' : name))
    const insert = database.prepare(
      `INSERT INTO trades SELECT ${columns} FROM trades WHERE ${where(row, keyOf('trades'))}`,
    )
    for (const number of [-(2n ** 63n), 2n ** 62n, 2n ** 62n + 1n, 2n ** 63n - 1n]) insert.run(number)
  })
  t.equal(found.length, 3, 'two of them are one as doubles')
})

t.test('a row does not pass for two by a separator in its text', async t => {
  const copy = clean
    .prepare<unknown[], string>(selectLinesAfter('orders', [], 1000))
    .pluck()
    .all(-1, -1)
  const lines = copy.map(line => line.split('\u001f'))
  // The text of the first row is the rest of its own line and the begin of the second, which is gone.
  const at = lines.findIndex((line, index) => line[0] === lines[index + 1]?.[0])
  const [first = [], second = []] = lines.slice(at, at + 2)
  const [market, number, suffix] = first
  const forged = [suffix, ...first.slice(3)].join('\u001f')
  const found = foundAfter('orders', database => {
    const row = `market = ${market} AND number =`
    database.exec(`DELETE FROM orders WHERE ${row} ${second[1]}`)
    database
      .prepare(`UPDATE orders SET suffix = ? WHERE ${row} ${number}`)
      .run(`${forged}\u001e${[...second.slice(0, 3)].join('\u001f')}`)
    const columns = columnsOf('orders').filter(({ name }) => !['market', 'number', 'suffix'].includes(name))
    const from = clean
      .prepare(`SELECT * FROM orders WHERE market = ? AND number = ?`)
      .get(market, second[1]) as Row
    const set = columns.map(({ name }) => `${name} = ?`)
    database
      .prepare(`UPDATE orders SET ${set} WHERE ${row} ${number}`)
      .run(columns.map(({ name }) => from[name]))
  })
  for (const [order, what] of [
    [number, 'in the table'],
    [second[1], 'is missing'],
  ]) {
    const name = `orders: order ${market}-${order}`
    t.ok(
      found.some(text => text.startsWith(name) && text.includes(String(what))),
      String(found),
    )
  }
})

t.test('an index of open orders that lacks one, or has one more, is found', async t => {
  const schema = "FROM sqlite_master WHERE name = 'orders_open'"
  const sql = clean.prepare(`SELECT sql ${schema}`).pluck().get() as string
  const [market, number, ended] = clean
    .prepare(
      `SELECT o.market, o.number, e.number FROM orders o JOIN orders e USING (market)
       WHERE o.state = 'resting' AND e.state = 'filled' LIMIT 1`,
    )
    .raw()
    .get() as number[]
  const one = `market = ${market} AND number =`
  for (const wrongly of [`${sql} AND NOT (${one} ${number})`, `${sql} OR (${one} ${ended})`]) {
    const damage = (database: Database) => {
      const define = (as: string) => {
        database.unsafeMode().pragma('writable_schema = ON')
        database.prepare("UPDATE sqlite_master SET sql = ? WHERE name = 'orders_open'").run(as)
        database.pragma('writable_schema = RESET')
      }
      define(wrongly)
      database.exec('REINDEX orders_open')
      define(sql)
    }
    const found = foundAfter('books', damage)
    t.same(found, [`books: market ${market}: the index of open orders does not have just those`])
  }
})

t.test('an empty text instead of NULL is found', async t => {
  const row = clean.prepare('SELECT * FROM orders WHERE reason IS NULL LIMIT 1').get() as Row
  const found = foundAfter('orders', database => {
    database.exec(`UPDATE orders SET reason = '' WHERE ${where(row, keyOf('orders'))}`)
  })
  t.ok(
    found.some(text => text.endsWith(`reason "" in the table, nothing by the journal`)),
    String(found),
  )
})

t.test('two faults that cancel out in a sum are both found', async t => {
  const [one, other] = clean.prepare("SELECT * FROM accounts WHERE owner LIKE 'user:%'").all() as [Row, Row]
  const found = foundAfter('accounts', database => {
    database.exec(`UPDATE accounts SET cash = cash + 5 WHERE number = ${one.number}`)
    database.exec(`UPDATE accounts SET cash = cash - 5 WHERE number = ${other.number}`)
  })
  t.same(
    [one, other].map(row => found.some(text => text.includes(nameOf('accounts', row)))),
    [true, true],
  )
})

t.test('thousands of faults are counted, and the first are listed', async t => {
  const copy = damagedCopy(test.file, database =>
    database.exec('UPDATE orders SET updated_at = updated_at + 1'),
  )
  const orders = verifyFile(copy).checks.find(({ name }) => name === 'orders')
  t.equal(orders?.count, (clean.prepare('SELECT count(*) FROM orders').pluck().get() as number) ?? 0)
  t.equal(orders?.findings.length, 20)
})

t.test('a statement that does not add up is found even without the journal', async t => {
  const line = clean.prepare("SELECT * FROM entries WHERE kind = 'opening'").get() as Row
  const name = `statements: account ${line.account}, line `
  for (const [sql, start] of [
    ['UPDATE entries SET cash = cash + 1', `${name}${line.sequence}-${line.line}: `],
    ['UPDATE entries SET change = change + 1', `${name}${line.sequence}-${line.line}: `],
    ['DELETE FROM entries', name],
  ] as const) {
    const found = foundAfter('statements', database => {
      database.exec(`${sql} WHERE ${where(line, keyOf('entries'))}`)
    })
    t.ok(
      found.some(text => text.startsWith(start)),
      `${sql}: ${found}`,
    )
  }
  const { account } = line
  const found = foundAfter('statements', database => {
    database.exec(`UPDATE accounts SET cash = cash + 1 WHERE number = ${account}`)
  })
  t.ok(
    found.some(text => text.startsWith(`statements: account ${account}: the statement ends at`)),
    String(found),
  )
  const stray = foundAfter('statements', database => {
    database.exec(`UPDATE entries SET account = 4 WHERE ${where(line, keyOf('entries'))}`)
  })
  t.ok(stray.includes("statements: account 4: a statement, but no user's account"), String(stray))
})
