import { join } from 'node:path'
import { queryObjects } from 'node:v8'
import t from 'tap'
import type { Outcome } from '../../src/core/market.js'
import { lots } from '../../src/core/units.js'
import { SETTLE_LENGTH_MAX, SettlementWalk } from '../../src/exchange/markets/settlement-walk.js'
import { readCommands } from '../../src/store/command-text.js'
import { Operator } from '../fixtures/operator.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { recoveredDesk } from '../fixtures/recovered-desk.js'

const USERS = ['asha', 'ben', 'cora', 'dev'] as const
const OTHER = (MARKET + 1) as typeof MARKET

/** Asha has bought 10 YES at 6, of ben and cora; she has sold 4 of them to dev at 8. */
async function traded(t: Parameters<typeof TestExchange.open>[0]) {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 6 @ 6', 'cora sell 4 @ 6'])
  await test.playAll(['dev buy 4 @ 8', 'asha sell 4 @ 8'])
  return { test, operator: new Operator(test) }
}

const money = (test: TestExchange) => USERS.map(user => test.money(user).replace(/ held 0.*/, '')).join(', ')

t.test('each winning contract pays the payout, the others nothing', async t => {
  for (const [outcome, expected] of [
    ['yes', 'cash 1032, cash 976, cash 984, cash 1008'],
    ['no', 'cash 972, cash 1036, cash 1024, cash 968'],
  ] as const) {
    const { test, operator } = await traded(t)
    t.equal(await operator.settle(outcome), `settled ${outcome}`)
    t.equal(money(test), expected)
    for (const user of USERS) t.equal(test.contracts(user), 'nothing')
    t.ok(test.exchange.moneyIsAllThere())
    t.equal(test.exchange.market(MARKET)?.progress.openPairs, 0)
    await test.close()
  }
})

t.test('every user can read the outcome and what they had paid in', async t => {
  const { operator } = await traded(t)
  await operator.settle('yes')
  t.same(await operator.settlements('asha'), ['1000001 yes: yes 6 no 0, paid 28, got 60'])
  t.same(await operator.settlements('ben'), ['1000001 yes: yes 0 no 6, paid 24, got 0'])
  t.same(await operator.settlements('dev'), ['1000001 yes: yes 4 no 0, paid 32, got 40'])
  t.same(await operator.settlements('nobody'), [])
  t.same(await operator.statement('asha'), [
    'opening 1000 = 1000',
    'trade -36 = 964',
    'trade -24 = 940',
    'trade 32 = 972',
    'settlement 60 = 1032',
  ])
})

t.test('only a closed market is resolved, and only once', async t => {
  const { test, operator } = await traded(t)
  t.equal(await operator.resolve('yes'), 'refused: open')
  await operator.move('halt')
  t.equal(await operator.resolve('no'), 'refused: halted')
  t.equal(test.money('asha'), 'cash 972 held 0 available 972', 'nobody was paid')
  await operator.settle('yes')
  const before = test.journalled().length
  t.equal(await operator.resolve('yes'), 'settled yes', 'the same answer')
  t.equal(await operator.resolve('no'), 'refused: settled yes')
  t.equal(await operator.resolve('void'), 'refused: settled yes')
  for (const move of ['halt', 'resume', 'close'] as const) {
    t.equal(await operator.move(move), 'refused: settled')
  }
  await test.restart()
  t.equal(await operator.resolve('no'), 'refused: settled yes')
  t.equal(await operator.resolve('yes'), 'settled yes')
  t.equal(test.journalled().length, before)
  t.equal(money(test), 'cash 1032, cash 976, cash 984, cash 1008')
})

t.test('accepts the first of several outcomes submitted at once, and refuses the others', async t => {
  const { test, operator } = await traded(t)
  await operator.move('close')
  const told = await Promise.all(
    (['no', 'yes', 'no', 'void', 'no'] as const).map(outcome => operator.resolve(outcome)),
  )
  t.same(told, ['resolved no', 'refused: resolved no', 'resolved no', 'refused: resolved no', 'resolved no'])
  await test.exchange.drain()
  t.equal(test.journalled().filter(({ type }) => type === 'RESOLVE_MARKET').length, 1)
  t.equal(operator.status(), 'settled no')
})

t.test('a market without positions settles at once', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const operator = new Operator(test)
  t.equal(await operator.settle('no'), 'settled no')
  t.equal(test.journalled().filter(({ type }) => type === 'SETTLE_POSITIONS').length, 0)
})

