import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import type { Database } from '../../src/store/database.js'
import { openReadOnly } from '../../src/store/database.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { chainHash } from '../../src/store/journal.js'
import { verifyFile, verifyFileInTwoThreads } from '../../src/verify/verify-file.js'
import { damagedCopy, openToTamper } from '../fixtures/damaged-copy.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

interface Row {
  readonly sequence: Sequence
  readonly shard: number
  readonly at: TimeMs
  readonly commands: string
  readonly hash: Buffer
}

const dice = Dice.fromEnvironment(t)
const test = await TestExchange.open(t)
await liveFullDay(test, dice, 80)
await test.close()
const clean = openReadOnly(test.file)
t.teardown(() => clean.close())
const rows = clean.prepare('SELECT * FROM journal ORDER BY sequence').all() as [Row, ...Row[]]
const last = rows.at(-1) as Row

const foundAfter = (damage: (database: Database) => void) => wrong(verifyFile(damagedCopy(test.file, damage)))
const names = (found: readonly string[], start: string) => found.some(text => text.startsWith(start))

/** Recomputes every hash, as someone hiding a change would. */
function rechain(database: Database): void {
  let before: Buffer = Buffer.alloc(32)
  const update = database.prepare('UPDATE journal SET hash = ? WHERE sequence = ?')
  for (const row of database.prepare('SELECT * FROM journal ORDER BY sequence').all() as Row[]) {
    before = chainHash(before, row)
    update.run(before, row.sequence)
  }
  database.prepare('UPDATE reached SET hash = ?').run(before)
}

t.test('a flipped bit in a batch is found, and the batch is named', async t => {
  for (let round = 0; round < 25; round++) {
    const { sequence, commands } = dice.oneOf(rows)
    const bytes = Buffer.from(commands)
    const at = dice.between(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.between(0, 6))
    const found = foundAfter(database => {
      database
        .prepare('UPDATE journal SET commands = CAST(? AS TEXT) WHERE sequence = ?')
        .run(bytes, sequence)
    })
    const name = `journal: batch ${sequence}: its hash`
    if (!names(found, name)) t.fail(name, { text: bytes.toString(), found })
  }
  t.pass('25 of 25')
})

t.test('a removed batch is found, wherever it was', async t => {
  for (const { sequence } of [rows[0], dice.oneOf(rows), rows.at(-2) as Row, last]) {
    const found = foundAfter(database => database.exec(`DELETE FROM journal WHERE sequence = ${sequence}`))
    t.ok(names(found, `journal: batch ${sequence} is missing`), String(sequence))
  }
})

t.test('a journal that lost its end is found to be behind the tables', async t => {
  const found = foundAfter(database =>
    database.exec(`DELETE FROM journal WHERE sequence > ${last.sequence / 2}`),
  )
  t.ok(names(found, `journal: batch ${Math.floor(last.sequence / 2) + 1} is missing: the journal ends here`))
  for (const table of ['accounts', 'orders', 'trades', 'entries', 'markets', 'books']) {
    t.ok(names(found, `${table}: `), table)
  }
})

t.test(
  'tables behind the journal are verified as of their batch, and what follows as it will be replayed',
  async t => {
    const [behind, ahead] = await tablesBehind(t)
    const report = verifyFile(behind)
    t.same(wrong(report), [])
    t.ok(report.sequence < report.journalSequence)
    t.equal(report.journalSequence, ahead)
    t.same(await verifyFileInTwoThreads(behind), report)
    const sequence = ahead - 1
    for (const [what, sql, name] of [
      [
        'a changed command',
        `UPDATE journal SET commands = commands || ' ' WHERE sequence = ${sequence}`,
        'journal: ',
      ],
      [
        'a missing batch',
        `DELETE FROM journal WHERE sequence = ${sequence}`,
        `journal: batch ${sequence} is missing`,
      ],
      [
        'an end lost beyond the tables',
        `DELETE FROM journal WHERE sequence >= ${report.sequence}`,
        'journal: ',
      ],
      [
        'a command that cannot be decided',
        `UPDATE journal SET commands = '[{}]' WHERE sequence = ${sequence}`,
        `replay: batch ${sequence} cannot be decided again`,
      ],
      ['rows beyond the mark', 'UPDATE reached SET sequence = sequence - 1', 'journal: the mark in reached'],
      ['another mark', 'UPDATE reached SET hash = zeroblob(32)', 'journal: the mark in reached'],
    ] as const) {
      const copy = join(dirname(behind), `${what}.db`)
      copyPair(behind, copy)
      const database = openToTamper(copy)
      database.exec(sql)
      database.close()
      t.ok(names(wrong(verifyFile(copy)), name), what)
    }
  },
)

t.test('tables without their journal are refused', async t => {
  const [behind] = await tablesBehind(t)
  rmSync(journalPath(behind))
  const message = /has lost its journal .+behind\.journal\.db: put it back/
  t.throws(() => verifyFile(behind), { name: 'VerifyError', message })
  await t.rejects(verifyFileInTwoThreads(behind), { name: 'VerifyError', message })
})

