import t from 'tap'
import type { Scenario } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { START, TestExchange } from '../../fixtures/test-exchange.js'

const PATH = '/order/cancel-after'
const TIMEOUT = 'timeout_s: Expected 0, or 5 to 300'

t.test('the timer is returned as it is set, and faults name the field', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const app = appOn(test)
  const set = async (body: object) => {
    const response = await app.app.request(PATH, { method: 'POST', body: JSON.stringify(body) })
    return [response.status, ((await response.json()) as { additional?: object }).additional]
  }
  const ends_at = new Date(START + 30_000).toISOString()
  t.same(await set({ timeout_s: 30, userid: 'asha' }), [200, { userid: 'asha', ends_at, events: null }])
  const events = ['1000001', '1000001']
  t.same(await set({ timeout_s: 30, userid: 7, events }), [
    200,
    { userid: '7', ends_at, events: ['1000001'] },
  ])
  t.same(await set({ timeout_s: 0, userid: 'asha', events }), [
    200,
    { userid: 'asha', ends_at: null, events: null },
  ])
  const rows: readonly (readonly [object, number, string])[] = [
    [{ userid: 'asha' }, 422, 'timeout_s: Required'],
    ...[4.9, 301, -1].map(timeout_s => [{ timeout_s, userid: 'asha' }, 422, TIMEOUT] as const),
    [{ timeout_s: 30 }, 422, 'userid: Required'],
    [{ timeout_s: 30, userid: 'asha', events: [] }, 422, 'events: Expected 1 to 100 event codes'],
    [{ timeout_s: 30, userid: 'asha', events: ['1000009'] }, 404, 'Event not found'],
    [{ timeout_s: 30, userid: 'house' }, 422, 'userid: Expected another: house is reserved'],
  ]
  const scenarios: Scenario[] = rows.map(([body, status, message]) => {
    return { name: message, path: PATH, body, status, answer: refusal(status, message) }
  })
  await checkScenarios(t, app, scenarios)
  const unknown = await app.app.request(PATH, {
    method: 'POST',
    body: JSON.stringify({ timeout_s: 30, userid: 'asha', event_id: '1000001' }),
  })
  t.equal(unknown.status, 422, 'a mistyped option sets no timer')
})
