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

t.test('a batch whose hash is wrong is shown with its fault', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben buy 10 @ 4', 'asha buy 1 @ 3'])
  await test.exchange.drain()
  const journal = openDatabase(journalPath(test.file))
  const [bad, unreadable] = [test.exchange.sequence - 1, test.exchange.sequence]
  journal
    .prepare(`UPDATE journal SET commands = replace(commands, '"ben"', '"eve"') WHERE sequence = ?`)
    .run(bad)
  const show = (...options: string[]) =>
    callRaay(['journal', 'show', '--data', dirname(test.file), '--limit', '1', ...options])
  const fault = `batch ${bad} of the journal does not follow from batch ${bad - 1}`
  const whole = await callRaay(['journal', 'show', '--data', dirname(test.file), '--from', '1'])
  t.same([whole.code, whole.stderr], [1, `raay: ${fault}: raay verify says more\n`])
  const lines = whole.stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as ShownBatch)
  t.same(
    lines.filter(line => line.fault !== undefined).map(line => [line.sequence, line.fault]),
    [[bad, fault]],
  )
  t.equal(lines.length, test.exchange.sequence)
  t.match(
    await show('--from', String(bad)),
    { code: 1, stdout: /eve/ },
    'also if it is the first that is shown',
  )
  t.match(await show('--from', String(bad + 1)), { code: 0, stderr: '' })
  journal.prepare('UPDATE journal SET commands = ? WHERE sequence = ?').run('[1,[99]]', unreadable)
  t.match(await show(), {
    code: 1,
    stdout: '',
    stderr: /does not follow from batch \d+; batch \d+ has a command/,
  })
  journal.prepare('DELETE FROM journal WHERE sequence = ?').run(bad)
  t.match(await show('--from', String(bad)), {
    code: 1,
    stderr: new RegExp(`batch ${bad} of the journal is missing`),
  })
  journal.close()
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
