import { join } from 'node:path'
import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import { BUNCH_LENGTH, rollOrder, sendBunch, sendOther, USERS } from '../fixtures/server/same-order.js'
import { sendThroughKills } from '../fixtures/server/same-order-kills.js'
import { startTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const KILLS = 3

t.test('the same order sent 20 times at once counts once, even across a kill', async t => {
  const dice = Dice.fromEnvironment(t)
  const { orders, cutInside, cutWhole, wrong, data } = await sendThroughKills(t, dice, KILLS)
  t.same(wrong, [])
  // How many are cut depends on speed: the answers may all be on their way when the kill comes.
  t.comment(`${cutInside} orders were cut inside their answers, ${cutWhole} before them`)
  t.ok(orders > KILLS, `${orders} orders`)
  const { exchange } = await TestExchange.open(t, { file: join(data, 'raay.db') })
  t.ok(exchange.moneyIsAllThere())
})

t.test('only one of two orders with the same client_order_id counts, each sent 20 times at once', async t => {
  const { url, client, exchange, faults } = await startTestServer(t)
  const event = await client.createEvent()
  const dice = Dice.fromEnvironment(t)
  for (let round = 0; round < 10; round++) {
    const order = rollOrder(dice, `order ${round}`, [event])
    const other = { ...order, price: order.price + 0.02 }
    const [mine, others] = await Promise.all([sendBunch(url, order), sendBunch(url, other)])
    t.same([mine.count, others.count], [BUNCH_LENGTH, BUNCH_LENGTH])
    t.same([mine.answers.length, others.answers.length], [1, 1], 'each bunch has one answer')
    const refused = [mine, others].filter(({ answers }) => answers[0]?.includes('Used for another order'))
    t.equal(refused.length, 1, `${order.way}: one of the two is refused`)
    t.match(await sendOther(url, order), /^409 /)
  }
  let orders = 0
  for (const user of USERS) {
    const { status, body } = await client.get(`/order?userid=${user}`)
    if (status === 200) orders += (body.additional as { orders: object[] }).orders.length
  }
  t.equal(orders, 10, 'one order a round')
  t.same(faults, [])
  t.ok(exchange.moneyIsAllThere())
})
