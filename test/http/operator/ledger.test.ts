import t from 'tap'
import { Dice } from '../../fixtures/dice.js'
import { liveFullDay } from '../../fixtures/full-day.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

interface Answer {
  readonly status: boolean
  readonly code: number
  readonly message: string
  readonly additional: {
    readonly sequence: number
    readonly ok: boolean
    readonly checks: readonly { readonly rule: string; readonly ok: boolean }[]
    readonly findings?: readonly string[]
    readonly accounts: number
    readonly events: number
    readonly open_orders: number
  }
}

const RULES = {
  sum: 'the cash of all accounts sums to zero',
  bounds: 'no account but external is below zero or holds more than its cash',
  escrow: 'each escrow is the payout of its open pairs',
  holds: 'each hold is what the open orders of the account need',
  locks: 'each lock is what the open orders sell',
} as const

async function verified(test: TestExchange, path = '/ledger/verify'): Promise<Answer> {
  const { app, faults } = appOn(test)
  const response = await app.request(path, { headers: { Host: 'localhost' } }, peer('127.0.0.1'))
  t.equal(response.status, 200)
  t.same(faults, [])
  return (await response.json()) as Answer
}

t.test('a balanced ledger is reported as such, with what was checked', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5', 'ben sell 3 @ 6', 'asha sell 2 @ 7'])
  for (const path of ['/ledger/verify', '/api/v1/ledger/verify']) {
    t.same(await verified(test, path), {
      status: true,
      code: 200,
      message: 'Ledger verified successfully',
      additional: {
        sequence: test.rows<{ last: number }>('SELECT max(sequence) AS last FROM journal')[0]?.last,
        ok: true,
        checks: Object.values(RULES).map(rule => ({ rule, ok: true })),
        accounts: 6,
        events: 1,
        open_orders: 3,
      },
    })
  }
})

t.test('the ledger balances before any activity and after all kinds of it', async t => {
  const test = await TestExchange.open(t)
  t.ok((await verified(test)).additional.ok)
  t.same(await liveFullDay(test, Dice.fromEnvironment(t), 200), [])
  const { ok, findings } = (await verified(test)).additional
  t.ok(ok, String(findings))
})

t.test('each broken rule is reported with the offending row', async t => {
  const rows: readonly (readonly [sql: string, rules: readonly (keyof typeof RULES)[], finding: string])[] = [
    ['UPDATE accounts SET cash = cash + 1 WHERE number = 2', ['sum'], `${RULES.sum}: it sums to 1`],
    [
      'UPDATE accounts SET cash = cash - 9950000 WHERE number = 6; UPDATE accounts SET cash = cash + 9950000 WHERE number = 2',
      ['bounds'],
      `${RULES.bounds}: account 6 (user:ben) holds`,
    ],
    [
      'UPDATE accounts SET cash = cash - 5 WHERE number = 4; UPDATE accounts SET cash = cash + 5 WHERE number = 2',
      ['escrow'],
      `${RULES.escrow}: market 1000001: escrow 399995`,
    ],
    ['UPDATE positions SET yes = yes + 1 WHERE account = 5', ['escrow'], '401 YES and 400 NO for 400 pairs'],
    ['UPDATE positions SET paid = paid + 1 WHERE account = 5', ['escrow'], 'its users put in 400001'],
    ['UPDATE markets SET open_pairs = open_pairs + 1', ['escrow'], 'escrow 400000 for 401 pairs'],
    ['DELETE FROM accounts WHERE number = 4', ['sum', 'escrow'], 'market 1000001 has no escrow account'],
    ['UPDATE accounts SET held = held + 1 WHERE number = 5', ['holds'], 'account 5 (user:asha) holds'],
    ['UPDATE orders SET price = price + 1 WHERE number = 1', ['holds'], 'account 5 (user:asha) holds'],
    ["UPDATE orders SET state = 'cancelled' WHERE number = 1", ['holds'], 'its orders 0'],
    ['UPDATE orders SET covered = covered - 1 WHERE number = 4', ['holds', 'locks'], 'its orders 199 and 0'],
    ['UPDATE positions SET yes_locked = yes_locked + 1 WHERE account = 5', ['locks'], 'has 201 YES and 0 NO'],
    ['UPDATE positions SET no_locked = no_locked - 1 WHERE account = 6', ['locks'], 'has 0 YES and -1 NO'],
    ['DELETE FROM positions WHERE account = 5', ['escrow', 'locks'], 'account 5 in market 1000001 has 0 YES'],
    ['UPDATE orders SET account = 77 WHERE number = 1', ['holds'], 'account 77 (no account) holds 0'],
  ]
  for (const [sql, rules, finding] of rows) {
    await t.test(sql, async t => {
      const test = await TestExchange.open(t)
      await test.create()
      await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5', 'ben sell 3 @ 6', 'asha sell 2 @ 7'])
      test.tamper(`PRAGMA ignore_check_constraints = ON; ${sql}`)
      const { message, additional } = await verified(test)
      t.equal(message, 'Ledger verified with findings')
      t.equal(additional.ok, false)
      t.same(
        additional.checks.filter(({ ok }) => !ok).map(({ rule }) => rule),
        rules.map(name => RULES[name]),
      )
      t.ok(
        additional.findings?.some(text => text.includes(finding)),
        String(additional.findings),
      )
    })
  }
})

t.test('a flood of findings is truncated', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await Promise.all(Array.from({ length: 50 }, (_, user) => test.place(`user${user} buy 1 @ 5`)))
  test.tamper('UPDATE accounts SET held = held + 1 WHERE number > 4')
  const { additional } = await verified(test)
  t.equal(additional.findings?.length, 20)
})

t.test('the ledger balances at every moment while others trade', async t => {
  const { client, exchange } = await startTestServer(t)
  const code = await client.createEvent()
  const orders = [
    ['asha', 'buy', 5],
    ['ben', 'sell', 5],
    ['cora', 'sell', 6],
    ['asha', 'sell', 5.5],
  ] as const
  const sequences: number[] = []
  for (let round = 0; round < 40; round++) {
    const placed = orders.map(([userid, offer_type, price]) =>
      client.placeOrder(code, { userid, offer_type, l1_expected_price: price }),
    )
    const { additional } = (await client.get('/ledger/verify')).body as unknown as Answer
    if (!additional.ok) t.fail(String(additional.findings))
    sequences.push(additional.sequence)
    await Promise.all(placed)
  }
  t.same(
    [...sequences].sort((a, b) => a - b),
    sequences,
    'each answer is of a later moment',
  )
  t.ok(exchange.moneyIsAllThere())
})

t.test('nothing else is there', async t => {
  const { app } = appOn(await TestExchange.open(t))
  for (const [method, path, status] of [
    ['POST', '/ledger/verify', 405],
    ['GET', '/ledger', 404],
    ['GET', '/ledger/verify/1', 404],
  ] as const) {
    t.equal((await app.request(path, { method })).status, status, `${method} ${path}`)
  }
})
