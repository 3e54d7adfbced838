import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { journalPath } from '../../src/store/files/journal-path.js'
import type { Progress } from '../../src/verify/verification.js'
import { verifyFile, verifyFileInTwoThreads } from '../../src/verify/verify-file.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const ORDERS = 500

t.test('a day with every kind of event passes', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  t.same(await liveFullDay(test, dice, ORDERS), [], 'every kind of command is in the journal')
  const report = verifyFile(test.file)
  t.same(wrong(report), [])
  t.ok(report.ok)
  const count = (sql: string) =>
    test.rows<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)[0]?.count
  t.equal(report.orders, count('orders'))
  t.equal(report.sequence, count('journal'))
  t.equal(report.commands, test.journalled().length)
  t.equal(report.accounts, count('accounts'))
  t.equal(report.openOrders, count("orders WHERE state IN ('resting', 'partially_filled')"))
  for (const table of [
    'order_keys',
    'batch_keys',
    'timers',
    'seasons',
    'trades',
    'entries',
    'transfers',
    'settlements',
    'positions',
    'admin_actions',
  ]) {
    t.ok((count(table) ?? 0) > 0, `there are ${table} to compare`)
  }

  t.test('after a restart, after more trading, and once it is closed', async t => {
    await test.restart()
    t.same(wrong(verifyFile(test.file)), [])
    await test.playAll(['asha buy 3 @ 5', 'ben sell 2 @ 4.9', 'asha sell 9 @ 5.5'], 1_000_004 as never)
    t.same(wrong(verifyFile(test.file)), [])
    await test.close()
    const closed = verifyFile(test.file)
    t.same(wrong(closed), [])
    t.same(await verifyFileInTwoThreads(test.file), closed, 'two threads find the same')
  })
})

t.test('an unused exchange passes', async t => {
  const test = await TestExchange.open(t)
  const report = verifyFile(test.file)
  t.same(wrong(report), [])
  t.same([report.sequence, report.orders, report.accounts], [0, 0, 3])
})

t.test('a running exchange passes at any moment', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const rounds = 12
  for (let round = 0; round < rounds; round++) {
    const placed = ['asha buy 3 @ 5', 'ben sell 2 @ 5', 'cora buy 1 market', 'ben sell 4 @ 5.5'].map(order =>
      test.place(order),
    )
    // Verifies in between, while some commands wait and some are on disk.
    await placed[round % placed.length]
    const report = round % 3 === 0 ? await verifyFileInTwoThreads(test.file) : verifyFile(test.file)
    t.same(wrong(report), [])
    await Promise.all(placed)
  }
  await test.exchange.drain()
  t.same(test.failures, [], 'the exchange keeps running')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a crashed file with its log passes', async t => {
  const test = await TestExchange.open(t)
  await liveFullDay(test, new Dice(3), 60)
  const file = join(dirname(test.file), 'left.db')
  for (const end of ['', '-wal']) {
    copyFileSync(test.file + end, file + end)
    copyFileSync(journalPath(test.file) + end, journalPath(file) + end)
  }
  const report = verifyFile(file)
  t.same(wrong(report), [])
  t.equal(report.commands, test.journalled().length, 'the whole log is read')
})

t.test('reports its progress', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 3 @ 5', 'ben sell 2 @ 5'])
  const told: Progress[] = []
  const { sequence } = verifyFile(test.file, progress => told.push(progress))
  const journal = told.flatMap(progress => (progress.stage === 'journal' ? [progress] : []))
  t.same(
    journal.map(({ done }) => done),
    Array.from({ length: sequence }, (_, index) => index + 1),
  )
  t.same(journal.at(-1), { stage: 'journal', done: sequence, total: sequence, orders: 2 })
})
