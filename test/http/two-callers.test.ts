import type { Test } from 'tap'
import t from 'tap'
import type { AccessMode } from '../../src/access/access-mode.js'
import { accessFor, appOn } from '../fixtures/http-scenario.js'
import { TokenBook } from '../fixtures/sockets/ws-tokens.js'
import { TestExchange } from '../fixtures/test-exchange.js'

type User = 'asha' | 'ben'

/** A request without a `userid` in its body or query; `:me` in its path is the caller. */
interface Sent {
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly key?: string
}

interface Answer {
  readonly status: number
  readonly text: string
}

type Ask = (as: string, sent: Sent) => Promise<Answer>

/** Something that each user makes under the same name, reads, and takes back. */
interface Named {
  readonly make: Sent
  readonly show: Sent
  /** Absent for what is kept for ever. */
  readonly undo?: Sent
}

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 1,
  offer_type: 'buy',
  order_type: 'LO',
}
const BY_NAME = '/order/by-client-id'

/** All that goes by a name which callers choose, or by their own. */
const NAMED: Readonly<Record<string, Named>> = {
  'a client_order_id': {
    make: { path: '/order/initiate', body: { ...ORDER, client_order_id: 'one' } },
    show: { path: `${BY_NAME}/one` },
    undo: { path: `${BY_NAME}/one`, method: 'DELETE' },
  },
  'an Idempotency-Key of an order': {
    make: { path: '/order/initiate', body: ORDER, key: 'two' },
    show: { path: `${BY_NAME}/two` },
    undo: { path: `${BY_NAME}/two`, method: 'DELETE' },
  },
  'a client_order_id in a batch': {
    make: { path: '/order/batch', body: { orders: [{ ...ORDER, client_order_id: 'three' }] } },
    show: { path: `${BY_NAME}/three` },
    undo: { path: `${BY_NAME}/three`, method: 'DELETE' },
  },
  'an Idempotency-Key of a batch': {
    make: { path: '/order/batch', body: { orders: [ORDER, ORDER] }, key: 'four' },
    show: { path: '/order?state=resting' },
    undo: { path: '/order', method: 'DELETE' },
  },
  'a list of orders': {
    make: { path: '/order/initiate', body: ORDER },
    show: { path: '/order' },
    undo: { path: '/order?event_id=1000001', method: 'DELETE' },
  },
  'a balance': {
    make: { path: '/order/initiate', body: ORDER },
    show: { path: '/portfolio/:me/balance' },
    undo: { path: '/order', method: 'DELETE' },
  },
  'a watchlist': {
    make: { path: '/portfolio/:me/watchlist/1000001', method: 'PUT' },
    show: { path: '/portfolio/:me/watchlist' },
    undo: { path: '/portfolio/:me/watchlist/1000001', method: 'DELETE' },
  },
  settings: {
    make: { path: '/portfolio/:me/settings', method: 'PUT', body: { settings: { theme: 'dark' } } },
    show: { path: '/portfolio/:me/settings' },
    undo: { path: '/portfolio/:me/settings', method: 'PUT', body: { settings: { theme: 'light' } } },
  },
  'the choice of a profile': {
    make: { path: '/portfolio/:me/profile', method: 'PUT', body: { is_public: true } },
    show: { path: '/portfolio/:me/profile' },
    undo: { path: '/portfolio/:me/profile', method: 'PUT', body: { is_public: false } },
  },
}

/** The lists and figures of a user, at addresses with their name. */
const PRIVATE = [
  'balance',
  'positions',
  'fills',
  'statement',
  'settlements',
  'performance',
  'settings',
  'watchlist',
  'profile',
]

const ORDER_ID = /"id":"(1000001-\d+-[0-9A-Za-z]+)"/g

