import type { Hono } from 'hono'
import type { Test } from 'tap'
import t from 'tap'
import { appOn, accessFor } from '../../fixtures/http-scenario.js'
import { TokenBook } from '../../fixtures/sockets/ws-tokens.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const ORDER = {
  event_id: '1000001',
  l1_expected_price: 5,
  l1_order_quantity: 10,
  offer_type: 'buy',
  order_type: 'LO',
}

const SUSPENDED = { isSuspended: true, orderValueMax: undefined, openOrdersMax: undefined }

interface Order {
  readonly id: string
  readonly price: number
  readonly quantity: number
  readonly state: string
}

interface Answer {
  readonly code: number
  readonly reason: string | null
  readonly message: string
  readonly order: Order
}

/** An exchange with two users, two operators and their tokens, which survive its restarts. */
class World {
  readonly test: TestExchange
  readonly suspended: Set<string>
  #app: Hono

  /** @param suspended users that may not trade */
  constructor(test: TestExchange, suspended: Set<string>) {
    this.test = test
    this.suspended = suspended
    this.#app = this.#open()
  }

  static async open(t: Test): Promise<World> {
    const suspended = new Set<string>()
    const limitsOf = (userId: string) => (suspended.has(userId) ? SUSPENDED : undefined)
    const test = await TestExchange.open(t, { limitsOf })
    await test.create()
    return new World(test, suspended)
  }

  #open(): Hono {
    const tokens = new TokenBook()
    for (const user of ['asha', 'ben']) tokens.give(`rs_${user}`, user)
    for (const user of ['staff', 'clerk']) tokens.give(`rs_${user}`, user, { role: 'operator' })
    return appOn(this.test, accessFor({ mode: 'accounts', finder: tokens, verifier: tokens })).app
  }

  async restart(): Promise<void> {
    await this.test.restart()
    this.#app = this.#open()
  }

  /** The commands that the exchange has journalled since a number of them. */
  since(count: number): string[] {
    return this.test
      .journalled()
      .slice(count)
      .map(({ type }) => type)
  }

  async ask(as: string, path: string, body: object, key?: string): Promise<Answer> {
    const response = await this.#app.request(path, {
      method: 'POST',
      headers: { Authorization: `Bearer rs_${as}`, ...(key !== undefined && { 'Idempotency-Key': key }) },
      body: JSON.stringify(body),
    })
    const { code, message, additional } = (await response.json()) as {
      code: number
      message: string
      additional: Order
    }
    const reason = response.headers.get('raay-reason')
    return { code, message, reason, order: additional ?? { id: response.headers.get('x-order-id') } }
  }

  async place(as: string, change: object = {}): Promise<string> {
    return (await this.ask(as, '/order/initiate', { ...ORDER, ...change })).order.id
  }

  amend(as: string, id: string, body: object, key?: string): Promise<Answer> {
    return this.ask(as, `/order/${id}/amend`, body, key)
  }
}

/** Amendments of an order of 10 at 5, of which 4 are filled: what each is, and the command that makes it. */
const KINDS: readonly (readonly [what: string, body: object, command: string, after: object])[] = [
  ['a reduction', { quantity: 7 }, 'REDUCE_ORDER', { quantity: 7, state: 'partially_filled' }],
  ['a replacement', { price: 6 }, 'REPLACE_ORDER', { price: 6, quantity: 6 }],
  ['one that changes nothing', { quantity: 10 }, 'KEEP_AMENDMENT', { quantity: 10 }],
  ['one to less than is filled', { price: 6, quantity: 3 }, 'CANCEL_ORDER', { state: 'cancelled' }],
  ['a replacement that is refused', { price: 9.99 }, 'REPLACE_ORDER', {}],
]

