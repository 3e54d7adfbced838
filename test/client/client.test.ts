import t from 'tap'
import { RaayClient, RaayError } from '../../src/client/client.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('asks and watches a real exchange', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const client = new RaayClient({ url: server.url, userid: 'asha' })
  t.teardown(() => client.close())
  t.match(await client.fetchMarket(code), { event_id: code, status: 'open' })
  t.match(await client.createOrder({ event_id: code, offer_type: 'buy', price: 5.1 - 0.2, quantity: 2 }), {
    price: 4.9,
    state: 'resting',
  })
  await t.rejects(client.fetchMarket('9999999'), new RaayError(404, 'Resource not found', 'Event not found'))
})
