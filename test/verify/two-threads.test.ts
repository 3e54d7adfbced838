import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { openInlineFollower } from '../../src/follower/follower-executor.js'
import { Balances } from '../../src/shard/balances.js'
import { openRunner } from '../../src/shard/batch-runner.js'
import { Telling } from '../../src/shard/telling.js'
import { openDatabase } from '../../src/store/database.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { WriteLock } from '../../src/store/write-lock.js'
import { verifyFile, verifyFileInTwoThreads } from '../../src/verify/verify-file.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** Long enough for the other thread to have started its read. */
const BEGIN_MS = 1500

t.test('both threads read the same moment, even if a batch commits in between', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 3 @ 5', 'ben sell 2 @ 5'])
  await test.close()
  const shared = { writeLock: new WriteLock(), balances: new Balances() }
  const telling = new Telling()
  const { runner, close } = openRunner(test.file, shared, { index: 0, count: 1 }, telling.tell)
  t.teardown(close)
  const follower = openInlineFollower(test.file, 'told', telling)
  t.teardown(() => follower.close())
  const before = verifyFile(test.file)

  const verified = verifyFileInTwoThreads(test.file)
  // This thread learns the other one's moment only after it has waited and written.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BEGIN_MS)
  const command = { type: 'OPEN_ACCOUNT', id: 'x', account: 7, userId: 'cora', amount: 5 }
  runner.run(START as TimeMs, JSON.stringify([command]))
  await follower.follow((before.sequence + 1) as Sequence, true)
  const report = await verified
  t.same(wrong(report), [])
  t.equal(report.sequence, before.sequence + 1, 'the later one')
  t.equal(report.accounts, before.accounts + 1)
})

t.test('both threads refuse an unreadable file', async t => {
  const test = await TestExchange.open(t)
  await test.close()
  const file = join(dirname(test.file), 'text.db')
  writeFileSync(file, 'x'.repeat(5000))
  t.throws(() => verifyFile(file), { name: 'VerifyError', message: /text\.db cannot be read/ })
  await t.rejects(verifyFileInTwoThreads(file), { name: 'VerifyError' })
  await t.rejects(verifyFileInTwoThreads(`${file}x`), {
    name: 'VerifyError',
    message: /there is no data file/,
  })
})

t.test('both threads refuse a damaged schema with a message', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.close()
  const database = openDatabase(journalPath(test.file))
  database.exec('ALTER TABLE journal RENAME TO lost')
  database.close()
  const refusal = { name: 'VerifyError', message: /raay\.db cannot be read: no such table: log\.journal/ }
  t.throws(() => verifyFile(test.file), refusal)
  await t.rejects(verifyFileInTwoThreads(test.file), refusal)
})