t.test('voiding refunds what each user paid in, from any market status', async t => {
  for (const move of ['halt', 'close', undefined] as const) {
    const { test, operator } = await traded(t)
    await test.playAll(['ben buy 3 @ 2', 'cora sell 2 @ 9'])
    if (move !== undefined) await operator.move(move)
    t.equal(await operator.resolve('void'), 'voided void')
    await test.exchange.drain()
    t.equal(money(test), 'cash 1000, cash 1000, cash 1000, cash 1000')
    t.equal(test.book(), '- | -')
    for (const user of USERS) t.equal(test.contracts(user), 'nothing')
    t.ok(test.exchange.moneyIsAllThere())
    await test.close()
  }
})

t.test('a void finds room for what the house pays, however much was deposited', async t => {
  const test = await TestExchange.open(t)
  const operator = new Operator(test)
  await test.create()
  await test.playAll(['ben sell 10 @ 1', 'asha buy 10 @ 1', 'cora buy 10 @ 9', 'asha sell 10 @ 9'])
  await operator.transfer('asha withdrawal 1080 as w1')
  const most = (Number.MAX_SAFE_INTEGER - 1) / 2 / 10_000
  const room = Math.floor(most) - (3 * 1000 - 1080) - 1
  t.match(await operator.transfer(`ben deposit ${room} as d1`), `deposit ${room},`)
  t.equal(await operator.transfer('ben deposit 2 as d2'), 'accounts_full')
  t.equal(await operator.resolve('void'), 'voided void')
  await test.exchange.drain()
  t.equal(test.money('cora'), 'cash 1000 held 0 available 1000', 'the house paid')
  t.ok(test.exchange.moneyIsAllThere())
  await test.restart()
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('users ahead in a voided market pay back, up to their available cash', async t => {
  const test = await TestExchange.open(t)
  const operator = new Operator(test)
  await test.create()
  await test.create()
  // Asha buys 10 at 1 and sells them at 9: she is ahead by 80.
  await test.playAll(['ben sell 10 @ 1', 'asha buy 10 @ 1', 'cora buy 10 @ 9', 'asha sell 10 @ 9'])
  t.equal(test.money('asha'), 'cash 1080 held 0 available 1080')
  await test.place('asha buy 100 @ 5', OTHER)
  await operator.transfer('asha withdrawal 550 as w1')
  t.equal(test.money('asha'), 'cash 530 held 500 available 30')
  t.equal(await operator.resolve('void'), 'voided void')
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 500 held 500 available 0', 'cash held by orders is not touched')
  t.equal(test.money('ben'), 'cash 1000 held 0 available 1000')
  t.equal(test.money('cora'), 'cash 1000 held 0 available 1000')
  t.same(await operator.settlements('asha'), ['1000001 void: yes 0 no 0, paid -80, got -30'])
  t.same(
    test.rows('SELECT kind, change / 10000 AS rupees FROM entries WHERE account = 3 ORDER BY line'),
    [
      { kind: 'deposit', rupees: 50 },
      { kind: 'shortfall', rupees: -50 },
    ],
    'the house covers the shortfall',
  )
  t.ok(test.exchange.moneyIsAllThere())
  t.equal(await operator.resolve('yes'), 'refused: voided void')
  await test.restart()
  await test.exchange.drain()
  t.equal(test.money('asha'), 'cash 500 held 500 available 0', 'once')
  t.equal(await operator.resolve('void'), 'voided void')
})

/** Gives more users contracts than one part settles; `hub` has the other side, half sold at a profit. */
async function crowded(t: Parameters<typeof TestExchange.open>[0], shardCount = 2) {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000, shardCount })
  await test.create({ capacity: lots(10_000_000) })
  await test.create()
  const crowd = Array.from({ length: SETTLE_LENGTH_MAX * 2 + 40 }, (_, user) => `u${user}`)
  await test.place('hub sell 1000 @ 4')
  await Promise.all(crowd.map(user => test.place(`${user} buy 1 @ 4`)))
  await test.place('hub buy 100 @ 1')
  await Promise.all(crowd.slice(0, 60).map(user => test.place(`${user} sell 1 @ 1`)))
  await test.exchange.drain()
  return { test, crowd, operator: new Operator(test) }
}

/** Returns the cash of every user, and their settlement rows. */
async function endState(test: TestExchange) {
  const cash = test.rows('SELECT owner, cash, held FROM accounts ORDER BY number')
  const ended = test.rows<{ readonly account: number }>(
    'SELECT account, yes, no, paid, payment FROM settlements ORDER BY account',
  )
  const { status, openPairs, trades } = test.exchange.market(MARKET)?.progress ?? {}
  return { cash, ended, status, openPairs, trades }
}

/** Waits until a settlement completes. */
async function settled(test: TestExchange): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await test.exchange.drain()
    await new Promise(resolve => setImmediate(resolve))
  }
}

