import type { Test } from 'tap'
import t from 'tap'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5.5,
  l1_order_quantity: 2,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const FIELDS = Object.keys(ORDER)
const PLACED = { status: true, code: 201, message: 'Order placed successfully' }
const PRICE = 'l1_expected_price: Order price must be a positive integer'
const QUANTITY = 'l1_order_quantity: Order quantity must be a positive integer'

async function openApp(t: Test): Promise<TestApp> {
  const test = await TestExchange.open(t)
  await test.create()
  return appOn(test)
}

function refused([name, change, message]: readonly [string, object, string]): Scenario {
  const body = { ...ORDER, ...change }
  return { name, path: '/order/initiate', body, status: 422, answer: refusal(422, message) }
}

function without(...fields: string[]): object {
  return Object.fromEntries(fields.map(field => [field, undefined]))
}

t.test('the first missing field in specification order is named, and nothing is queued', async t => {
  const rows = FIELDS.flatMap((field, index) => {
    const rest = FIELDS.slice(index)
    return [
      [`no ${field}`, without(field), `${field}: Required`] as const,
      [`no ${rest.join(', ')}`, without(...rest), `${field}: Required`] as const,
    ]
  })
  await checkScenarios(t, await openApp(t), rows.map(refused))
})

t.test('a field of the wrong type is refused with the expected and actual types', async t => {
  const kinds: readonly (readonly [unknown, string])[] = [
    [true, 'boolean'],
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
  ]
  const rows: (readonly [string, object, string])[] = []
  for (const [value, kind] of [...kinds, [1_000_001, 'number'] as const])
    rows.push([`event_id ${kind}`, { event_id: value }, `event_id: Expected string, received ${kind}`])
  for (const [value, kind] of [...kinds, ['<1e999>', 'infinity'] as const])
    rows.push([`userid ${kind}`, { userid: value }, `userid: Expected string, received ${kind}`])
  const odd: readonly (readonly [unknown, string])[] = [
    ['5', 'string'],
    ['', 'string'],
    ['<1e999>', 'infinity'],
    ['<-1e999>', 'infinity'],
  ]
  for (const field of ['l1_expected_price', 'l1_order_quantity']) {
    for (const [value, kind] of [...kinds, ...odd])
      rows.push([`${field} ${value}`, { [field]: value }, `${field}: Expected number, received ${kind}`])
  }
  await checkScenarios(t, await openApp(t), rows.map(refused))
})

t.test('a price or quantity below 0.1 is refused in the wording of the specification', async t => {
  const values = [0, '<-0>', -1, 0.09, 0.0999999999999, '<1e-400>', -1e300]
  const rows = values.flatMap(value => [
    [`price ${value}`, { l1_expected_price: value }, PRICE] as const,
    [`quantity ${value}`, { l1_order_quantity: value }, QUANTITY] as const,
    [`both ${value}`, { l1_order_quantity: value, l1_expected_price: value }, PRICE] as const,
    [`market order at ${value}`, { l1_expected_price: value, order_type: 'MO' }, PRICE] as const,
  ])
  await checkScenarios(t, await openApp(t), rows.map(refused))
})

t.test('a word not on the list is refused with the list', async t => {
  const values: readonly (readonly [unknown, string])[] = [
    ['hold', 'hold'],
    ['BUY', 'BUY'],
    [' buy', ' buy'],
    ['', ''],
    ['lo', 'lo'],
    [5, '5'],
    [null, 'null'],
    [true, 'true'],
    [[], 'array'],
    [{ buy: 'sell' }, 'object'],
  ]
  const lists = [
    ['offer_type', "'buy' | 'sell'"],
    ['order_type', "'LO' | 'MO'"],
    ['outcome', "'yes' | 'no'"],
    ['self_trade_prevention', "'taker' | 'maker' | 'off'"],
  ] as const
  const rows = lists.flatMap(([field, list]) =>
    values.map(([value, shown]) => {
      const message = `${field}: Invalid enum value. Expected ${list}, received '${shown}'`
      return [`${field} ${shown}`, { [field]: value }, message] as const
    }),
  )
  await checkScenarios(t, await openApp(t), rows.map(refused))
})

