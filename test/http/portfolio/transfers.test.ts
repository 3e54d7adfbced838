import t from 'tap'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, peer, refusal } from '../../fixtures/http-scenario.js'
import { START, TestExchange } from '../../fixtures/test-exchange.js'

interface Sent {
  readonly status: number
  readonly body: { readonly message: string; readonly additional?: Record<string, unknown> }
}

async function send({ app }: TestApp, path: string, amount: unknown, txn_id: unknown): Promise<Sent> {
  const init = { method: 'POST', headers: { Host: 'localhost' }, body: JSON.stringify({ amount, txn_id }) }
  const response = await app.request(`/portfolio/${path}`, init, peer('127.0.0.1'))
  return { status: response.status, body: (await response.json()) as Sent['body'] }
}

/** Makes a transfer; returns `201 deposit 5 cash 1005`, or the refusal's code and message. */
function told({ status, body }: Sent): string {
  const { type, amount, cash } = body.additional ?? {}
  return type === undefined ? `${status} ${body.message}` : `${status} ${type} ${amount} cash ${cash}`
}

const USED = '409 This txn_id names another transfer already: choose a new one'

t.test('deposits and withdrawals are answered with the resulting cash', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const now = new Date(START).toISOString()
  const additional = {
    txn_id: 'd1',
    userid: 'asha',
    type: 'deposit',
    amount: 250.55,
    cash: 1250.55,
    createdAt: now,
  }
  const message = 'Deposit recorded successfully'
  const deposit = await send(app, 'asha/deposit', 250.55, 'd1')
  t.strictSame(deposit, { status: 201, body: { status: true, code: 201, message, additional } })
  const out = await send(app, 'asha/withdraw', 1250.5, 'w1')
  const taken = {
    txn_id: 'w1',
    userid: 'asha',
    type: 'withdrawal',
    amount: 1250.5,
    cash: 0.05,
    createdAt: now,
  }
  const answer = { status: true, code: 201, message: 'Withdrawal recorded successfully', additional: taken }
  t.strictSame(out, { status: 201, body: answer })
  t.equal(test.money('asha'), 'cash 0.05 held 0 available 0.05')
  t.equal(
    told(await send(app, 'asha/withdraw', 0.05, 'w2')),
    '201 withdrawal 0.05 cash 0',
    'to the last paisa',
  )
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('one txn_id is one transfer, however often and concurrently it is sent', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  for (const [path, cash] of [
    ['asha/deposit', 1005],
    ['asha/withdraw', 1000],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, path, 5, `txn of ${path}`)))
    for (const answer of answers) t.strictSame(answer, answers[0])
    t.match(answers[0], { status: 201, body: { additional: { cash } } })
  }
  t.equal(test.journalled().filter(({ type }) => type === 'TRANSFER_MONEY').length, 2)
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a repeat gets the first answer, also after other transfers and after a restart', async t => {
  const test = await TestExchange.open(t)
  const first = await send(appOn(test), 'asha/deposit', 5, 'd1')
  await send(appOn(test), 'asha/withdraw', 1000, 'w1')
  test.now += 1000
  for (let round = 0; round < 2; round++) {
    t.strictSame(await send(appOn(test), 'asha/deposit', 5, 'd1'), first)
    await test.restart()
  }
  const image = await TestExchange.open(t, { file: test.crashImage(`${test.file}-crash`) })
  t.strictSame(await send(appOn(image), 'asha/deposit', 5, 'd1'), first, 'and after a crash')
  t.equal(test.money('asha'), 'cash 5 held 0 available 5')
})

