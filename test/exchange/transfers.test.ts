import t from 'tap'
import { Operator } from '../fixtures/operator.js'
import { TestExchange } from '../fixtures/test-exchange.js'

async function openDesk(t: Parameters<typeof TestExchange.open>[0], options = {}) {
  const test = await TestExchange.open(t, options)
  await test.create()
  await test.create()
  await test.playAll(['asha buy 1 @ 1'])
  return { test, operator: new Operator(test) }
}

const transfers = (test: TestExchange) =>
  test.journalled().filter(({ type }) => type === 'TRANSFER_MONEY').length

t.test('deposits and withdrawals are exact to the paisa', async t => {
  const { test, operator } = await openDesk(t)
  t.equal(await operator.transfer('asha deposit 10.25 as t1'), 'deposit 10.25, cash 1010.25')
  t.equal(await operator.transfer('asha withdrawal 0.01 as t2'), 'withdrawal 0.01, cash 1010.24')
  t.equal(test.money('asha'), 'cash 1010.24 held 1 available 1009.24')
  t.same(await operator.statement('asha'), [
    'opening 1000 = 1000',
    'deposit 10.25 = 1010.25',
    'withdrawal -0.01 = 1010.24',
  ])
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a repeated transfer is applied once and gets its first answer, even after a restart', async t => {
  const { test, operator } = await openDesk(t)
  const first = await Promise.all(Array.from({ length: 20 }, () => operator.transfer('asha deposit 5 as t1')))
  t.same(new Set(first), new Set(['deposit 5, cash 1005']))
  await test.playAll(['asha buy 1 @ 2', 'ben sell 1 @ 2'])
  t.equal(await operator.transfer('asha deposit 5 as t1'), 'deposit 5, cash 1005', 'the cash of that time')
  await test.restart()
  t.equal(await operator.transfer('asha deposit 5 as t1'), 'deposit 5, cash 1005')
  t.equal(transfers(test), 1)
  t.equal(test.money('asha'), 'cash 1003 held 1 available 1002')
})

t.test('a used txn_id is refused for any other transfer', async t => {
  const { test, operator } = await openDesk(t)
  await test.playAll(['ben buy 1 @ 1'])
  const both = await Promise.all([
    operator.transfer('asha deposit 5 as t1'),
    operator.transfer('asha deposit 6 as t1'),
  ])
  t.same(both, ['deposit 5, cash 1005', 'txn_id_used'])
  for (const other of ['ben deposit 5', 'asha withdrawal 5', 'asha deposit 5.01', 'stranger deposit 5']) {
    t.equal(await operator.transfer(`${other} as t1`), 'txn_id_used', other)
  }
  t.equal(transfers(test), 1)
  t.equal(test.money('stranger'), 'no account')
})

