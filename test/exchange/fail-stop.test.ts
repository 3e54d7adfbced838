import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { lots } from '../../src/core/units.js'
import { Desk } from '../../src/exchange/desk.js'
import type { BatchResult } from '../../src/shard/batch-runner.js'
import { MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

type Plant = readonly [name: string, plant: string, mend: string, reason: RegExp]

/** A fault planted into a file, and the statement that removes it. */
const IN_JOURNAL: readonly Plant[] = [
  [
    'the journal refuses the write',
    `CREATE TRIGGER log.full BEFORE INSERT ON journal
     BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    'DROP TRIGGER log.full',
    /disk is full/,
  ],
  [
    'the journal is gone',
    'ALTER TABLE log.journal RENAME TO lost',
    'ALTER TABLE log.lost RENAME TO journal',
    /no such table/,
  ],
]

const IN_TABLES: readonly Plant[] = [
  [
    'a table refuses the write',
    "CREATE TRIGGER full BEFORE INSERT ON trades BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    'DROP TRIGGER full',
    /disk is full/,
  ],
  [
    'a CHECK is violated',
    `CREATE TRIGGER debt AFTER INSERT ON trades
     BEGIN UPDATE accounts SET cash = -1 WHERE owner = 'user:ben'; END`,
    'DROP TRIGGER debt',
    /CHECK constraint failed/,
  ],
  [
    'a table is gone',
    'ALTER TABLE trades RENAME TO lost',
    'ALTER TABLE lost RENAME TO trades',
    /no such table/,
  ],
]

for (const [name, plant, mend, reason] of IN_JOURNAL) {
  t.test(`when ${name} the exchange stops and answers nobody`, async t => {
    const test = await TestExchange.open(t)
    await test.create()
    const resting = await test.place('asha buy 10 @ 6')
    await test.playAll(['ben buy 1 @ 1', 'cora buy 1 @ 1'])
    const [book, journal] = [test.book(), test.journalled().length]
    let [answers, publications] = [0, 0]
    const count = () => {
      answers++
    }
    test.exchange.onPublication(() => {
      publications++
    })
    test.tamper(plant)
    void test.place('ben sell 10 @ 6').then(count)
    void test.place('cora sell 1 @ 9').then(count)
    await test.exchange.drain()
    t.equal(test.failures.length, 1)
    t.match(test.failures[0]?.message, reason)

    void test.place('asha buy 1 @ 1').then(count)
    void test.exchange.cancelOrder(orderId(resting)).then(count)
    await test.exchange.drain()
    await new Promise(resolve => setImmediate(resolve))
    t.equal(answers, 0, 'later requests are not answered either')
    t.equal(publications, 0)
    t.equal(test.book(), book, 'uncommitted state is not shown')
    t.equal(test.failures.length, 1, 'it fails once')

    await test.close()
    test.tamper(mend)
    t.equal(test.journalled().length, journal)
    await test.restart()
    t.equal(test.book(), book)
    t.equal(test.contracts('asha'), 'nothing')
    t.equal(await test.playAll(['ben sell 10 @ 6']), 'filled 10', 'unanswered orders can be sent again')
    t.ok(test.exchange.moneyIsAllThere())
  })
}

for (const [name, plant, mend, reason] of IN_TABLES) {
  t.test(`when ${name} the exchange stops, and loses nothing that it has answered`, async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(['asha buy 10 @ 6', 'ben buy 1 @ 1', 'cora buy 1 @ 1'])
    const journal = test.journalled().length
    test.tamper(plant)
    const sold = await test.place('ben sell 4 @ 6')
    t.equal(sold.state, 'filled', 'the journal has the order')
    await test.exchange.drain()
    t.equal(test.failures.length, 1)
    t.match(test.failures[0]?.message, reason)
    t.equal(test.journalled().length, journal, 'no part of the batch is in the tables')
    t.match(
      await test.exchange.findOrder(orderId(sold)),
      { state: 'filled' },
      'a single order is still found',
    )
    t.equal(test.contracts('asha'), 'yes 4 no 0')
    t.equal(await test.playAll(['cora sell 1 @ 6']), 'filled 1', 'the journal goes on until the process ends')
    await test.exchange.drain()
    t.equal(test.failures.length, 1, 'it fails once')

    await test.close()
    test.tamper(mend)
    await test.restart()
    t.equal(test.contracts('asha'), 'yes 5 no 0')
    t.equal(test.journalled().length, journal + 2)
    t.match(await test.exchange.findOrder(orderId(sold)), { state: 'filled', filled: sold.filled })
    t.ok(test.exchange.moneyIsAllThere())
  })
}

t.test('nothing is answered, shown or published before it is on disk', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben buy 1 @ 1'])
  const early: string[] = []
  test.exchange.onPublication(({ messages }) => {
    const sequences = test.rows<{ seq: number }>('SELECT seq FROM markets')
    for (const { seq } of messages) if (seq > (sequences[0]?.seq ?? 0)) early.push(`message ${seq}`)
  })
  const order = test.place('ben sell 4 @ 6').then(record => {
    const rows = test.rows<{ number: number; state: string }>(
      'SELECT number, state FROM orders ORDER BY number',
    )
    t.same(rows.at(-1), { number: record.number, state: record.state }, 'an answered order is on disk')
  })
  t.equal(test.contracts('asha'), 'nothing')
  t.equal(test.book(), '10@6 1@1 | -')
  const arriving = [...(test.exchange.market(MARKET)?.arriving.values() ?? [])].map(orderId)
  t.equal(arriving.length, 1)
  const found = test.exchange.findOrder(arriving[0] ?? '').then(record => {
    const rows = test.rows<{ number: number }>('SELECT number FROM orders ORDER BY number')
    const isOnDisk = typeof record === 'object' && rows.at(-1)?.number === record.number
    t.ok(record === undefined || isOnDisk, 'an uncommitted order cannot be found')
  })
  await Promise.all([order, found])
  t.match(await test.exchange.findOrder(arriving[0] ?? ''), { state: 'filled' })
  t.same(early, [])
  t.equal(test.contracts('asha'), 'yes 4 no 0')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an event is not visible before it is on disk, nor after a failure', async t => {
  const test = await TestExchange.open(t)
  test.tamper("CREATE TRIGGER log.full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END")
  let answers = 0
  for (const slug of ['same', 'same', 'other']) {
    void test.create({ slug }).then(() => {
      answers++
    })
  }
  t.same([...test.exchange.directory.all()], [])
  await test.exchange.drain()
  await new Promise(resolve => setImmediate(resolve))
  t.equal(answers, 0)
  t.same([...test.exchange.directory.all()], [])
  t.ok(test.failures.length >= 1)
  t.same(test.journalled(), [])
})

t.test(
  'a batch that leaves the escrow different from the payout of the open pairs is not applied',
  async t => {
    const desk = new Desk()
    const test = await TestExchange.open(t)
    const { terms, listing, progress } = await test.create()
    const nothing = {
      events: [],
      orders: [],
      accounts: [],
      positions: [],
      edits: [],
      groups: [],
      conversions: [],
    }
    const result = (openPairs: number): BatchResult => ({
      sequence: 1 as Sequence,
      at: START as TimeMs,
      outcome: { ...nothing, markets: [{ code: terms.code, ...progress, openPairs: lots(openPairs) }] },
      updatedUsers: [],
      transfers: [],
    })
    desk.applyCommitted([{ type: 'CREATE_MARKET', id: 'a', terms, listing, status: 'open' }], result(0))
    t.throws(() => desk.applyCommitted([], result(1)), {
      name: 'BrokenInvariant',
      message: /escrow 0 for 1 pairs/,
    })
    t.equal(desk.market(terms.code).progress.openPairs, 0, 'it is not shown')
  },
)
