import t from 'tap'
import { eventSchema } from '../../../src/api/events/event-schema.js'
import { amendSchema } from '../../../src/api/orders/order-amend-schema.js'
import { orderSchema } from '../../../src/api/orders/order-schema.js'
import { nearestStep } from '../../../src/core/units.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}
const { l1_expected_price: price, l1_order_quantity: quantity } = orderSchema.shape

async function stage() {
  const test = await TestExchange.open(t)
  await test.create()
  const { app } = appOn(test)
  return async (path: string, body: unknown) => {
    const headers = { Prefer: 'wait' }
    const response = await app.request(
      path,
      { method: 'POST', headers, body: JSON.stringify(body) },
      peer('127.0.0.1'),
    )
    return {
      status: response.status,
      body: (await response.json()) as { additional: object; message: string },
    }
  }
}

t.test('a number computed from steps is the number of steps, in every way of computing it', async t => {
  let inexact = 0
  for (let k = 10; k <= 10_000; k++) {
    const exact = k / 100
    const sums = [
      k * 0.01,
      0.1 + (k - 10) * 0.01,
      exact - 0.1 + 0.1,
      1 - (1 - exact),
      (exact * 3) / 3,
      10 - (10 - exact),
    ]
    for (const sum of sums) {
      if (sum !== exact) inexact++
      if (sum < 0.1) continue
      for (const field of [price, quantity]) if (field.parse(sum) !== exact) t.fail(`${sum} is not ${exact}`)
      if (amendSchema.parse({ price: sum, quantity: sum }).price !== exact) t.fail(`amended to ${sum}`)
      if (eventSchema.shape.quantity.parse(sum) !== exact) t.fail(`an event of ${sum}`)
    }
  }
  let walked = 0
  for (let k = 1; k <= 1000; k++) {
    walked += 0.01
    if (nearestStep(walked) !== k / 100) t.fail(`${walked} is not ${k / 100}`)
  }
  t.ok(inexact > 1000, `${inexact} of the sums were inexact`)
})

t.test('a number farther than 10⁻⁹ from a step stays as it was sent, and none becomes 0', async t => {
  for (const value of [5.005, 5.00000001, 4.999999998, 0.111, 1e-10, 1e-300, 0.005, 1e15 + 0.5]) {
    t.equal(nearestStep(value), value, `${value}`)
  }
  for (const [value, step] of [
    [5.0000000009, 5],
    [4.9999999991, 5],
    [0.0100000001, 0.01],
  ] as const) {
    t.equal(nearestStep(value), step, `${value}`)
  }
})

t.test('the minimum of the specification judges the number as sent', async t => {
  const send = await stage()
  for (const [field, what] of [
    ['l1_expected_price', 'price'],
    ['l1_order_quantity', 'quantity'],
  ] as const) {
    const { status, body } = await send('/order/initiate', { ...ORDER, [field]: 0.09999999999 })
    t.same([status, body.message], [422, `${field}: Order ${what} must be a positive integer`])
    t.equal((await send('/order/initiate', { ...ORDER, [field]: 0.1 })).status, 201)
  }
})

t.test('an order, a batch and an amendment take computed numbers, and show the step', async t => {
  const send = await stage()
  const computed = { ...ORDER, l1_expected_price: 46 * 0.1, l1_order_quantity: 0.1 + 0.2 }
  t.not(computed.l1_expected_price, 4.6)
  const meant = { state: 'resting', price: 4.6, quantity: 0.3 }
  const placed = await send('/order/initiate', computed)
  t.match(placed.body.additional, meant)
  t.match((await send('/order/initiate', { ...computed, outcome: 'no' })).body.additional, meant)
  const batch = await send('/order/batch', { orders: [computed] })
  t.match(batch.body.additional, { results: [{ additional: meant }] })
  const { id } = placed.body.additional as { id: string }
  const amended = await send(`/order/${id}/amend`, { price: 0.1 * 3, quantity: 1.1 + 2.2 })
  t.match(amended.body.additional, { state: 'resting', price: 0.3, quantity: 3.3 })
  const off = await send('/order/initiate', { ...ORDER, l1_expected_price: 4.60000001 })
  t.match(off.body.additional, { state: 'rejected', reason: 'price_off_tick' })
})

t.test('an amendment to almost no quantity cancels nothing', async t => {
  const send = await stage()
  const { id } = (await send('/order/initiate', ORDER)).body.additional as { id: string }
  const { status, body } = await send(`/order/${id}/amend`, { quantity: 1e-10 })
  t.equal(status, 409)
  t.match(body.message, 'Order is not amended')
  t.match((await send(`/order/${id}/amend`, { quantity: 1 })).body.additional, {
    state: 'resting',
    quantity: 1,
  })
})

t.test('a name knows its order again, however its numbers were computed', async t => {
  const send = await stage()
  const named = { ...ORDER, client_order_id: 'one', l1_expected_price: 4.6 }
  const first = await send('/order/initiate', named)
  const again = await send('/order/initiate', { ...named, l1_expected_price: 46 * 0.1 })
  t.strictSame(again, first)
  t.equal((await send('/order/initiate', { ...named, l1_expected_price: 4.61 })).status, 409)
})