t.test('a crash after any part of a settlement does not change its result', async t => {
  for (const outcome of ['yes', 'no', 'void'] satisfies Outcome[]) {
    t.test(outcome, async t => {
      const { test, operator } = await crowded(t)
      await operator.move('close')
      const image = test.crashImage(join(t.testdirName, 'closed.db'))
      await operator.settle(outcome)
      const expected = await endState(test)

      const victims = [SETTLE_LENGTH_MAX - 1, SETTLE_LENGTH_MAX, expected.ended.length - 1, 0]
      let running = await TestExchange.open(t, { file: image, startingBalance: 1_000_000 })
      const rows: number[] = []
      for (const victim of victims) {
        // The disk fails at this user's row: the part is lost, the exchange stops.
        const { account } = expected.ended[victim] ?? {}
        running.tamper(`CREATE TRIGGER log.fault BEFORE INSERT ON journal
          WHEN NEW.commands LIKE '%SETTLE_POSITIONS%' AND instr(NEW.commands, '[${account},') > 0
          BEGIN SELECT RAISE(ABORT, 'disk failure'); END`)
        void new Operator(running).resolve(outcome)
        await settled(running)
        rows.push(running.rows<object>('SELECT * FROM settlements').length)
        running.tamper('DROP TRIGGER log.fault')
        const file = running.crashImage(join(t.testdirName, `crash${victim}.db`))
        running = await TestExchange.open(t, { file, startingBalance: 1_000_000 })
      }
      await settled(running)
      t.ok(new Set(rows).size >= 2, `the crashes came at different parts: ${rows}`)
      t.same(await endState(running), expected)
      t.ok(running.exchange.moneyIsAllThere())
    })
  }
})

t.test('other markets trade between the parts of a settlement', async t => {
  const { test, operator } = await crowded(t, 1)
  await test.place('ben buy 1 @ 5', OTHER)
  await operator.move('close')
  await operator.resolve('yes')
  for (let order = 0; order < 4; order++) {
    t.equal((await test.place('ben buy 1 @ 5', OTHER)).state, 'resting')
    t.ok(test.exchange.moneyIsAllThere())
  }
  await settled(test)
  const kinds = test
    .journal()
    .map(({ sequence, commands }) => readCommands(commands, sequence).map(({ type }) => type))
  const parts = kinds.flatMap((types, place) => (types.includes('SETTLE_POSITIONS') ? [place] : []))
  t.ok(parts.length >= 2)
  t.ok(kinds.every(types => types.filter(type => type === 'SETTLE_POSITIONS').length <= 1))
  t.ok(
    kinds.slice((parts[0] ?? 0) + 1, (parts.at(-1) ?? 0) + 1).some(types => types.includes('CREATE_ORDER')),
    'an order was decided after the first part, and no later than the last',
  )
})

t.test('a stop during a settlement waits for one part, and the next start continues it', async t => {
  const { test, operator } = await crowded(t)
  await operator.move('close')
  void operator.resolve('yes')
  await test.restart()
  const rows = () => test.rows<object>('SELECT * FROM settlements').length
  t.ok(rows() < SETTLE_LENGTH_MAX * 2, 'the stop did not wait for the whole')
  await settled(test)
  t.equal(operator.status(), 'settled yes')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('what a market has paid leaves memory, but its traders and its money do not', async t => {
  const test = await TestExchange.open(t)
  const outcomes: readonly Outcome[] = ['yes', 'no', 'void']
  const codes: (typeof MARKET)[] = []
  for (let count = 0; count < 12; count++) {
    const market = await test.create()
    const { code } = market.terms
    codes.push(code)
    await test.playAll(['asha buy 5 @ 6', 'ben sell 5 @ 6', 'ben buy 2 @ 7', 'asha sell 2 @ 7'], code)
    await test.playAll(['cora buy 1 @ 2', 'dev sell 1 @ 9'], code)
    await test.exchange.moveMarket(market, 'close')
    await test.exchange.resolveMarket(market, { outcome: outcomes[count % 3] ?? 'yes' })
    await test.exchange.drain()
  }
  const held = (await test.create()).terms.code
  await test.playAll(['asha buy 5 @ 6', 'ben sell 5 @ 6'], held)
  for (const time of ['at once', 'after a restart']) {
    for (const code of codes) {
      for (const user of USERS)
        t.match(test.exchange.archive.contracts(user, code), { yes: 0, no: 0, paid: 0 })
      t.equal(test.exchange.tradersOf(code), 2, `${time}: ${code}`)
    }
    t.match(test.exchange.archive.contracts('asha', held), { yes: 500, paid: 300_000 })
    t.equal(queryObjects(SettlementWalk, { format: 'count' }), 0, 'no walk is kept')
    t.ok(test.exchange.moneyIsAllThere())
    test.now += 1000
    await test.restart()
  }
  await test.close()
  const { ledger } = recoveredDesk(test.file)
  t.same(
    codes.flatMap(code => [...ledger.positions(code)]),
    [],
    'a start reads none of them',
  )
  t.equal([...ledger.positions(held)].length, 2)
})
