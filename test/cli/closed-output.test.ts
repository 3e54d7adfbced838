import { openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { runRaay, runUnread } from '../fixtures/raay-command.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** Returns a data directory with some trades; its exchange is closed. */
async function tradedDirectory(t: Test): Promise<string> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5', 'ben sell 3 @ 6'])
  await test.close()
  return dirname(test.file)
}

t.test(
  'a reader that has gone ends no restore half-way, and the exit code is that of the restore',
  async t => {
    const from = await tradedDirectory(t)
    const [data, other] = [join(from, 'then'), join(from, 'full')]
    const restored = ['backup', 'restore', '--to-sequence', '2', '--from', from, '--data']
    t.same(await runUnread([...restored, data]), { code: 0, stderr: '' })
    t.same(wrong(verifyFile(join(data, 'raay.db'))), [])
    const again = await runUnread([...restored, data])
    t.match(again, { code: 1, stderr: /holds an exchange: add --overwrite/ })
    const full = await runUnread([...restored, other], openSync('/dev/full', 'w'))
    t.match(full, { code: 1, stderr: /^raay: stdout cannot be written: ENOSPC.*\n$/ }, 'said once')
    t.same(wrong(verifyFile(join(other, 'raay.db'))), [], 'the work was done all the same')
  },
)

t.test('a verification that nobody reads says by its exit code what it found', async t => {
  const data = await tradedDirectory(t)
  t.same(await runUnread(['verify', '--data', data]), { code: 0, stderr: '' })
  const database = openDatabase(join(data, 'raay.db'))
  database.exec("UPDATE accounts SET cash = cash + 5000 WHERE owner = 'user:asha'")
  database.close()
  t.same(await runUnread(['verify', '--data', data]), { code: 1, stderr: '' })
})

t.test('an export onto a closed pipe is not complete, and says so', async t => {
  const data = await tradedDirectory(t)
  const argv = ['export', 'orders', '--format', 'csv', '--out', '-', '--data', data]
  t.match(await runRaay(argv), { code: 0 })
  t.match(await runUnread(argv), { code: 1, stderr: /stdout was closed before all rows were written/ })
})

t.test('a book that is followed ends with its reader', async t => {
  const { client, url } = await spawnTestServer(t)
  const code = await client.createEvent()
  t.same(await runUnread(['book', code, '--json', '--url', url]), { code: 0, stderr: '' })
})
