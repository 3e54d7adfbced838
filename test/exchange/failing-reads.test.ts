import t from 'tap'
import { AS_OPERATOR, appOn } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

for (const threads of [false, true]) {
  const where = threads ? 'in their threads' : 'in this thread'
  t.test(`a fault of the readers ${where} fails the requests that need them, and no others`, async t => {
    const test = await TestExchange.open(t, { threads })
    await test.create()
    await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6', 'cora buy 1 @ 1'])
    const { app } = appOn(test)
    const ask = async (method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { ...AS_OPERATOR, Host: 'localhost' }
      return (await app.request(path, { method, headers, ...sent })).status
    }
    const order = { event_id: '1000001', l1_expected_price: 5, l1_order_quantity: 1, userid: 'cora' }
    const named = { ...order, offer_type: 'buy', order_type: 'LO', client_order_id: 'one' }
    const history = () => ask('GET', '/portfolio/asha/statement')
    // Reads wait for the tables, so that the follower has nothing left to write afterwards.
    t.equal(await history(), 200)
    test.tamper('ALTER TABLE entries RENAME TO lost_entries')
    test.tamper('ALTER TABLE order_keys RENAME TO lost_keys')
    t.same(
      await Promise.all([
        history(),
        ask('POST', '/order/initiate', named),
        ask('GET', '/events/1000001/trades'),
        ask('GET', '/events/1000001/orderbook'),
      ]),
      [500, 500, 200, 200],
    )
    t.equal(test.book(), '6@6 1@1 | -', 'the order that could not be looked up was not placed')
    t.same(test.failures, [], 'a read that fails stops nothing')

    test.tamper('ALTER TABLE lost_entries RENAME TO entries')
    test.tamper('ALTER TABLE lost_keys RENAME TO order_keys')
    t.equal(await history(), 200)
    t.equal(await ask('POST', '/order/initiate', named), 201, 'under the same name')
    t.equal(await ask('POST', '/order/initiate', named), 201)
    t.equal(test.book(), '6@6 1@5 1@1 | -', 'once')
    t.ok(test.exchange.moneyIsAllThere())
  })
}