t.test('a txn_id is refused for another user, amount or direction', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await send(app, 'ben/deposit', 5, 'of ben')
  await send(app, 'asha/deposit', 5, 'd1')
  const before = test.journalled().length
  const rows: readonly (readonly [string, number])[] = [
    ['asha/deposit', 5.01],
    ['asha/withdraw', 5],
    ['ben/deposit', 5],
    ['nobody/deposit', 5],
    ['nobody/withdraw', 5],
  ]
  for (const [path, amount] of rows) t.equal(told(await send(app, path, amount, 'd1')), USED, path)
  await test.restart()
  for (const [path, amount] of rows) t.equal(told(await send(appOn(test), path, amount, 'd1')), USED, path)
  t.equal(test.journalled().length, before, 'nothing is written')
  t.equal(test.money('nobody'), 'no account')
  const different = await Promise.all([
    send(appOn(test), 'asha/deposit', 1, 'd2'),
    send(appOn(test), 'ben/deposit', 1, 'd2'),
    send(appOn(test), 'asha/deposit', 2, 'd2'),
  ])
  t.same(different.map(({ status }) => status).sort(), [201, 409, 409], 'at once, too')
})

t.test('a withdrawal cannot exceed the available cash', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 100 @ 6.5'])
  const short = '409 Insufficient funds: ₹350.00 available'
  t.equal(told(await send(app, 'asha/withdraw', 350.01, 'w1')), short, 'what an order holds stays')
  t.equal(told(await send(app, 'asha/withdraw', 1000, 'w1')), short)
  t.equal(
    told(await send(app, 'asha/withdraw', 350, 'w1')),
    '201 withdrawal 350 cash 650',
    'a refused id is free',
  )
  t.equal(told(await send(app, 'asha/withdraw', 0.01, 'w2')), '409 Insufficient funds: ₹0.00 available')
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(app, 'ben/deposit', 1, `open ${index}`)),
  )
  t.ok(many.every(({ status }) => status === 201))
  const race = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(app, 'ben/withdraw', 100, `race ${index}`)),
  )
  t.equal(race.filter(({ status }) => status === 201).length, 10, '1,020 in hundreds')
  t.equal(test.money('ben'), 'cash 20 held 0 available 20')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('withdrawals racing with orders never take what an order holds', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const market = await test.create()
  const other = await test.create()
  await test.playAll(['asha buy 0.01 @ 0.1', 'ben sell 200 @ 5'])
  for (let round = 0; round < 10; round++) {
    const before = test.exchange.balance('asha')?.available ?? 0
    const results = await Promise.all([
      test.place('asha buy 20 @ 5', market.terms.code),
      send(app, 'asha/withdraw', 90, `a ${round}`),
      test.place('asha buy 20 @ 5', other.terms.code),
      send(app, 'asha/withdraw', 90, `b ${round}`),
      send(app, 'asha/deposit', 30, `c ${round}`),
    ])
    await test.exchange.drain()
    const taken = results.filter(result => 'status' in result && result.status === 201).length
    const { cash = 0, held = 0, available = 0 } = test.exchange.balance('asha') ?? {}
    t.ok(
      cash >= held && held >= 0 && available >= 0,
      `${before} and ${taken} transfers: ${test.money('asha')}`,
    )
    t.ok(test.exchange.moneyIsAllThere())
  }
  t.same(test.failures, [])
  const rejected = test.rows<{ n: number }>("SELECT count(*) AS n FROM orders WHERE state = 'rejected'")
  t.ok((rejected[0]?.n ?? 0) > 0, 'in the end there was too little for an order')
})

