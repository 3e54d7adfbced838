import t from 'tap'
import { lots } from '../../../src/core/units.js'
import { Dice } from '../../fixtures/dice.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn } from '../../fixtures/http-scenario.js'
import { MARKET, TestExchange } from '../../fixtures/test-exchange.js'

type Fields = Record<string, unknown>

const ORDER = {
  event_id: String(MARKET),
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}

async function ask({ app }: TestApp, path: string, change?: object): Promise<[number, Fields]> {
  const body = change === undefined ? {} : { method: 'POST', body: JSON.stringify({ ...ORDER, ...change }) }
  const response = await app.request(path, { ...body, headers: { Prefer: 'wait' } })
  const answer = (await response.json()) as Fields & { additional?: Fields }
  return [response.status, answer.additional ?? answer]
}

const preview = (app: TestApp, change: object) => ask(app, '/order/preview', change)

t.test('a preview names fills, remainder, refusal and held money, and leaves no trace', async t => {
  const test = await TestExchange.open(t)
  await test.create({ minBet: 1 })
  const app = appOn(test)
  await test.playAll(['ben sell 2 @ 5', 'ben sell 3 @ 5', 'cora sell 4 @ 6'])
  const before = test.journalled().length
  const rows: readonly (readonly [object, object])[] = [
    [
      { l1_expected_price: 6, l1_order_quantity: 10 },
      {
        state: 'partially_filled',
        reason: null,
        held: 60,
        fills: [
          { price: 5, quantity: 5 },
          { price: 6, quantity: 4 },
        ],
        filled_quantity: 9,
        remaining_quantity: 1,
        average_price: 5.44,
        fee_max: 0,
      },
    ],
    [{ l1_expected_price: 4 }, { state: 'resting', held: 4, fills: [], average_price: null }],
    [{ l1_order_quantity: 5 }, { state: 'filled', held: 25, remaining_quantity: 0 }],
    [
      { l1_order_quantity: 6, time_in_force: 'FOK' },
      { state: 'cancelled', reason: 'fill_or_kill', fills: [] },
    ],
    [{ post_only: true }, { state: 'rejected', reason: 'order_would_take' }],
    [{ l1_expected_price: 5.005 }, { state: 'rejected', reason: 'price_off_tick', held: 0 }],
    [{ l1_order_quantity: 0.1 }, { state: 'rejected', reason: 'bet_below_min' }],
    [{ l1_order_quantity: 1000 }, { state: 'rejected', reason: 'funds_insufficient' }],
    [{ userid: 'ben' }, { state: 'cancelled', reason: 'self_trade', remaining_quantity: 1 }],
    [
      { offer_type: 'sell', outcome: 'no', l1_expected_price: 4, l1_order_quantity: 1 },
      { state: 'filled', fills: [{ price: 5, quantity: 1 }] },
    ],
  ]
  for (const [change, shown] of rows)
    t.match(await preview(app, change), [200, shown], JSON.stringify(change))
  t.equal((await preview(app, { event_id: '1000009' }))[0], 404)
  t.equal((await preview(app, { l1_expected_price: 'x' }))[0], 422)
  t.equal(test.journalled().length, before)
  t.equal(test.money('asha'), 'no account', 'no account is opened')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order sent at once does what its preview said', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t, { startingBalance: 100 })
  await test.create({ capacity: lots(12_000), maxBet: 40 })
  const app = appOn(test)
  const states = new Set<unknown>()
  for (let count = 0; count < 400; count++) {
    const force = dice.oneOf(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'])
    const isMarket = dice.percent(15)
    const order = {
      userid: dice.oneOf(['asha', 'ben', 'cora', 'dev']),
      l1_expected_price: dice.between(46, 54) / 10,
      l1_order_quantity: dice.between(10, 900) / 100,
      offer_type: dice.oneOf(['buy', 'sell']),
      outcome: dice.oneOf(['yes', 'no']),
      order_type: isMarket ? 'MO' : 'LO',
      ...(!isMarket && { time_in_force: force, post_only: force === 'GTC' && dice.percent(10) }),
      self_trade_prevention: dice.oneOf(['taker', 'maker', 'off']),
    }
    const [, said] = await preview(app, order)
    const [, done] = await ask(app, '/order/initiate', order)
    const { state, reason, filled_quantity, average_price } = said
    t.match(done, { state, reason, filled_quantity, average_price }, JSON.stringify(order))
    states.add(reason ?? state)
    if (dice.percent(5)) await test.exchange.cancelOrders(dice.oneOf(['asha', 'ben']), MARKET)
  }
  for (const seen of ['filled', 'resting', 'partially_filled', 'self_trade', 'fill_or_kill']) {
    t.ok(states.has(seen), `${seen} was previewed`)
  }
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('places in the queue count better prices and older orders, as of now', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const app = appOn(test)
  for (const order of ['ben buy 2 @ 6', 'asha buy 1 @ 5', 'ben buy 0.5 @ 5', 'asha buy 1 @ 5']) {
    await test.place(order)
  }
  const sold = await test.place('asha sell 1 @ 8')
  await test.exchange.drain()
  const [, queue] = await ask(app, `/order/queue?userid=asha&event_id=${MARKET}`)
  const orders = queue.orders as readonly Fields[]
  t.match(orders, [
    { contracts_ahead: 2, orders_ahead: 1 },
    { contracts_ahead: 3.5, orders_ahead: 3 },
    { contracts_ahead: 0, orders_ahead: 0 },
  ])
  t.match(await ask(app, `/order/${String(orders[1]?.id)}`), [
    200,
    { queue: { contracts_ahead: 3.5, orders_ahead: 3 } },
  ])
  await test.playAll(['cora sell 2 @ 6'])
  t.match(await ask(app, `/order/${String(orders[1]?.id)}`), [
    200,
    { queue: { contracts_ahead: 1.5, orders_ahead: 2 } },
  ])
  await test.cancel(sold)
  t.match(await ask(app, `/order/${String(orders[2]?.id)}`), [200, { state: 'cancelled', queue: null }])
  t.match(await ask(app, `/order/queue?userid=nobody&event_id=${MARKET}`), [200, { orders: [] }])
  t.equal((await ask(app, '/order/queue?userid=asha&event_id=1000009'))[0], 404)
})

t.test('no more than 10,000 orders are counted, and no more than 64 questions wait', async t => {
  const test = await TestExchange.open(t, { startingBalance: 1_000_000, queueLengthMax: 20_000 })
  await test.create()
  const app = appOn(test)
  for (let count = 0; count < 10_001; count += 667) {
    await Promise.all(Array.from({ length: 667 }, () => test.place('ben buy 0.1 @ 5')))
  }
  const last = await test.place('asha buy 1 @ 5')
  const { market, number } = last
  const place = await test.exchange.previews.placeOf(last)
  t.match(place, { number, lotsAhead: 100_000, ordersAhead: 10_000, isAtLeast: true })
  const asked = Array.from({ length: 70 }, () => test.exchange.previews.queueOf('asha', market))
  const busy = (await Promise.all(asked)).filter(answer => answer === 'reads_full')
  t.equal(busy.length, 6)
  const [, { orders }] = await ask(app, `/order/queue?userid=asha&event_id=${market}`)
  t.match(orders, [{ at_least: true, orders_ahead: 10_000 }])
})
