import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import t from 'tap'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import type { Column, Row } from '../../src/export/column.js'
import { DECIMALS, decimalText } from '../../src/export/column.js'
import type { ExportRequest } from '../../src/export/export-table.js'
import { TableExport } from '../../src/export/export-table.js'
import type { ExportName } from '../../src/export/export-tables.js'
import { EXPORT_TABLES } from '../../src/export/export-tables.js'
import { csvFormat } from '../../src/export/formats/csv.js'
import type { FormatName } from '../../src/export/formats/format.js'
import { alone, exportTo } from '../../src/export/run-export.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { Snapshot } from '../../src/verify/snapshot.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { runRaay } from '../fixtures/raay-command.js'
import { layOutStored } from '../fixtures/stored-files.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const NAMES = Object.keys(EXPORT_TABLES) as ExportName[]
const FORMATS: readonly FormatName[] = ['ndjson', 'csv', 'parquet']
/** The parts of each export: enough for a kill between any two. */
const PARTS = 5

const dice = Dice.fromEnvironment(t)
const test = await TestExchange.open(t)
await liveFullDay(test, dice, 200)
const directory = t.testdirName
const SOURCES: Readonly<Record<ExportName, string>> = {
  events: 'markets',
  orders: 'orders',
  trades: 'trades',
  balances: 'accounts',
  statement: 'entries',
}
const rowsOfPart = new Map<ExportName, number>()
let files = 0
const newPath = () => {
  files++
  return join(directory, `export-${files}`)
}

/** Exports in parts of a few rows; ends as if killed before a part, if one is named. */
function exportInParts(request: ExportRequest, path: string, killedAt = Number.POSITIVE_INFINITY) {
  const snapshot = new Snapshot(test.file)
  snapshot.renew()
  let part = 0
  try {
    return new TableExport(snapshot, request, partRows(request.name)).toFile(path, () => {
      part++
      if (part >= killedAt) throw new Error('killed')
    })
  } finally {
    snapshot.close()
  }
}

/** Returns the rows of a part; the first ones counted hold for the whole test. */
function partRows(name: ExportName): number {
  const known = rowsOfPart.get(name)
  if (known !== undefined) return known
  const [rows] = test.rows<{ count: number }>(`SELECT count(*) AS count FROM ${SOURCES[name]}`)
  const length = Math.max(1, Math.floor((rows?.count ?? 0) / PARTS))
  rowsOfPart.set(name, length)
  return length
}

/** Returns the contents of a whole export. */
function wholeExport(request: ExportRequest): Buffer {
  const path = newPath()
  exportInParts(request, path)
  return readFileSync(path)
}

type Fields = Record<string, unknown>
const ndjson = (name: ExportName): Fields[] =>
  wholeExport({ name, format: 'ndjson' })
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** Returns the units of a decimal text, such as `-6.5000`. */
const units = (text: unknown) => BigInt(String(text).replace('.', ''))

t.test('lines of a statement name trades alone: a conversion has a number, and no trade', async t => {
  const other = await TestExchange.open(t)
  const group = await TestGroup.create(other, 3)
  await group.play('A: ben buy 2 @ 4', 'A: asha sell 2 @ 4', 'B: ben buy 2 @ 3', 'B: asha sell 2 @ 3')
  t.equal(await group.convert('asha release 2 of AB'), 'cash 20')
  await other.close()
  const read = async (name: string) => {
    const { stdout } = await runRaay([
      'export',
      name,
      '--format',
      'ndjson',
      '--out',
      '-',
      '--data',
      dirname(other.file),
    ])
    return stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Fields)
  }
  const trades = new Set((await read('trades')).map(({ trade_id }) => trade_id))
  const lines = (await read('statement')).map(({ kind, trade_id }) => [kind, trade_id])
  t.ok(lines.some(([kind]) => kind === 'conversion'))
  for (const [kind, id] of lines) t.ok(kind === 'trade' ? trades.has(id) : id === null, `${kind}: ${id}`)
})

t.test('every row of every table is exported, and the money is all there', async t => {
  for (const [name, table] of Object.entries(SOURCES)) {
    const [count] = test.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
    t.ok((count?.count ?? 0) > 2)
    t.equal(ndjson(name as ExportName).length, count?.count, name)
  }
  const balances = ndjson('balances')
  t.equal(
    balances.reduce((sum, { cash }) => sum + units(cash), 0n),
    0n,
  )
  const [asha] = balances.filter(({ userid }) => userid === 'asha')
  const lines = ndjson('statement').filter(({ userid }) => userid === 'asha')
  t.equal(
    lines.reduce((sum, { change }) => sum + units(change), 0n),
    units(asha?.cash),
  )
  const ofOrders = new Map(ndjson('orders').map(({ order_id, ...order }) => [order_id, order]))
  for (const trade of ndjson('trades')) {
    t.equal(ofOrders.get(trade.taker_order_id)?.userid, trade.taker)
    t.equal(ofOrders.get(trade.maker_order_id)?.userid, trade.maker)
  }
})

