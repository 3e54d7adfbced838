import type { Hono } from 'hono'
import type { Test } from 'tap'
import t from 'tap'
import type { AccessMode } from '../../../src/access/access-mode.js'
import { accessFor, appOn } from '../../fixtures/http-scenario.js'
import { TokenBook } from '../../fixtures/sockets/ws-tokens.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
}

interface Result {
  readonly code: number
  readonly reason?: string
  readonly additional?: { readonly id: string; readonly userid: string; readonly state: string }
}

interface Answered {
  readonly code: number
  readonly reason: string | null
  readonly message: string
  readonly orderId: string | null
  readonly results: readonly Result[]
  readonly order: NonNullable<Result['additional']>
}

type Ask = (as: string, path: string, body?: unknown, key?: string, method?: string) => Promise<Answered>

const askIn =
  (app: Hono): Ask =>
  async (as, path, body, key, method = body === undefined ? 'GET' : 'POST') => {
    const response = await app.request(path, {
      method,
      headers: {
        ...(as !== '' && { Authorization: `Bearer ${as}` }),
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { code, message, additional } = (await response.json()) as {
      code: number
      message: string
      additional?: Answered['order'] & { results?: Answered['results'] }
    }
    return {
      code,
      message,
      reason: response.headers.get('raay-reason'),
      orderId: response.headers.get('x-order-id'),
      results: additional?.results ?? [],
      order: additional as Answered['order'],
    }
  }

/** Opens an app with two signed-in users and an operator, each with a token of their name. */
async function openApp(t: Test, mode: AccessMode = 'accounts') {
  const test = await TestExchange.open(t)
  await test.create()
  const tokenOf = (user: string) => (mode === 'jwt' ? `e30.${user}.e30` : `rs_${user}`)
  const tokens = new TokenBook()
  for (const user of ['asha', 'ben']) tokens.give(tokenOf(user), user)
  tokens.give(tokenOf('staff'), 'staff', { role: 'operator' })
  const { app } = appOn(test, accessFor({ mode, openCreation: false, finder: tokens, verifier: tokens }))
  const raw = askIn(app)
  const ask: Ask = (as, ...rest) => raw(tokenOf(as), ...rest)
  return { test, ask }
}

const usersOf = ({ results }: Answered) => results.map(({ additional }) => additional?.userid)
const idsOf = ({ results }: Answered) => results.map(({ additional }) => additional?.id)

for (const mode of ['accounts', 'jwt'] as const) {
  t.test(`two users of one name never get each other's orders: ${mode}`, async t => {
    const { test, ask } = await openApp(t, mode)
    const send = (as: string) => [
      ask(as, '/order/batch', { orders: [ORDER, ORDER] }, 'k'),
      ask(as, '/order/initiate', ORDER, 'k'),
    ]
    const ofBoth = () => Promise.all(['asha', 'ben'].flatMap(send))
    const [asha, ashasOne, ben, bensOne] = (await ofBoth()) as [Answered, Answered, Answered, Answered]
    t.same(
      [usersOf(asha), usersOf(ben)],
      [
        ['asha', 'asha'],
        ['ben', 'ben'],
      ],
    )
    const ids = [...idsOf(asha), ...idsOf(ben), ashasOne.orderId, bensOne.orderId]
    t.equal(new Set(ids).size, 6, 'each order is placed')
    const again = (await ofBoth()) as (typeof asha)[]
    t.same(
      again
        .flatMap(answer => [...idsOf(answer), answer.orderId])
        .filter(Boolean)
        .sort(),
      ids.sort(),
    )
    for (const user of ['asha', 'ben']) {
      t.match(await ask(user, '/order/by-client-id/k'), { order: { userid: user } })
    }
    await ask('asha', '/order/by-client-id/k', undefined, undefined, 'DELETE')
    t.match(await ask('asha', '/order/by-client-id/k'), { order: { state: 'cancelled' } })
    t.match(await ask('ben', '/order/by-client-id/k'), { order: { state: 'resting' } })

    const cancel = (as: string, ids: unknown) => ask(as, '/order/batch', { cancels: ids }, 'end')
    t.match(await cancel('asha', idsOf(asha)), { code: 200, results: [{ code: 200 }, { code: 200 }] })
    t.match(await cancel('ben', idsOf(ben)), { code: 200, results: [{ code: 200 }, { code: 200 }] })
    t.match(await cancel('ben', idsOf(asha)), { code: 409, reason: 'key_used' })
    t.ok(test.exchange.moneyIsAllThere())
  })
}

t.test('a user who names another uses up no name, not even their own', async t => {
  const { test, ask } = await openApp(t)
  const forOther = {
    orders: [
      { ...ORDER, userid: 'ben' },
      { ...ORDER, userid: 'cleo' },
    ],
  }
  const before = test.journalled().length
  const refused = await ask('asha', '/order/batch', forOther, 'k')
  t.match(refused, { code: 200, results: [{ code: 403, reason: 'other_user' }, { code: 403 }] })
  t.equal(test.journalled().length, before, 'nothing is kept')
  t.match(await ask('ben', '/order/batch', { orders: [ORDER] }, 'k'), { results: [{ code: 201 }] })
  t.match(await ask('asha', '/order/batch', { orders: [ORDER] }, 'k'), { results: [{ code: 201 }] })
  t.same(
    await ask('asha', '/order/initiate', { ...ORDER, userid: 'ben' }, 'one').then(({ code }) => code),
    403,
  )
  t.match(await ask('ben', '/order/initiate', { ...ORDER, l1_order_quantity: 2 }, 'one'), { code: 201 })
})

t.test("an operator's names are their own, whatever users they name", async t => {
  const { ask } = await openApp(t)
  const forBoth = {
    orders: [
      { ...ORDER, userid: 'asha' },
      { ...ORDER, userid: 'ben' },
    ],
  }
  const placed = await ask('staff', '/order/batch', forBoth, 'k')
  t.same(usersOf(placed), ['asha', 'ben'])
  t.same(idsOf(await ask('staff', '/order/batch', forBoth, 'k')), idsOf(placed))
  const own = await ask('asha', '/order/batch', { orders: [ORDER] }, 'k')
  t.match(own, { code: 200, results: [{ code: 201 }] })
  t.not(idsOf(own)[0], idsOf(placed)[0])
})

t.test('without accounts a named batch is of the one user that it names', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const ask = askIn(appOn(test, accessFor()).app)
  const orders = (...users: unknown[]) => ({ orders: users.map(userid => ({ ...ORDER, userid })) })
  const [asha, ben] = [
    await ask('', '/order/batch', orders('asha', ' asha '), 'k'),
    await ask('', '/order/batch', orders('ben'), 'k'),
  ]
  t.same([usersOf(asha), usersOf(ben)], [['asha', 'asha'], ['ben']])
  const before = test.journalled().length
  for (const several of [
    orders('asha', 'ben'),
    { orders: [...orders('asha').orders, 5, ...orders(7).orders] },
  ]) {
    t.match(await ask('', '/order/batch', several, 'other'), {
      code: 422,
      message: 'orders: Expected orders of one user in a batch with an Idempotency-Key',
    })
  }
  t.equal(test.journalled().length, before, 'nothing is placed or kept')
  t.match(await ask('', '/order/batch', orders('asha', 'ben')), { code: 200 }, 'without a name it may be')
  const cancels = { cancels: [idsOf(asha)[0]] }
  t.match(await ask('', '/order/batch', cancels, 'end'), { results: [{ code: 200 }] })
  t.match(await ask('', '/order/batch', { cancels: idsOf(ben) }, 'end'), { code: 409, reason: 'key_used' })
})
