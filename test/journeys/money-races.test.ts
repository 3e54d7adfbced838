import t from 'tap'
import { UNITS_PER_RUPEE } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'
import type { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'

const USERS = ['asha', 'ben', 'cora'] as const
const CLIENTS = 12
const STEPS = 40
const BALANCE = 200

interface Transport {
  readonly id: string
  readonly amount: number
  readonly cash: number
}

const units = (rupees: number) => Math.round(rupees * UNITS_PER_RUPEE)

/** Acts as one client: orders and transfers of random users, each transfer sent twice at once, then again once one was booked. */
async function trade(client: ServerClient, events: readonly [string, string], dice: Dice, name: string) {
  const odd: string[] = []
  for (let step = 0; step < STEPS; step++) {
    const userid = dice.oneOf(USERS)
    if (dice.percent(60)) {
      await client.placeOrder(dice.oneOf(events), {
        userid,
        offer_type: dice.oneOf(['buy', 'sell']),
        order_type: dice.percent(20) ? 'MO' : 'LO',
        l1_expected_price: dice.between(400, 600) / 100,
        l1_order_quantity: dice.between(10, 1500) / 100,
      })
      continue
    }
    const body = { amount: dice.between(1, 9000) / 100, txn_id: `${name} ${step}` }
    const path = `/portfolio/${userid}/${dice.oneOf(['deposit', 'withdraw'])}`
    const send = () => client.post(path, body)
    const both = await Promise.all([send(), send()])
    for (const { status, body } of both) {
      if (![201, 404, 409].includes(status)) odd.push(JSON.stringify(body))
    }
    const booked = both.find(({ status }) => status === 201)
    if (booked === undefined) continue

    // Of two connections either may be read first: that request may be refused, and the other succeed once money has
    // arrived. A repeat after both gets the answer of the one that was booked.
    const isOther = ({ status, body }: typeof booked) =>
      status === 201 && JSON.stringify(body) !== JSON.stringify(booked.body)
    const repeat = await send()
    if (repeat.status !== 201 || [...both, repeat].some(isOther)) {
      odd.push(JSON.stringify([...both, repeat].map(answer => answer.body)))
    }
  }
  return odd
}

t.test('deposits and withdrawals during trading count once, and no balance goes below zero', async t => {
  const dice = Dice.fromEnvironment(t)
  const config = { startingBalance: (BALANCE * UNITS_PER_RUPEE) as never }
  const { client, exchange, faults } = await startTestServer(t, config)
  const events = [await client.createEvent(), await client.createEvent()] as const
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    trade(client, events, dice, `client ${index}`),
  )
  t.same((await Promise.all(clients)).flat(), [])
  await client.post(`/events/${events[0]}/close`, {})
  await client.post(`/events/${events[0]}/resolve`, { outcome: 'no' })
  await client.post(`/events/${events[1]}/resolve`, { outcome: 'void' })
  await exchange.drain()

  for (const user of USERS) {
    const { body } = await client.get(`/portfolio/${user}/statement?limit=1000`)
    const { entries, next_cursor } = body.additional as { entries: Transport[]; next_cursor: string | null }
    t.equal(next_cursor, null)
    let cash = 0
    for (const { id, amount, cash: after } of entries.toReversed()) {
      cash += units(amount)
      if (cash !== units(after) || cash < 0) t.fail(`${user}: line ${id}`, { amount, after, cash })
    }
    const balance = (await client.get(`/portfolio/${user}/balance`)).body.additional
    t.match(balance, { cash: cash / UNITS_PER_RUPEE, held: 0 }, `${user}: ${entries.length} lines`)
  }
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
})