/** Opens an app with two users who are signed in, and two operators. */
async function openApp(t: Test, mode: AccessMode) {
  const test = await TestExchange.open(t)
  await test.create()
  const tokenOf = (user: string) => (mode === 'jwt' ? `e30.${user}.e30` : `rs_${user}`)
  const tokens = new TokenBook()
  for (const user of ['asha', 'ben']) tokens.give(tokenOf(user), user)
  for (const user of ['staff', 'clerk']) tokens.give(tokenOf(user), user, { role: 'operator' })
  const { app } = appOn(test, accessFor({ mode, finder: tokens, verifier: tokens }))
  const ask: Ask = async (as, { path, body, key, method = body === undefined ? 'GET' : 'POST' }) => {
    const response = await app.request(path.replace(':me', as), {
      method,
      headers: { Authorization: `Bearer ${tokenOf(as)}`, ...(key && { 'Idempotency-Key': key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text: `${text} ${response.headers.get('raay-reason')}` }
  }
  return { test, ask }
}

const other = (user: User): User => (user === 'asha' ? 'ben' : 'asha')

for (const mode of ['accounts', 'jwt'] as const) {
  for (const [what, { make, show, undo }] of Object.entries(NAMED)) {
    t.test(`two users of one name neither see, block nor get each other's: ${what}, ${mode}`, async t => {
      const { test, ask } = await openApp(t, mode)
      const before = await ask('ben', show)
      const made = await ask('asha', make)
      t.ok(made.status < 300, made.text)
      t.same(await ask('ben', show), before, 'one user makes it, and the other sees nothing')

      const own = await ask('asha', show)
      t.not(own.text, before.text)
      const second = await ask('ben', make)
      t.equal(second.status, made.status, 'the name is still free for the other')
      t.notMatch(second.text, '"asha"', 'who gets nothing of the first')
      t.not((await ask('ben', show)).text, before.text, 'but their own')
      t.same(await ask('asha', show), own, 'whose does not change the first')
      for (const user of ['asha', 'ben'] as const) {
        const shown = await ask(user, show)
        t.equal(shown.status, 200)
        t.notMatch(shown.text, `"${other(user)}"`)
      }
      const idsOf = (text: string) => [...text.matchAll(ORDER_ID)].map(([, id]) => id)
      const bens = await ask('ben', show)
      t.same(
        idsOf(own.text).filter(id => idsOf(bens.text).includes(id)),
        [],
      )

      if (undo !== undefined) {
        t.equal((await ask('asha', undo)).status, 200)
        t.not((await ask('asha', show)).text, own.text)
      }
      t.same(await ask('ben', show), bens, 'one user takes it back, and the other keeps theirs')
      t.ok(test.exchange.moneyIsAllThere())
    })
  }

  t.test(`an order of another user is not there, by whatever way it is asked for: ${mode}`, async t => {
    const { test, ask } = await openApp(t, mode)
    await ask('asha', { path: '/order/initiate', body: ORDER })
    const [, id = ''] = /"id":"([^"]+)"/.exec((await ask('asha', { path: '/order' })).text) ?? []
    const missing = `1000001-999-${id.split('-')[2]}`
    const journalled = test.journalled().length
    const ways = (order: string): Sent[] => [
      { path: `/order/${order}` },
      { path: `/order/${order}`, method: 'DELETE' },
      { path: `/order/${order}/amend`, body: { quantity: 2 } },
      { path: '/order/batch', body: { cancels: [order] } },
      { path: '/order/batch', body: { cancels: [order] }, key: order },
    ]
    const unknown = ways(missing)
    for (const [index, sent] of ways(id).entries()) {
      const refused = await ask('ben', sent)
      t.match(refused.text, /order_not_found/, sent.path)
      t.same(refused, await ask('ben', unknown[index] as Sent), 'like one that does not exist')
    }
    const own = await ask('asha', { path: `/order/${id}` })
    t.match(own.text, /"state":"resting"/)
    t.ok(
      test
        .journalled()
        .slice(journalled)
        .every(({ type }) => type === 'KEEP_BATCH'),
    )
  })

  t.test(`the lists of another user are refused, known or not: ${mode}`, async t => {
    const { ask } = await openApp(t, mode)
    await ask('asha', { path: '/order/initiate', body: ORDER })
    for (const list of PRIVATE) {
      const refused = await ask('ben', { path: `/portfolio/asha/${list}` })
      t.match(refused, { status: 403, text: /other_user/ }, list)
      t.same(refused, await ask('ben', { path: `/portfolio/nobody/${list}` }), 'like those of nobody')
      t.equal((await ask('asha', { path: `/portfolio/:me/${list}` })).status, 200, list)
    }
  })

  t.test(`a cursor of another user's list leads to no rows: ${mode}`, async t => {
    const { test, ask } = await openApp(t, mode)
    for (const user of ['ben', 'asha', 'asha', 'ben', 'asha']) {
      await ask(user, { path: '/order/initiate', body: ORDER })
      const body = { amount: 10, txn_id: `${test.journalled().length}` }
      await ask('staff', { path: `/portfolio/${user}/deposit`, body })
    }
    for (const list of ['/order', '/portfolio/:me/statement']) {
      const [, cursor] =
        /"next_cursor":"([^"]+)"/.exec((await ask('asha', { path: `${list}?limit=1` })).text) ?? []
      const next: Sent = { path: `${list}?limit=9&cursor=${cursor}` }
      t.match((await ask('asha', next)).text, /createdAt/, `${list} goes on for its user`)
      t.match((await ask('ben', next)).text, /"(?:orders|entries)":\[\]/, `and ends for another`)
    }
  })

  t.test(`comments are taken back by those who wrote them: ${mode}`, async t => {
    const { ask } = await openApp(t, mode)
    const post = { path: '/events/1000001/comments', body: { text: 'Yes' } }
    const numbers = new Map<string, string | undefined>()
    for (const user of ['asha', 'ben']) {
      const { status, text } = await ask(user, post)
      t.equal(status, 201)
      t.match(text, `"userid":"${user}"`)
      numbers.set(user, /"id":(\d+)/.exec(text)?.[1])
    }
    t.not(numbers.get('asha'), numbers.get('ben'))
    const remove = (as: string, number: string | undefined) =>
      ask(as, { path: `/events/1000001/comments/${number}`, method: 'DELETE' })
    t.same(
      await remove('ben', numbers.get('asha')),
      await remove('ben', '999'),
      'like one that does not exist',
    )
    t.match(await remove('ben', numbers.get('ben')), { status: 200 })
    t.match(await ask('ben', { path: '/events/1000001/comments' }), { text: /"userid":"asha"/ })
  })

  t.test(`a txn_id is one for the exchange, and says nothing of whose it is: ${mode}`, async t => {
    const { test, ask } = await openApp(t, mode)
    const pay = (as: string, user: string, txn_id: string, amount = 731) =>
      ask(as, { path: `/portfolio/${user}/deposit`, body: { amount, txn_id } })
    const first = await pay('staff', 'asha', 'utr-1')
    t.equal(first.status, 201)
    const journalled = test.journalled().length
    for (const again of [await pay('clerk', 'ben', 'utr-1'), await pay('clerk', 'asha', 'utr-1', 9)]) {
      t.match(again, { status: 409, text: /txn_id_used/ })
      t.notMatch(again.text, /asha|staff|731/)
    }
    t.same(await pay('clerk', 'asha', 'utr-1'), first, 'entered twice it counts once')
    t.same(
      await pay('ben', 'ben', 'utr-1'),
      await pay('ben', 'ben', 'utr-2'),
      'and users learn nothing of it',
    )
    t.equal(test.journalled().length, journalled)
  })
}
