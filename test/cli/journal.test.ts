import { dirname } from 'node:path'
import t from 'tap'
import type { ShownBatch } from '../../src/export/show-journal.js'
import { shownBatches } from '../../src/export/show-journal.js'
import { openDatabase } from '../../src/store/database.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { callRaay } from '../fixtures/raay-call.js'
import { TestExchange } from '../fixtures/test-exchange.js'

t.test('batches are shown with the messages of the queue, whatever form the file has', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5'])
  const data = dirname(test.file)
  const show = async (...options: string[]) => {
    const { code, stdout, stderr } = await callRaay(['journal', 'show', '--data', data, ...options])
    t.same([code, stderr], [0, ''])
    return stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as ShownBatch)
  }
  const [last, ...others] = await show('--limit', '1')
  t.same(others, [])
  const order = last?.commands.find(({ type }) => type === 'CREATE_ORDER')
  const sent = { price: 5, quantity: 10, side: 'yes', userId: 'asha' }
  t.match(order, { type: 'CREATE_ORDER', id: String, data: { market: String, ...sent } })
  t.match(last, {
    sequence: test.exchange.sequence,
    shard: Number,
    hash: /^[0-9a-f]{64}$/,
    at: /^\d{4}-.*Z$/,
  })
  const all = await show('--from', '1', '--limit', '1000')
  t.same(
    all.map(({ sequence }) => sequence),
    all.map((_, index) => index + 1),
  )
  t.same(all.at(-1), last)
  t.same(await show('--from', String(all.length + 1)), [])
  const none = await callRaay(['journal', 'show', '--data', `${data}/nowhere`])
  t.same([none.code, none.stdout], [1, ''])
  t.match(none.stderr, /^raay: there is no exchange in .*nowhere\n$/)
  const wrong = await callRaay(['journal', 'show', '--data', data, '--from', '0'])
  t.same([wrong.code, wrong.stdout], [2, ''])
})

t.test('a reader that takes its time does not keep the log of the journal from being emptied', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5'])
  const batches = shownBatches(test.file, { from: 1, limit: 1000 })
  t.equal(batches.next().value?.sequence, 1)
  const journal = openDatabase(journalPath(test.file))
  t.match(journal.pragma('wal_checkpoint(TRUNCATE)'), [{ busy: 0 }])
  journal.close()
  t.equal([...batches].length, test.exchange.sequence - 1)
})