t.test('an invalid transfer is refused and opens no account', async t => {
  const test = await TestExchange.open(t)
  const whole = 'amount: Expected whole paise, at most 2 decimals'
  const length = 'txn_id: Expected 1 to 128 characters'
  const good = { amount: 5, txn_id: 'd1' }
  const rows: readonly (readonly [unknown, string])[] = [
    [{}, 'amount: Required'],
    [{ txn_id: '' }, 'amount: Required'],
    ...['5', null, true, '<1e999>'].map(amount => {
      const kind = amount === null ? 'null' : amount === '<1e999>' ? 'infinity' : typeof amount
      return [{ ...good, amount }, `amount: Expected number, received ${kind}`] as const
    }),
    ...[0, '<-0>', -1, '<1e-400>', -0.01].map(
      amount => [{ ...good, amount }, 'amount: Expected more than 0'] as const,
    ),
    ...[0.001, 5.005, 0.0001, 1e-300, 899_999_999_999.999].map(
      amount => [{ ...good, amount }, whole] as const,
    ),
    [{ ...good, amount: 900_000_000_000.01 }, 'amount: Expected at most 900000000000'],
    [{ ...good, amount: 1e300 }, 'amount: Expected at most 900000000000'],
    [{ amount: 5 }, 'txn_id: Required'],
    [{ ...good, txn_id: 7 }, 'txn_id: Expected string, received number'],
    [{ ...good, txn_id: '' }, length],
    [{ ...good, txn_id: 't'.repeat(129) }, length],
    [{ ...good, txn_id: 'a\0' }, 'txn_id: Expected text without lone surrogates or NUL'],
    [[], 'body: Expected object, received array'],
  ]
  const scenarios = ['deposit', 'withdraw'].flatMap(direction =>
    rows.map(([body, message]): Scenario => {
      const path = `/portfolio/asha/${direction}`
      return { name: `${direction} ${message}`, path, body, status: 422, answer: refusal(422, message) }
    }),
  )
  const userids: readonly (readonly [string, string])[] = [
    ['u'.repeat(129), 'userid: Expected 1 to 128 characters'],
    ['a%00', 'userid: Expected text without lone surrogates or NUL'],
  ]
  const named = userids.map(([userid, message]): Scenario => {
    const path = `/portfolio/${userid}/deposit`
    return { name: message, path, body: good, status: 422, answer: refusal(422, message) }
  })
  await checkScenarios(t, appOn(test), [
    ...scenarios,
    ...named,
    {
      ...{ name: 'of a stranger', path: '/portfolio/nobody/withdraw', body: good },
      ...{ status: 404, answer: refusal(404, 'User not found') },
    },
    {
      ...{ name: 'broken', path: '/portfolio/asha/deposit', body: '{' },
      ...{ status: 400, answer: refusal(400, 'Malformed JSON') },
    },
  ])
  t.equal(test.money('asha'), 'no account')
})

t.test('user ids and txn_ids in any script are kept apart', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const users = ['50% / ½ 🎉', '__proto__', '7', 'é', 'e', 'u'.repeat(128)]
  for (const [index, user] of users.entries()) {
    const answer = await send(app, `${encodeURIComponent(user)}/deposit`, index + 1, `${user}`)
    t.match(answer.body.additional, { userid: user, txn_id: user, cash: 1001 + index })
  }
  t.equal(test.rows('SELECT 1 FROM transfers').length, users.length)
})

t.test("a transfer beyond the exchange's capacity answers 409, and can be retried later", async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await send(app, 'asha/deposit', 1, 'open')
  const full = await send(app, 'asha/deposit', 450_000_000_000, 'd1')
  t.equal(told(full), '201 deposit 450000000000 cash 450000001001')
  const refused = await send(app, 'asha/deposit', 450_000_000_000, 'd2')
  t.match(refused, { status: 409, body: { name: 'Resource conflict' } })
  t.equal((await send(app, 'ben/deposit', 450_000_000_000, 'd3')).status, 409)
  t.equal(
    told(await send(app, 'asha/withdraw', 450_000_000_000, 'w1')),
    '201 withdrawal 450000000000 cash 1001',
  )
  t.equal((await send(app, 'asha/deposit', 450_000_000_000, 'd2')).status, 201)
  t.ok(test.exchange.moneyIsAllThere())

  const small = await TestExchange.open(t, { queueLengthMax: 2, file: `${test.file}-small` })
  await send(appOn(small), 'asha/deposit', 1, 'open')
  const flood = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(appOn(small), 'asha/deposit', 1, `flood ${index}`)),
  )
  const done = flood.filter(({ status }) => status === 201).length
  t.ok(done >= 2 && done < 20, `${done} of 20 were taken`)
  for (const { status } of flood) t.ok(status === 201 || status === 503)
  t.equal(small.money('asha'), `cash ${1001 + done} held 0 available ${1001 + done}`)
})
