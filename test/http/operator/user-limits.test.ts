import t from 'tap'
import { openAccessRoom } from '../../fixtures/access-room.js'
import type { AuthApp } from '../../fixtures/auth-app.js'
import { openAuthApp } from '../../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../../fixtures/http-scenario.js'
import { MARKET } from '../../fixtures/test-exchange.js'

const LIMITS = '/portfolio/asha/limits'
const FREE = {
  userid: 'asha',
  suspended: false,
  reason: null,
  order_value_max: null,
  open_orders_max: null,
  changed_at: null,
}

const asOperator = (method: string, body?: unknown) => ({ method, body, bearer: OPERATOR_KEY })
const orderOf = (changes: object = {}) => ({
  event_id: String(MARKET),
  l1_expected_price: 5,
  l1_order_quantity: 10,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
  ...changes,
})

/** An exchange with an event that asha has traded: ₹1,000 each, ₹50 of hers held for an order at ₹5. */
async function opened(t: import('tap').Test): Promise<AuthApp & { readonly id: string }> {
  const app = await openAuthApp(t, { mode: 'open' })
  await app.test.create()
  const { headers } = await app.ask('/order/initiate', { body: orderOf() })
  return { ...app, id: headers.get('x-order-id') ?? '' }
}

const change = (app: AuthApp, body: unknown, path = LIMITS) => app.ask(path, asOperator('PATCH', body))
const lines = ({ store }: AuthApp) =>
  store.audit
    .list({ limit: 100 })
    .lines.map(({ kind, name, by, detail }) => [kind, name, by, detail].join(' | '))

t.test('a suspended user places nothing and amends nothing but downwards, on any door', async t => {
  const app = await opened(t)
  const { ask, id, test } = app
  t.match(await change(app, { suspended: true, reason: 'Identity check' }), {
    status: 200,
    additional: { userid: 'asha', suspended: true, reason: 'Identity check' },
  })
  const before = test.journalled().length
  const refused = { status: 403, reason: 'trading_suspended' }
  t.match(await ask('/order/initiate', { body: orderOf() }), refused)
  t.match(await ask('/api/v1/order/initiate', { body: orderOf({ order_type: 'MO' }) }), refused)
  t.match(await ask('/order/initiate', { body: orderOf({ client_order_id: 'mine' }) }), refused)
  t.match(
    await ask('/order/initiate', { ...asOperator('POST', orderOf()) }),
    refused,
    'nor does an operator for them',
  )
  const batch = await ask('/order/batch', { body: { orders: [orderOf(), orderOf({ userid: 'ben' })] } })
  t.match(batch.additional.results, [{ code: 403, reason: 'trading_suspended' }, { code: 201 }])
  t.match(await ask(`/order/${id}/amend`, { body: { price: 6 } }), refused)
  t.match(await ask(`/order/${id}/amend`, { body: { quantity: 11 } }), refused)
  await test.exchange.drain()
  const written = JSON.stringify(test.journalled().slice(before))
  t.notMatch(written, /"userId":"asha"/)
  t.equal(test.money('asha'), 'cash 1000 held 50 available 950', 'nothing more is held')
  t.match(await ask(`/order/${id}/amend`, { body: { quantity: 4 } }), { status: 200 }, 'less is no new order')
  t.match(await ask(`/order/${id}`, { method: 'DELETE' }), { status: 200 }, 'and the rest can be cancelled')
  t.equal(test.money('asha'), 'cash 1000 held 0 available 1000')
  t.match(await change(app, { suspended: false }), { status: 200, additional: { ...FREE, reason: null } })
  t.match(await ask('/order/initiate', { body: orderOf() }), { status: 201 })
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an order repeated under its name is answered like the first, suspended or not', async t => {
  const app = await opened(t)
  const named = { body: orderOf({ client_order_id: 'mine' }) }
  const first = await app.ask('/order/initiate', named)
  await change(app, { suspended: true })
  const again = await app.ask('/order/initiate', named)
  t.equal(again.headers.get('x-order-id'), first.headers.get('x-order-id'))
  t.equal(again.status, 201)
})

