import t from 'tap'
import { Activity } from '../../src/exchange/markets/activity.js'
import type { EngineEvent } from '../../src/core/engine-event.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import type { MarketCode, PriceTicks, TimeMs } from '../../src/core/units.js'
import type { Taking } from '../../src/api/site/activity-shape.js'
import type { AuthApp } from '../fixtures/auth-app.js'
import { openAuthApp } from '../fixtures/auth-app.js'

async function lines(app: AuthApp, query = ''): Promise<string[]> {
  const { activity } = (await app.ask(`/activity${query}`)).additional as unknown as { activity: Taking[] }
  return activity.map(
    ({ userid, offer_type, outcome, qty, amount }) => `${userid} ${offer_type} ${outcome} ${qty} ₹${amount}`,
  )
}

t.test('shows who took what from a book, newest first, and never who only rested', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  await app.test.create()
  await app.test.create()
  t.same(await lines(app), [])
  await app.test.playAll(['asha sell 10 @ 4', 'asha sell 10 @ 5', 'ben buy 15 @ 5'])
  t.same(await lines(app), ['ben buy yes 15 ₹65'], 'one line, also of two fills')
  await app.test.playAll(['cora buy 5 @ 3', 'ben sell 5 @ 3'])
  t.same(await lines(app), ['ben sell yes 5 ₹15', 'ben buy yes 15 ₹65'])
  t.same(await lines(app, '?event_id=1000002'), [])
  t.equal((await lines(app, '?event_id=1000001')).length, 2)
  t.equal((await app.ask('/activity?event_id=1000009')).status, 404)
  t.equal((await app.ask('/activity?event_id=x')).status, 404)
  t.same(app.faults, [])
})

t.test('names nobody whose profile is not public, at once', async t => {
  const open = await openAuthApp(t, { mode: 'open' })
  await open.test.create()
  await open.test.playAll(['asha sell 10 @ 4', 'ben buy 10 @ 4'])
  await open.ask('/portfolio/ben/profile', { method: 'PUT', body: { is_public: false } })
  t.same(await lines(open), ['null buy yes 10 ₹40'])

  const accounts = await openAuthApp(t, { mode: 'accounts' })
  const ben = (await accounts.signedIn('ben')).session.token
  await accounts.test.create()
  await accounts.test.playAll(['asha sell 10 @ 4', 'ben buy 10 @ 4'])
  t.same(await lines(accounts), ['null buy yes 10 ₹40'], 'nobody has agreed')
  const choice = { method: 'PUT', body: { is_public: true }, session: ben }
  t.equal((await accounts.ask('/portfolio/ben/profile', choice)).status, 200)
  t.same(await lines(accounts), ['ben buy yes 10 ₹40'])
})

t.test('what is kept is bounded, and the oldest goes first', async t => {
  const activity = new Activity()
  const order = { userId: 'asha', outcome: 'no', side: 'no' } as OrderRecord
  const fills = [{ trade: 1, price: 400, quantity: 100, maker: 1, makerOwner: 9 }]
  for (let market = 1; market <= 700; market++) {
    const event = { type: 'traded', market, fills } as unknown as Extract<EngineEvent, { type: 'traded' }>
    activity.add(order, event, 1000 as PriceTicks, 0 as TimeMs)
  }
  t.match(activity.latest(2), [
    { number: 700, market: 700, outcome: 'no', isSale: false, value: 60_000 },
    { number: 699, market: 699 },
  ])
  t.equal(activity.latest(1000).length, 500)
  t.same(activity.latest(20, 200 as MarketCode), [], 'of an event too')
  t.equal(activity.latest(20, 201 as MarketCode).length, 1)
})
