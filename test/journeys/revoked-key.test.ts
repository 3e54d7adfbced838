import t from 'tap'
import { startTestServer } from '../fixtures/server-process.js'
import { SocketIoClient } from '../fixtures/sockets/socket-io-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'
import { TOKENS } from '../fixtures/tokens.js'

t.test('a key that is revoked closes its sockets at once, and the quotes of its bot go', async t => {
  const access = { ...TOKENS, mode: 'accounts', publicReads: true, jwt: undefined } as const
  const { client, url, exchange } = await startTestServer(t, { access, socketIo: true })
  const code = await client.createEvent()
  await client.post('/auth/users', { name: 'asha', role: 'trader' })
  await client.post('/portfolio/asha/deposit', { amount: 1000, txn_id: 'first' })
  const draft = { user: 'asha', name: 'bot', scopes: ['read', 'trade'] }
  const made = await client.post('/auth/keys', draft)
  t.equal(made.status, 201, made.body.message)
  const { key, id } = made.body.additional as { readonly key: string; readonly id: number }
  const bot = { authorization: `Bearer ${key}` }
  const order = { event_id: code, l1_expected_price: 5, l1_order_quantity: 1, offer_type: 'buy' }
  const placed = await client.post('/order/initiate', { ...order, order_type: 'LO' }, bot)
  t.equal(placed.status, 201, placed.body.message)

  const sockets = [
    await WsClient.connect(t, client.wsUrl(), { headers: bot }),
    await WsClient.connect(t, client.wsUrl(), {}, ['raay', `bearer.${key}`]),
    await WsClient.connect(t, client.wsUrl()),
  ]
  t.match(await sockets[2]?.ask(['authenticate', { token: key }]), { event: 'authenticated' })
  for (const socket of sockets) {
    t.match(await socket.ask(['subscribe_user', 'asha']), { event: 'subscribed' })
  }
  const io = await SocketIoClient.connect(t, url, { auth: { token: key }, transports: ['websocket'] })
  t.match(await io.ask('cancel_on_disconnect', {}), { data: { userid: 'asha', events: null } })

  const revoked = await client.send('DELETE', `/auth/keys/${id}?user=asha`)
  t.equal(revoked.status, 200, revoked.body.message)
  for (const { closed } of sockets) t.match(await closed, { code: 4401 })
  await io.until(() => io.endings.length > 0)
  t.match(io.endings, [{ code: 4401 }])
  const held = async () =>
    ((await client.get('/portfolio/asha/balance')).body.additional as { readonly held: number }).held
  while ((await held()) > 0) await client.get('/healthz')
  t.equal((await client.get('/order?userid=asha', bot)).status, 401)
  await t.rejects(WsClient.connect(t, client.wsUrl(), { headers: bot }), /401/)
  t.ok(exchange.moneyIsAllThere())
})