/** Copies tables and journal of a closed exchange. */
function copyPair(from: string, to: string): void {
  copyFileSync(from, to)
  copyFileSync(journalPath(from), journalPath(to))
}

/** Returns the tables of a moment beside a later journal, as a kill leaves them, and the journal's last batch. */
async function tablesBehind(t: Test): Promise<readonly [string, number]> {
  const day = await TestExchange.open(t)
  await day.create()
  await day.playAll(['asha buy 3 @ 5', 'ben sell 2 @ 5'])
  await day.close()
  const file = join(dirname(day.file), 'behind.db')
  copyFileSync(day.file, file)
  await day.restart()
  await day.playAll(['asha buy 3 @ 5', 'ben sell 2 @ 5', 'cora buy 2 @ 4'])
  await day.close()
  copyFileSync(journalPath(day.file), journalPath(file))
  return [file, verifyFile(day.file).sequence]
}

t.test('a duplicate batch is found', async t => {
  const { shard, at, commands, hash } = last
  const found = foundAfter(database => {
    database
      .prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?)')
      .run(last.sequence + 1, shard, at, commands, hash)
  })
  t.ok(names(found, `journal: batch ${last.sequence + 1}: its hash`))
})

t.test('two swapped batches are found', async t => {
  const [first, second] = [rows[10], rows[11]] as [Row, Row]
  const found = foundAfter(database => {
    const update = database.prepare(
      'UPDATE journal SET shard = ?, at = ?, commands = ?, hash = ? WHERE sequence = ?',
    )
    for (const [row, place] of [
      [first, second],
      [second, first],
    ] as const) {
      update.run(row.shard, row.at, row.commands, row.hash, place.sequence)
    }
  })
  for (const { sequence } of [first, second]) {
    t.ok(names(found, `journal: batch ${sequence}: its hash`), String(sequence))
  }
})

t.test('a time that goes back is found although the hashes match', async t => {
  const { sequence } = rows[20] as Row
  const found = foundAfter(database => {
    database.exec(`UPDATE journal SET at = 1 WHERE sequence = ${sequence}`)
    rechain(database)
  })
  t.ok(names(found, `journal: batch ${sequence}: its time 1 is before`))
})

t.test('a forged history with matching hashes leads to different tables', async t => {
  const forged = rows.findIndex(({ commands }) => /"TRANSFER_MONEY".*"amount":\d+/.test(commands))
  const { sequence, commands } = rows[forged] as Row
  const found = foundAfter(database => {
    const amountOfIt = /("TRANSFER_MONEY".*?"amount":)(\d+)/
    const text = commands.replace(amountOfIt, (_, head, amount) => `${head}${Number(amount) + 1}`)
    database.prepare('UPDATE journal SET commands = ? WHERE sequence = ?').run(text, sequence)
    rechain(database)
  })
  t.notOk(names(found, 'journal:'))
  t.ok(names(found, 'transfers: '))
  t.ok(names(found, 'accounts: '))
})

t.test(
  'a batch that cannot be replayed is named, and nothing is compared with a partial history',
  async t => {
    const { sequence } = rows[30] as Row
    for (const text of [
      '',
      '[',
      '{}',
      '[{"type":"CANCEL_ORDER","market":9999999,"number":1}]',
      '[null]',
      '[{}]',
    ]) {
      const found = foundAfter(database => {
        database.prepare('UPDATE journal SET commands = ? WHERE sequence = ?').run(text, sequence)
      })
      t.ok(names(found, `replay: batch ${sequence} cannot be decided again`), text)
      for (const skipped of ['orders skipped', 'accounts skipped', 'books skipped'])
        t.ok(found.includes(skipped))
    }
  },
)

t.test('a damaged page is found', async t => {
  const file = join(dirname(test.file), 'rotten.db')
  for (let round = 0; round < 40; round++) {
    copyFileSync(test.file, file)
    const bytes = readFileSync(file)
    const at = dice.between(100, bytes.length - 1)
    const bit = 1 << dice.between(0, 7)
    bytes[at] = (bytes[at] ?? 0) ^ bit
    writeFileSync(file, bytes)
    let found: string[]
    try {
      found = wrong(verifyFile(file))
    } catch (error) {
      found = [String(error)]
    }
    if (found.length === 0 && !isSpare(bytes, at)) t.fail(`bit ${bit} of byte ${at}`)
  }
  t.pass('40 of 40')

  /** Finds the unused space of a page, whose bytes mean nothing. */
  function isSpare(bytes: Buffer, at: number): boolean {
    const before = openReadOnly(test.file)
    const dump = (database: Database) =>
      [
        'journal',
        'accounts',
        'markets',
        'orders',
        'trades',
        'entries',
        'positions',
        'transfers',
        'settlements',
        'admin_actions',
      ].map(table => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()))
    const after = openReadOnly(file)
    try {
      return bytes.length > at && JSON.stringify(dump(before)) === JSON.stringify(dump(after))
    } finally {
      before.close()
      after.close()
    }
  }
})