t.test('each format has the same rows', async t => {
  for (const name of NAMES) {
    const { columns } = EXPORT_TABLES[name]
    const rows = ndjson(name)
    const [header, ...cells] = parsedCsv(wholeExport({ name, format: 'csv' }).toString())
    t.same(
      header,
      columns.map(column => column.name),
    )
    t.same(
      cells,
      rows.map(row => columns.map(column => inCsv(column, row[column.name]))),
      `CSV of ${name}`,
    )
    const file = new Uint8Array(wholeExport({ name, format: 'parquet' })).buffer
    t.same(
      (await parquetReadObjects({ file })).map(row =>
        columns.map(column => readBack(column, row[column.name])),
      ),
      rows.map(row => columns.map(column => row[column.name])),
      `Parquet of ${name}`,
    )
  }
})

function inCsv({ kind }: Column, value: unknown): string {
  if (value === null) return ''
  return kind === 'text' && /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
}

/** Converts a value that hyparquet has read to that of NDJSON. It reads decimal numbers as floats. */
function readBack({ kind }: Column, value: unknown): unknown {
  if (value === null || kind === 'text' || kind === 'flag') return value
  if (kind === 'time') return (value as Date).toISOString()
  return kind === 'whole' ? Number(value) : Number(value).toFixed(DECIMALS[kind])
}

