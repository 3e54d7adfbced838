import type { Test } from 'tap'
import t from 'tap'
import { appOn, peer, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

async function open(t: Test) {
  const test = await TestExchange.open(t)
  await test.create()
  const { app, faults } = appOn(test)
  const send = async (path: string, body?: string | Uint8Array) => {
    const init = body === undefined ? {} : { method: 'POST', body: body as string }
    const response = await app.request(path, { ...init, headers: { Host: 'localhost' } }, peer('127.0.0.1'))
    t.same(faults, [])
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
  }
  const order = (userid: string) => {
    const terms = { event_id: '1000001', offer_type: 'buy', order_type: 'LO' }
    const asked = { ...terms, l1_expected_price: 5, l1_order_quantity: 1, userid }
    return send('/order/initiate', JSON.stringify(asked))
  }
  const users = () => test.rows<{ owner: string }>("SELECT owner FROM accounts WHERE owner LIKE 'user:%'")
  return { test, send, order, users: () => users().map(({ owner }) => owner.slice(5)) }
}

t.test('a new user has a plain name and is found under any spelling of it', async t => {
  const { order, send, users } = await open(t)
  t.equal((await order(' Zoe\u0308 ')).status, 201)
  t.equal((await order('Zo\u00eb')).status, 201)
  t.same(users(), ['Zo\u00eb'], 'one account')
  for (const name of ['Zo\u00eb', 'Zoe\u0308', ' Zo\u00eb']) {
    const { answer } = await send(`/portfolio/${encodeURIComponent(name)}/balance`)
    t.match(answer, { additional: { userid: 'Zo\u00eb' } })
  }
})

t.test('a misleading name is refused when new, with the offending character', async t => {
  const { order, send, users } = await open(t)
  const faults: Readonly<Record<string, string>> = {
    'as\u202eha': 'Expected no U+202E, which cannot be seen',
    'as\u200bha': 'Expected no U+200B, which cannot be seen',
    'as\u200dha': 'Expected no U+200D, which cannot be seen',
    'as\u001b[2Jha': 'Expected no U+001B, which cannot be seen',
    'as\r\nha': 'Expected no U+000D, which cannot be seen',
    'as\nha': 'Expected no U+000A, which cannot be seen',
    'as\tha': 'Expected no U+0009, which cannot be seen',
    'as\u0085ha': 'Expected no U+0085, which cannot be seen',
    'as\u00adha': 'Expected no U+00AD, which cannot be seen',
    'as\u2028ha': 'Expected no U+2028, which cannot be seen',
    'as\u{e0041}ha': 'Expected no U+E0041, which cannot be seen',
    '   ': 'Expected 1 to 128 characters',
    '.': 'Expected another: . is reserved',
    '..': 'Expected another: .. is reserved',
    house: 'Expected another: house is reserved',
    ' fees ': 'Expected another: fees is reserved',
    external: 'Expected another: external is reserved',
    'bot-maker-1': "Expected another: bot- begins the names of a demo's bots",
  }
  for (const [name, fault] of Object.entries(faults)) {
    t.same((await order(name)).answer, refusal(422, `userid: ${fault}`), encodeURIComponent(name))
  }
  const body = JSON.stringify({ amount: 5, txn_id: 'x' })
  t.equal((await send('/portfolio/house/deposit', body)).status, 422)
  t.equal((await send('/portfolio/as%1Bha/deposit', body)).status, 422)
  t.same(users(), [])
})

t.test('two names never differ by joiners alone, even when they arrive together', async t => {
  const { order, users } = await open(t)
  const [half, apart, bare] = ['\u0915\u094d\u200d\u0937', '\u0915\u094d\u200c\u0937', '\u0915\u094d\u0937']
  const answers = await Promise.all([half, apart, bare].map(order))
  t.same(
    answers.map(({ status }) => status),
    [201, 422, 422],
  )
  t.match(answers[1]?.answer, {
    message: /^userid: Expected another; an existing one differs only in invisible characters$/,
  })
  t.same(users(), [half])
})

t.test('an existing user is served as stored', async t => {
  const { test, order, send, users } = await open(t)
  const stored = 'as\u202eha\u200d\u001b\u00ad'
  // The exchange itself takes any name; the API refuses new ones.
  await test.playAll([`${stored} buy 1 @ 5`])
  t.equal((await order(stored)).status, 201)
  t.match(await send(`/portfolio/${encodeURIComponent(stored)}/balance`), {
    answer: { additional: { userid: stored } },
  })
  t.same(users(), [stored])
  t.equal((await order('as\u202eha')).status, 422, 'no other like it comes')
})

t.test('a title must be plain, too', async t => {
  const { send } = await open(t)
  const create = (title: string) =>
    send(
      '/events/create',
      JSON.stringify({
        ...{ title, description: 'x', start_date: '2027-01-10T00:00:00.000Z', sot: 'x' },
        ...{ end_date: '2027-12-31T23:59:59.000Z', min_bet: 1, max_bet: 1000, quantity: 1000 },
      }),
    )
  t.equal((await create('  Cafe\u0301 ')).status, 201)
  t.match(await send('/events/1000002'), { answer: { additional: { title: 'Caf\u00e9' } } })
  t.same(
    (await create('Pay\u202eto')).answer,
    refusal(422, 'title: Expected no U+202E, which cannot be seen'),
  )
})

t.test('invalid UTF-8 is refused, not replaced', async t => {
  const { send, users } = await open(t)
  const body = Buffer.from('{"userid":"as_ha"}')
  body[12] = 0xff
  t.same((await send('/order/initiate', body)).answer, refusal(400, 'Malformed JSON'))
  for (const path of ['/order?userid=as%ffha', '/portfolio/as%ffha/balance', '/events?q=%c3%28']) {
    t.same((await send(path)).answer, refusal(400, 'The address is not UTF-8'), path)
  }
  t.equal((await send('/events/%')).status, 404, 'a bare percent sign is one')
  t.same(users(), [])
})