t.test('withdrawals never exceed the available cash, and a refusal does not use up the txn_id', async t => {
  const { test, operator } = await openDesk(t)
  t.equal(await operator.transfer('asha withdrawal 999.01 as t1'), 'funds_insufficient', 'a rupee is held')
  t.equal(await operator.transfer('nobody withdrawal 1 as t2'), 'user_unknown')
  t.equal(test.money('nobody'), 'no account')
  t.equal(transfers(test), 0)
  t.equal(await operator.transfer('asha withdrawal 999 as t1'), 'withdrawal 999, cash 1')
  t.equal(test.money('asha'), 'cash 1 held 1 available 0')
  t.equal(await operator.transfer('asha withdrawal 0.01 as t3'), 'funds_insufficient')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('racing withdrawals and orders never spend the same money', async t => {
  const { test, operator } = await openDesk(t)
  const [taken, placed, taken2] = await Promise.all([
    operator.transfer('asha withdrawal 600 as t1'),
    test.place('asha buy 100 @ 4'),
    operator.transfer('asha withdrawal 600 as t2'),
  ])
  const done = [taken, taken2].filter(end => end.startsWith('withdrawal')).length
  t.ok(done <= 1)
  t.equal(done + Number(placed.state === 'resting'), 1 + Number(done === 1 && placed.state === 'resting'))
  const { available = -1 } = test.exchange.balance('asha') ?? {}
  t.ok(available >= 0)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a deposit cannot be spent before it is on disk', async t => {
  const { test, operator } = await openDesk(t)
  const coming = operator.transfer('asha deposit 500 as t1')
  const early = await test.place('asha buy 150 @ 9.9')
  t.equal(test.endOf(early), 'rejected 0 funds_insufficient')
  await coming
  t.equal(test.endOf(await test.place('asha buy 150 @ 9.9')), 'resting 0')
})

t.test('a deposit opens the account of a new user, as a first order does', async t => {
  const { test, operator } = await openDesk(t)
  const answers = await Promise.all([
    operator.transfer('cora deposit 7 as t1'),
    operator.transfer('cora deposit 8 as t2'),
    test.place('cora buy 1 @ 1').then(order => order.state),
  ])
  t.same(answers.sort(), ['deposit 7, cash 1007', 'deposit 8, cash 1015', 'resting'])
  t.equal(test.money('cora'), 'cash 1015 held 1 available 1014')
  t.equal(test.journalled().filter(({ type }) => type === 'OPEN_ACCOUNT').length, 2)
})

t.test('deposits beyond exact integers are refused', async t => {
  const { test, operator } = await openDesk(t)
  t.equal(
    await operator.transfer('asha deposit 450000000000 as t1'),
    'deposit 450000000000, cash 450000001000',
  )
  const both = await Promise.all([
    operator.transfer('asha deposit 359000000 as t2'),
    operator.transfer('asha deposit 359000000 as t3'),
  ])
  t.same(both, ['deposit 359000000, cash 450359001000', 'accounts_full'])
  t.equal(await operator.transfer('stranger deposit 1000000 as t4'), 'accounts_full')
  await test.exchange.drain()
  t.equal(test.money('stranger'), 'cash 1000 held 0 available 1000', 'the account alone was opened')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a full queue refuses deposits and opens no account', async t => {
  const { test, operator } = await openDesk(t, { queueLengthMax: 1, shardCount: 1 })
  const answers = await Promise.all([
    operator.transfer('asha deposit 1 as t1'),
    operator.transfer('stranger deposit 1 as t2'),
    test.tryPlace('asha buy 1 @ 1'),
  ])
  t.same(answers.slice(0, 2), ['queue_full', 'queue_full'])
  t.equal(test.money('stranger'), 'no account')
  t.equal(await operator.transfer('asha deposit 1 as t1'), 'deposit 1, cash 1001', 'the name is still free')
})

t.test('every line of a statement adds up, whatever changes the cash', async t => {
  const { test, operator } = await openDesk(t)
  await test.playAll([
    'ben sell 9 @ 1',
    'asha buy 4 @ 3',
    'asha sell 7 @ 2',
    'ben buy 3 @ 8',
    'ben buy 9 market',
  ])
  await operator.transfer('ben withdrawal 12.34 as w1')
  await operator.settle('no')
  const other = 1_000_002 as Parameters<typeof operator.settle>[1]
  await test.playAll(['cora buy 1 @ 2', 'cora sell 1 @ 6', 'dev sell 1 @ 2', 'dev buy 1 @ 6'], other)
  await test.playAll(['ben sell 3.33 @ 7.77', 'asha buy 3.33 @ 7.77'], other)
  await operator.settle('void', other)
  const rows = test.rows<{ account: number; change: number; cash: number }>(
    'SELECT account, change, cash FROM entries ORDER BY account, sequence, line',
  )
  const cash = new Map<number, number>()
  for (const { account, change, cash: after } of rows) {
    cash.set(account, (cash.get(account) ?? 0) + change)
    t.equal(cash.get(account), after)
  }
  for (const { number, cash: stored } of test.rows<{ number: number; cash: number }>(
    "SELECT number, cash FROM accounts WHERE owner LIKE 'user:%'",
  )) {
    t.equal(cash.get(number), stored)
  }
  const kinds = test.rows<{ kind: string }>('SELECT DISTINCT kind FROM entries ORDER BY kind')
  t.same(
    kinds.map(({ kind }) => kind),
    ['merge', 'opening', 'settlement', 'trade', 'void', 'withdrawal'],
  )
})