/** Reads CSV without knowing how it was written. */
function parsedCsv(text: string): string[][] {
  return text
    .slice(0, -2)
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map(line =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
}

t.test('no text is a formula in a spreadsheet, and numbers stay numbers', async t => {
  const columns = [
    { name: 'text', kind: 'text' },
    { name: 'change', kind: 'units' },
  ] as const
  const line = (row: Row) => csvFormat(columns).rows([row]).toString()
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', ' =1+1', '\u00a0-1'])
    t.equal(line([text, 0]), `'${text},0.0000\r\n`)
  t.equal(line(['\rx', 0]), '"\'\rx",0.0000\r\n')
  t.equal(line(['=HYPERLINK("http://x","y")', -65_000]), '"\'=HYPERLINK(""http://x"",""y"")",-6.5000\r\n')
  t.equal(line(['a\nb, "c"', 1]), '"a\nb, ""c""",0.0001\r\n')
  t.equal(line([null, null]), ',\r\n')
  t.equal(line(['', 5]), '"",0.0005\r\n', 'an empty text is not a missing one')
  t.equal(line(["don't = x", 5]), "don't = x,0.0005\r\n")
})

t.test('the largest amounts are written without a float', async t => {
  t.equal(decimalText(Number.MAX_SAFE_INTEGER, 4), '900719925474.0991')
  t.equal(decimalText(-Number.MAX_SAFE_INTEGER, 2), '-90071992547409.91')
  t.same([decimalText(0, 2), decimalText(-5, 2), decimalText(10, 4)], ['0.00', '-0.05', '0.0010'])
})

t.test('a killed export goes on where it stopped, and is the same to the byte', async t => {
  for (const name of NAMES) {
    for (const format of FORMATS) {
      const request = { name, format }
      const path = newPath()
      const killedAt = dice.between(1, PARTS - 1)
      t.throws(() => exportInParts(request, path, killedAt), { message: 'killed' })
      t.notOk(existsSync(path), 'an unfinished export does not have its name')
      // What a kill in the middle of the next part leaves.
      appendFileSync(`${path}.partial`, 'torn')
      const { resumedAt } = exportInParts(request, path)
      t.ok(resumedAt > 0, `${name} as ${format}, killed at part ${killedAt}`)
      t.ok(readFileSync(path).equals(wholeExport(request)))
      t.same(
        readdirSync(directory).filter(file => file.includes('partial')),
        [],
      )
    }
  }
})

t.test('a torn note, and a note without its file, start over', async t => {
  const request = { name: 'orders', format: 'csv' } as const
  for (const harm of [
    (path: string) => writeFileSync(`${path}.partial.json`, '{"bytes":1'),
    (path: string) => writeFileSync(`${path}.partial`, 'short'),
  ]) {
    const path = newPath()
    t.throws(() => exportInParts(request, path, 3))
    harm(path)
    t.equal(exportInParts(request, path).resumedAt, 0)
    t.ok(readFileSync(path).equals(wholeExport(request)))
  }
})

t.test('an export of something else under the same name starts over', async t => {
  const path = newPath()
  t.throws(() => exportInParts({ name: 'statement', format: 'csv' }, path, 3))
  const request = { name: 'statement', format: 'csv', userId: 'asha' } as const
  t.equal(exportInParts(request, path).resumedAt, 0)
  const [, ...lines] = parsedCsv(readFileSync(path, 'utf8'))
  t.ok(lines.length > 0 && lines.every(([, userid]) => userid === 'asha'))
})

t.test('an export never mixes two moments of an exchange that goes on', async t => {
  const before = new Map(
    NAMES.map(name => [name, wholeExport({ name, format: 'ndjson' }).toString()] as const),
  )
  const began = NAMES.map(name => {
    const path = newPath()
    t.throws(() => exportInParts({ name, format: 'ndjson' }, path, 1), { message: 'killed' })
    return [name, path] as const
  })
  await test.create()
  const [market] = test.rows<{ code: number }>('SELECT max(code) AS code FROM markets')
  await test.playAll(['asha buy 3 @ 6', 'ben sell 3 @ 6', 'yara buy 1 @ 2'], market?.code as never)
  for (const [name, path] of began) {
    const { resumedAt } = exportInParts({ name, format: 'ndjson' }, path)
    const found = readFileSync(path, 'utf8')
    if (name === 'statement') {
      t.ok(resumedAt > 0)
      t.equal(found, before.get(name), 'lines never change: it is as of the batch at which it was begun')
    } else {
      t.equal(resumedAt, 0, name)
      t.not(found, before.get(name))
      t.equal(found, wholeExport({ name, format: 'ndjson' }).toString(), 'it is as of now')
    }
  }
})

t.test('an export writes over nothing, and two never write one file', async t => {
  const path = newPath()
  const ended = await runRaay([
    'export',
    'trades',
    '--format',
    'csv',
    '--out',
    path,
    '--data',
    directory,
    '--json',
  ])
  t.equal(ended.code, 0, ended.stderr)
  const { rows, sequence } = JSON.parse(ended.stdout)
  t.ok(rows > 0 && sequence > 0)
  t.equal(ended.stderr, '')
  const written = readFileSync(path)
  const again = await runRaay(['export', 'orders', '--format', 'csv', '--out', path, '--data', directory])
  t.match(again, { code: 1, stderr: /is there already/ })
  t.ok(readFileSync(path).equals(written))
  const request = { name: 'trades', format: 'csv' } as const
  const piped = await runRaay(['export', 'trades', '--format', 'csv', '--out', '-', '--data', test.file])
  t.equal(piped.stdout, written.toString())
  const other = newPath()
  alone(other, () => {
    t.throws(() => exportTo(test.file, request, other, () => {}), { message: /another export is writing/ })
  })
  exportTo(test.file, request, other, () => {})
  t.ok(readFileSync(other).equals(written))
})

t.test('archived rows are exported in their places', async t => {
  const file = layOutStored(t.testdir())
  prepareFile(file)
  const database = openReadOnly(file)
  const archived = database.prepare('SELECT count(*) FROM archived_orders').pluck().get()
  t.ok(Number(archived) > 0)
  for (const name of ['orders', 'trades', 'statement'] as const) {
    const path = newPath()
    exportTo(file, { name, format: 'ndjson' }, path, () => {})
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    t.equal(lines.length, database.prepare(`SELECT count(*) FROM whole_${SOURCES[name]}`).pluck().get(), name)
    const keys = lines.map(line => JSON.parse(line)).map(row => row.order_id ?? row.trade_id ?? row.id)
    t.ok(lines.every(line => !line.includes('"taker_order_id":null')))
    t.ok(keys.every(key => name === 'statement' || key !== null))
  }
  database.close()
})

t.test('what cannot be exported is refused in words', async t => {
  const to = (request: ExportRequest) => () => exportInParts(request, newPath())
  t.throws(to({ name: 'statement', format: 'csv', userId: 'nobody' }), { message: 'there is no user nobody' })
  t.throws(to({ name: 'orders', format: 'csv', userId: 'asha' }), { message: /not exported by user/ })
  const older = layOutStored(t.testdir())
  const database = openDatabase(older)
  database.pragma('main.user_version = 6')
  database.close()
  const request = { name: 'orders', format: 'csv' } as const
  t.throws(() => exportTo(older, request, newPath(), () => {}), {
    message: /version 6.*start the Raay that wrote it/,
  })
  t.throws(() => exportTo(join(directory, 'no.db'), request, newPath(), () => {}), {
    message: /there is no data/,
  })
  const wrong = await runRaay(['export', 'trades', '--format', 'xls', '--out', '-'])
  t.equal(wrong.code, 2)
})