t.test('limits bound the value and the number of the orders of one user alone', async t => {
  const app = await opened(t)
  const { ask, test } = app
  await change(app, { order_value_max: 40, open_orders_max: 2 })
  const place = async (changes: object) =>
    (await ask('/order/initiate', { body: orderOf(changes) })).headers.get('raay-reason')
  t.equal(await place({}), 'bet_above_max', 'worth ₹50')
  t.equal(await place({ l1_order_quantity: 8 }), null, 'worth ₹40')
  t.equal(await place({ l1_order_quantity: 1 }), 'open_orders_full')
  t.equal(await place({ userid: 'ben' }), null)
  t.equal(await place({ userid: 'ben' }), null)
  t.equal(await place({ userid: 'ben' }), null)
  await change(app, { order_value_max: null, open_orders_max: null })
  t.equal(await place({}), null)
  t.same((await ask(LIMITS)).additional, FREE)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('every change is in the audit log once, in words; a change of nothing is not', async t => {
  const app = await opened(t)
  await change(app, { suspended: true, reason: 'Asked to' })
  await change(app, { suspended: true })
  await change(app, { order_value_max: 500.5 })
  await change(app, { suspended: false, order_value_max: 100, open_orders_max: 3 })
  await change(app, {})
  t.same(lines(app), [
    'limits_changed | asha | operator key | order value ₹500.5 → ₹100, open orders unlimited → 3',
    'trading_resumed | asha | operator key | Asked to',
    'limits_changed | asha | operator key | order value unlimited → ₹500.5',
    'trading_suspended | asha | operator key | Asked to',
  ])
})

t.test('what is no limit is refused and changes nothing', async t => {
  const app = await opened(t)
  for (const [body, message] of [
    [{ order_value_max: 0 }, 'order_value_max: Expected more than 0'],
    [{ order_value_max: 0.001 }, 'order_value_max: Expected whole paise, at most 2 decimals'],
    [{ open_orders_max: 0 }, 'open_orders_max: Expected 1 to 2000, or null'],
    [{ open_orders_max: 2001 }, 'open_orders_max: Expected 1 to 2000, or null'],
    [{ suspended: 'yes' }, 'suspended: Expected boolean, received string'],
    [{ suspended: true, reason: 'x'.repeat(201) }, 'reason: Expected at most 200 characters'],
  ] as const) {
    t.match(await change(app, body), { status: 422, message })
  }
  t.match(await change(app, { suspended: true }, '/portfolio/nobody/limits'), {
    status: 404,
    reason: 'user_not_found',
  })
  t.match(await app.ask(LIMITS, { method: 'PATCH', body: { suspended: true } }), { status: 401 })
  t.same((await app.ask(LIMITS)).additional, FREE)
  t.same(lines(app), [])
})

t.test('an account that has not traded yet can be suspended, and then cannot begin', async t => {
  const app = await openAuthApp(t)
  await app.test.create()
  const { token } = (await app.signedIn('priya')).session
  t.match(await change(app, { suspended: true }, '/portfolio/Priya/limits'), {
    additional: { userid: 'priya' },
  })
  t.match(await app.ask('/order/initiate', { session: token, body: orderOf({ userid: 'priya' }) }), {
    status: 403,
    reason: 'trading_suspended',
  })
  t.same(await app.test.exchange.archive.userNamed('priya').isKnown, false, 'no account was opened')
  t.match(await app.ask('/portfolio/priya/limits', { session: token }), {
    status: 200,
    additional: { suspended: true },
  })
})

t.test('limits outlast a restart', async t => {
  const { store, path } = openAccessRoom(t)
  const author = { by: 'priya', address: '203.0.113.7' }
  store.limits.change('asha', { isSuspended: true, reason: 'Asked to', openOrdersMax: 4 }, author)
  store.limits.change('ben', { openOrdersMax: 5 }, author)
  store.limits.change('ben', { openOrdersMax: null }, author)
  const { store: again } = openAccessRoom(t, { path })
  t.match(again.limits.of('asha'), {
    isSuspended: true,
    reason: 'Asked to',
    openOrdersMax: 4,
    changedBy: 'priya',
  })
  t.equal(again.limits.of('ben'), undefined)
  t.same(again.limits.names(true), ['asha'])
})

t.test('users are searched, sorted and filtered; no page repeats or skips one', async t => {
  const app = await opened(t)
  await app.test.playAll(['Bensha buy 10 @ 9', 'carl buy 1 @ 2', 'dora buy 2 @ 2'])
  await change(app, { suspended: true })
  await change(app, { open_orders_max: 9 }, '/portfolio/carl/limits')
  const list = async (query: string) => {
    const { additional } = await app.ask(`/portfolio?${query}`, { bearer: OPERATOR_KEY })
    return additional as { users: { userid: string; suspended: boolean }[]; next_cursor: string | null }
  }
  const names = async (query: string) => (await list(query)).users.map(({ userid }) => userid).join(' ')
  t.equal(await names('q=SHA'), 'asha Bensha')
  t.equal(await names('sort=held&order=desc'), 'Bensha asha dora carl')
  t.equal(await names('sort=available'), 'Bensha asha dora carl')
  t.equal(await names('sort=userid&order=desc'), 'dora carl asha Bensha')
  t.equal(await names('order=desc'), 'dora carl Bensha asha')
  t.equal(await names('only=suspended'), 'asha')
  t.equal(await names('only=limited&sort=userid'), 'asha carl')
  t.match((await list('q=asha')).users, [{ suspended: true }])
  for (const sort of ['created', 'userid', 'cash', 'held', 'available']) {
    for (const order of ['asc', 'desc']) {
      const found: string[] = []
      let cursor = ''
      for (let pages = 0; pages < 5; pages++) {
        const page = await list(`sort=${sort}&order=${order}&limit=1${cursor}`)
        found.push(...page.users.map(({ userid }) => userid))
        if (page.next_cursor === null) break
        cursor = `&cursor=${page.next_cursor}`
      }
      t.equal(found.join(' '), await names(`sort=${sort}&order=${order}`), `${sort} ${order}`)
    }
  }
  const wrong = await app.ask('/portfolio?sort=held&cursor=4.x', { bearer: OPERATOR_KEY })
  t.match(wrong, { status: 422, message: /^cursor: / })
})
