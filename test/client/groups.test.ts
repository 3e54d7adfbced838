import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { RaayClient } from '../../src/client/node-client.js'
import { startTestServer } from '../fixtures/server-process.js'

t.test('a program creates a group, converts contracts once, and resolves it', async t => {
  const server = await startTestServer(t)
  const adminToken = readOperatorKey(server.data)
  const client = new RaayClient({ url: server.url, userid: 'asha', adminToken })
  t.teardown(() => client.close())
  const { groups } = client
  const day = 86_400_000
  const code = await groups.create({
    ...{ title: 'Who wins?', description: 'The final.', kind: 'exclusive', none_of_these: true },
    outcomes: [{ title: 'India' }, { title: 'Kenya', description: 'The team.' }],
    start_date: new Date(Date.now() - day).toISOString(),
    end_date: new Date(Date.now() + day).toISOString(),
    ...{ min_bet: 0, max_bet: 10_000, sot: 'ICC', quantity: 1000 },
  })
  const [group] = await groups.fetchGroups()
  t.match(group, { code, outcomes: [{ label: 'India' }, { label: 'Kenya' }, { label: 'None of these' }] })
  t.same(await groups.fetchGroup(code), group)
  const [india = '', kenya = ''] = group?.outcomes.map(({ event_id }) => event_id) ?? []
  for (const event_id of [india, kenya]) {
    await client.createOrder({ event_id, offer_type: 'buy', price: 4, quantity: 2, userid: 'ravi' })
    await client.createOrder({ event_id, offer_type: 'sell', price: 4, quantity: 2 })
  }
  t.match(await groups.fetchPosition(code), { paid: 24, releasable: 20 })
  const request = { outcomes: [india, kenya], quantity: 1 }
  const shown = await groups.previewConversion(code, request)
  t.match(shown, { amount: 10, reason: null, position: { paid: 14, releasable: 10 } }, 'as it will be')
  t.match(await groups.fetchPosition(code), { paid: 24 }, 'nothing has changed')
  const named = { ...request, client_order_id: 'once' }
  for (const _ of [1, 2]) {
    t.same(await groups.convert(code, named), shown)
    t.match(await groups.convert(code, named), { amount: 10, position: { paid: 14, releasable: 10 } })
  }
  t.match(await groups.convert(code, request), { position: { paid: 4 } }, 'each has a name of its own')
  await t.rejects(groups.convert(code, request), { code: 409, reason: 'contracts_insufficient' })
  t.match(await groups.previewConversion(code, request), { reason: 'contracts_insufficient' })
  t.match(await groups.edit(code, { title: 'Who won?' }), { title: 'Who won?' })
  t.match(await groups.halt(code), { status: 'halted' })
  t.match(await groups.resume(code), { status: 'open' })
  t.match(await groups.close(code), { status: 'closed' })
  t.match(await groups.resolve(code, { winner: india }), { winner: india })
  t.match(await client.fetchStatement(), { length: 5 }, 'the opening, two trades and two conversions')
})
