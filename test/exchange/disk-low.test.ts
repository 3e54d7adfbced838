import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import { amount, UNITS_PER_RUPEE } from '../../src/core/units.js'
import type { RoomState } from '../../src/store/room-state.js'
import { appOn, peer } from '../fixtures/http-scenario.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

/** Opens an exchange whose free disk space the test controls. */
async function openOn(t: Parameters<typeof TestExchange.open>[0]) {
  const room: { state: RoomState; freeBytes: number; reserveBytes: number } = {
    state: 'ok',
    freeBytes: 1e12,
    reserveBytes: 0,
  }
  const test = await TestExchange.open(t, { room })
  const market = await test.create()
  return { test, room, market }
}

const deposit = (txnId: string) =>
  ({ userId: 'asha', direction: 'deposit', amount: amount(UNITS_PER_RUPEE), txnId }) as const

t.test('a nearly full disk refuses whatever grows the file, and still accepts cancels', async t => {
  const { test, room, market } = await openOn(t)
  const [order, other, third] = [
    await test.place('asha buy 10 @ 5'),
    await test.place('asha buy 5 @ 4'),
    await test.place('asha buy 5 @ 3'),
  ]
  await test.exchange.transfer(deposit('before'))
  const journalled = test.journalled().length
  room.state = 'low'
  t.equal(await test.tryPlace('asha buy 1 @ 5'), 'disk_low')
  t.equal(await test.tryPlace('zoe buy 1 @ 5'), 'disk_low')
  t.equal(await test.exchange.transfer(deposit('after')), 'disk_low')
  t.match(
    await test.exchange.transfer(deposit('before')),
    { txnId: 'before' },
    'a completed transfer is answered',
  )
  t.equal(await test.exchange.amendOrder(orderId(order), { quantity: 20 }), 'disk_low')
  t.equal(await test.exchange.amendOrder(orderId(order), { price: 6 }), 'disk_low')
  const edited = await test.exchange.editMarket(market, { terms: {}, listing: { description: 'Else?' } })
  t.equal(edited, 'disk_low')
  t.equal(await test.exchange.backups.make('asked'), 'disk_low')
  await t.rejects(test.create(), 'no market is created')
  t.equal(test.exchange.balance('zoe'), undefined, 'no account is opened')
  t.equal(test.journalled().length, journalled, 'nothing was written')

  t.match(await test.exchange.amendOrder(orderId(order), { quantity: 2 }), { quantity: 200 })
  t.equal(test.endOf(await test.cancel(order)), 'cancelled 0 user_cancelled')
  t.match(await test.exchange.cancelOrders('asha', undefined), { ended: [{}, {}], openCount: 0 })
  t.ok(await test.exchange.findOrder(orderId(other)))
  t.ok(await test.exchange.findOrder(orderId(third)))

  room.state = 'ok'
  t.equal(test.endOf(await test.place('asha buy 1 @ 5')), 'resting 0')
  t.match(await test.exchange.transfer(deposit('after')), { txnId: 'after' })
  room.freeBytes = 100
  t.equal(await test.exchange.backups.make('asked'), 'disk_low', 'a copy needs as much room as the file')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a full disk stops all writes, and work that came due runs once there is room', async t => {
  const { test, room, market } = await openOn(t)
  await test.playAll(['asha buy 4 @ 6', 'ben sell 4 @ 6'])
  const order = await test.place('asha buy 10 @ 5')
  const journalled = test.journalled().length
  room.state = 'full'
  t.equal(await test.exchange.cancelOrder(orderId(order)), 'disk_full')
  t.equal(await test.exchange.cancelOrders('asha', MARKET), 'disk_full')
  t.equal(await test.exchange.amendOrder(orderId(order), { quantity: 2 }), 'disk_full')
  test.now = START + 25 * HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(test.journalled().length, journalled)
  t.equal(market.progress.status, 'open')

  room.state = 'low'
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.same([market.progress.status, market.openOrders.size], ['closed', 0])
  await test.exchange.resolveMarket(market, { outcome: 'yes' })
  await test.exchange.drain()
  t.equal(market.progress.status, 'resolved', 'payments wait')
  room.state = 'ok'
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(market.progress.status, 'settled')
  t.equal(test.money('asha'), 'cash 1016 held 0 available 1016')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('payments that met a low disk go on, however short the time between two looks at it', async t => {
  const { test, room, market } = await openOn(t)
  await test.playAll(['asha buy 4 @ 6', 'ben sell 4 @ 6'])
  await test.exchange.moveMarket(market, 'close')
  room.state = 'low'
  await test.exchange.resolveMarket(market, { outcome: 'yes' })
  await test.exchange.drain()
  t.equal(market.progress.status, 'resolved', 'payments wait')
  room.state = 'ok'
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(market.progress.status, 'settled')
})

t.test('on a nearly full disk a repeated key returns its first answer', async t => {
  const { test, room } = await openOn(t)
  const { app } = appOn(test)
  const send = (client_order_id: string) =>
    app.request('/order/initiate', {
      method: 'POST',
      body: JSON.stringify({
        ...{ event_id: String(MARKET), l1_expected_price: 5, l1_order_quantity: 1 },
        ...{ offer_type: 'buy', order_type: 'LO', userid: 'asha', client_order_id },
      }),
    })
  const first = await send('one')
  const journalled = test.journalled().length
  room.state = 'low'
  const again = await send('one')
  t.equal(again.status, 201)
  t.equal(again.headers.get('x-order-id'), first.headers.get('x-order-id'))
  t.equal((await send('two')).status, 503)
  t.equal(test.journalled().length, journalled, 'nothing was written')
})

t.test('clients and operators see that the disk is low', async t => {
  const { test, room } = await openOn(t)
  const { app } = appOn(test)
  const order = await test.place('asha buy 10 @ 5')
  room.state = 'low'
  const body = JSON.stringify({
    ...{ event_id: String(MARKET), l1_expected_price: 5, l1_order_quantity: 1 },
    ...{ offer_type: 'buy', order_type: 'LO', userid: 'asha' },
  })
  const refused = await app.request('/order/initiate', { method: 'POST', body })
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '10')
  t.equal(refused.headers.get('raay-reason'), 'disk_low')
  t.match(await refused.json(), {
    message: 'The disk is almost full: only cancels and reads are possible until space is freed',
  })
  room.state = 'full'
  const cancel = await app.request(`/order/${orderId(order)}`, { method: 'DELETE' })
  t.same([cancel.status, cancel.headers.get('raay-reason')], [503, 'disk_full'])
  const headers = { Host: 'localhost' }
  t.equal((await app.request(`/order/${orderId(order)}`)).status, 200)
  const health = await app.request('/admin/health', { headers }, peer('127.0.0.1'))
  t.match(await health.json(), {
    additional: { disk: { state: 'full', free_bytes: 1e12, reserve_bytes: 0 } },
  })
  const metrics = await (await app.request('/metrics', { headers }, peer('127.0.0.1'))).text()
  t.match(metrics, /^raay_disk_free_bytes 1000000000000$/m)
  t.match(metrics, /^raay_disk_state\{state="full"\} 1$/m)
  t.match(metrics, /^raay_disk_state\{state="ok"\} 0$/m)
  const backup = await app.request('/admin/backup', { method: 'POST', headers }, peer('127.0.0.1'))
  t.equal(backup.status, 503)
})