for (const [what, body, command, after] of KINDS) {
  t.test(`an amendment has an effect once under its name, at once or after a restart: ${what}`, async t => {
    const world = await World.open(t)
    const id = await world.place('asha')
    await world.place('ben', { offer_type: 'sell', l1_order_quantity: 4 })
    const before = world.test.journalled().length
    const all = await Promise.all([1, 2, 3].map(() => world.amend('asha', id, body, 'k')))
    t.same(world.since(before), [command])
    const [first, ...others] = all as [Answer, ...Answer[]]
    for (const other of others) t.same(other, first)
    t.match(
      first,
      command === 'REPLACE_ORDER' && !('price' in after) ? { code: 409 } : { code: 200, order: after },
    )

    // What came since counts: the order as it is now, and never the amendment again.
    await world.test.exchange.advanceClock()
    const other = await world.amend('asha', first.order?.id ?? id, { quantity: 5 })
    for (const restarts of [0, 1]) {
      for (let count = 0; count < restarts; count++) await world.restart()
      const count = world.test.journalled().length
      const again = await world.amend('asha', id, body, 'k')
      t.equal(again.code, first.code)
      t.equal(again.message, first.message)
      t.equal(again.order?.id, first.order?.id)
      if (other.order?.id === first.order?.id) t.same(again.order, other.order)
      t.same(world.since(count), [], `after ${restarts} restarts`)
    }
    t.match(await world.amend('asha', id, { quantity: 9 }, 'k'), {
      code: 409,
      reason: 'key_used',
      message: 'Idempotency-Key: Used for another amendment of this order',
    })
    t.ok(world.test.exchange.moneyIsAllThere())
  })
}

t.test('a name of an amendment belongs to its caller and the order', async t => {
  const world = await World.open(t)
  const [one, two] = [await world.place('asha'), await world.place('asha')]
  t.match(await world.amend('asha', one, { quantity: 8 }, 'k'), { code: 200, order: { quantity: 8 } })
  t.match(await world.amend('asha', two, { quantity: 7 }, 'k'), { code: 200, order: { quantity: 7 } })
  t.match(await world.amend('staff', one, { quantity: 6 }, 'k'), { code: 200, order: { quantity: 6 } })
  t.match(await world.amend('clerk', one, { quantity: 5 }, 'k'), { code: 200, order: { quantity: 5 } })
  t.match(await world.amend('asha', one, { quantity: 8 }, 'k'), { code: 200, order: { quantity: 5 } })
  const batch = await world.ask('asha', '/order/batch', { orders: [ORDER] }, 'k')
  t.equal(batch.code, 200, 'names of batches are others')
})

t.test('a caller who may not amend the order keeps no name, and learns nothing of those kept', async t => {
  const world = await World.open(t)
  const id = await world.place('asha')
  const missing = `1000001-999-${id.split('-')[2]}`
  await world.amend('asha', id, { quantity: 8 }, 'k')
  const before = world.test.journalled().length
  for (const body of [{ quantity: 8 }, { quantity: 7 }]) {
    const refused = await world.amend('ben', id, body, 'k')
    t.match(refused, { code: 404, reason: 'order_not_found' })
    t.same(refused, await world.amend('ben', missing, body, 'k'))
  }
  t.same(world.since(before), [])
})

t.test('without a name the journal is as before, and each amendment counts', async t => {
  const world = await World.open(t)
  const id = await world.place('asha')
  await world.amend('asha', id, { quantity: 10 })
  await world.amend('asha', id, { quantity: 8 })
  await world.amend('asha', id, { price: 6 })
  const commands = world.test.journalled().slice(-2)
  t.same(
    commands.map(({ type }) => type),
    ['REDUCE_ORDER', 'REPLACE_ORDER'],
  )
  for (const command of commands) {
    t.notHas(command, { amendment: {} })
    if (command.type === 'REPLACE_ORDER') t.equal(command.order.batch, undefined)
  }
})

t.test('a name that is no name is refused, and an amendment without room keeps none', async t => {
  const world = await World.open(t)
  const id = await world.place('asha')
  t.match(await world.amend('asha', id, { quantity: 8 }, 'x'.repeat(65)), {
    code: 422,
    message: 'Idempotency-Key: Expected 1 to 64 characters',
  })
  world.suspended.add('asha')
  t.match(await world.amend('asha', id, { price: 6 }, 'k'), { code: 403, reason: 'trading_suspended' })
  world.suspended.clear()
  t.match(await world.amend('asha', id, { price: 6 }, 'k'), { code: 200, order: { price: 6 } })
})