t.test('the first of several faults in specification order is named', async t => {
  const wrong = {
    event_id: 1,
    l1_expected_price: 0,
    l1_order_quantity: 0,
    offer_type: 'x',
    order_type: 'x',
    userid: '',
  }
  const expected = [
    'event_id: Expected string, received number',
    PRICE,
    QUANTITY,
    "offer_type: Invalid enum value. Expected 'buy' | 'sell', received 'x'",
    "order_type: Invalid enum value. Expected 'LO' | 'MO', received 'x'",
    'userid: Expected 1 to 128 characters',
  ]
  const rows = FIELDS.map((_, index) => {
    const bad = Object.fromEntries(Object.entries(wrong).slice(index).reverse())
    return [`from ${FIELDS[index]} on`, { ...bad, outcome: 'x' }, expected[index] ?? ''] as const
  })
  await checkScenarios(t, await openApp(t), rows.map(refused))
})

t.test('a user id is a string or a number of 1 to 128 characters', async t => {
  const app = await openApp(t)
  const long = 'u'.repeat(128)
  const length = 'userid: Expected 1 to 128 characters'
  const good: readonly (readonly [unknown, string])[] = [
    [7, '7'],
    [-1.5, '-1.5'],
    [long, long],
    ['__proto__', '__proto__'],
    ['50% / ½ 🎉', '50% / ½ 🎉'],
  ]
  await checkScenarios(t, app, [
    refused(['empty', { userid: '' }, length]),
    refused([
      'a number that JSON cannot carry',
      { userid: '<9007199254740993>' },
      'userid: Expected fewer digits, or a text of them',
    ]),
    refused(['too long', { userid: `${long}u` }, length]),
    ...good.map(([userid, name]) => ({
      name,
      path: '/order/initiate',
      body: { ...ORDER, userid },
      status: 201,
      answer: PLACED,
      writes: 'OPEN_ACCOUNT CREATE_ORDER',
    })),
    {
      name: '"7" is 7',
      path: '/order/initiate',
      body: { ...ORDER, userid: '7' },
      status: 201,
      answer: PLACED,
      writes: 'CREATE_ORDER',
    },
  ])
  for (const [, userid] of good) {
    const balance = await app.app.request(`/portfolio/${encodeURIComponent(userid)}/balance`)
    t.match(await balance.json(), { additional: { userid } }, userid)
  }
})

t.test('a user id that no database can store is refused, and the exchange goes on', async t => {
  const app = await openApp(t)
  const texts = ['\ud800', '\ud801', 'a\udfff', 'a\u0000b', '\u0000']
  const message = 'userid: Expected text without lone surrogates or NUL'
  await checkScenarios(
    t,
    app,
    texts.map(userid => refused([JSON.stringify(userid), { userid }, message])),
  )
  t.same(app.test.failures, [])
})

t.test('an unknown event is reported after the faults of the body', async t => {
  const unknown = { status: 404, answer: refusal(404, 'Event not found') }
  const codes = [
    '1000002',
    '',
    '01000001',
    '1000001 ',
    '1e6',
    '10000010',
    '9999999',
    'NaN',
    '__proto__',
    "1' OR '1'='1",
  ]
  await checkScenarios(t, await openApp(t), [
    ...codes.map(event_id => ({
      name: `"${event_id}"`,
      path: '/order/initiate',
      body: { ...ORDER, event_id },
      ...unknown,
    })),
    refused(['unknown event, bad price', { event_id: '1000002', l1_expected_price: 0 }, PRICE]),
  ])
})

t.test('the answer follows the specification, even for an order that the market refuses', async t => {
  const path = '/order/initiate'
  const changes: readonly (readonly [string, object])[] = [
    ['a limit order', {}],
    ['a market order on an empty book', { order_type: 'MO' }],
    ['at the least price and quantity', { l1_expected_price: 0.1, l1_order_quantity: 0.1 }],
    ['above every price', { l1_expected_price: 1e300 }],
    ['off the tick', { l1_expected_price: 5.555 }],
    ['more than there is', { l1_order_quantity: 1e300 }],
    ['more than can be paid', { l1_order_quantity: 1e6 }],
    ['unknown fields', { additional: 1, price: 3, status: 'PLACED' }],
  ]
  const [first, ...rest] = changes.map(([name, change]) => ({
    ...{ name, path, body: { ...ORDER, ...change }, status: 201, answer: PLACED, writes: 'CREATE_ORDER' },
  }))
  await checkScenarios(t, await openApp(t), [
    { ...first, writes: 'OPEN_ACCOUNT CREATE_ORDER' } as Scenario,
    ...rest,
  ])
})
