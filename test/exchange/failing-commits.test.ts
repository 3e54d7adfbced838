import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import { withFailingWrites } from '../fixtures/failing-writes.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** The system refuses the write with which SQLite would commit. */
const REFUSED = { code: /^SQLITE_(IOERR|FULL)/ }

t.test(
  'when the system refuses a commit of the journal, nobody is answered and nothing of it counts',
  async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(['asha buy 10 @ 6', 'ben buy 1 @ 1'])
    const [book, journal] = [test.book(), test.journalled().length]
    let answers = 0
    await withFailingWrites(`${test.file.replace('raay.db', 'journal.db')}-wal`, async () => {
      void test.place('ben sell 10 @ 6').then(() => answers++)
      await test.exchange.drain()
      void test.place('cora buy 1 @ 1').then(() => answers++)
      await test.exchange.drain()
    })
    t.match(test.failures, [REFUSED], 'it stops, once')
    t.equal(answers, 0)
    t.equal(test.book(), book)
    await test.close()
    await test.restart()
    t.equal(test.journalled().length, journal)
    t.equal(test.book(), book)
    t.equal(await test.playAll(['ben sell 10 @ 6']), 'filled 10')
    t.ok(test.exchange.moneyIsAllThere())
  },
)

t.test('when the system refuses a commit of the tables, the journal keeps what was answered', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(Array.from({ length: 60 }, (_, n) => `asha buy 1 @ ${1 + (n % 9)}`))
  await test.exchange.drain()
  const sold = await withFailingWrites(`${test.file}-wal`, async () => {
    const sold = await test.place('ben sell 4 @ 6')
    await test.exchange.drain()
    return sold
  })
  t.equal(sold.state, 'filled')
  t.match(test.failures, [REFUSED], 'it stops, once')
  await test.close().catch(() => undefined)
  await test.restart()
  t.match(await test.exchange.findOrder(orderId(sold)), { state: 'filled', filled: sold.filled })
  t.ok(test.exchange.moneyIsAllThere())
})
