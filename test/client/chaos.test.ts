import t from 'tap'
import { RaayClient } from '../../src/client/client.js'
import { Dice } from '../fixtures/dice.js'
import { ChaoticExchange, CODE, USER } from './chaotic-exchange.js'

const ROUNDS = 60
const STEPS = 150

t.test('converges despite lost, late and repeated messages and cuts: each change once, in order', async t => {
  const first = Dice.fromEnvironment(t).seed
  let cuts = 0
  for (let round = 0; round < ROUNDS; round++) {
    const seed = first + round
    await t.test(`RAAY_SEED=${seed}`, async t => {
      const dice = new Dice(seed)
      const exchange = new ChaoticExchange(dice)
      const { world } = exchange
      const client = new RaayClient({ url: world.url, userid: USER, ...world.surroundings })
      for (let step = dice.between(0, 30); step > 0; step--) exchange.step()
      const tradesBefore = exchange.trades.length
      const seen: Record<'trades' | 'orders' | 'fills', unknown[]> = { trades: [], orders: [], fills: [] }
      const onError = (error: Error) => t.fail(error.message)
      const book = client.watchOrderBook(CODE)
      client.watchTrades(CODE, {}, { onUpdate: ({ tradeId }) => seen.trades.push(tradeId), onError })
      const orders = client.watchOrders({}, { onUpdate: order => seen.orders.push(order), onError })
      client.watchMyTrades({}, { onUpdate: ({ tradeId }) => seen.fills.push(tradeId), onError })
      const balance = client.watchBalance()
      await world.settle()
      t.equal(client.connection, 'live')
      const userBefore = exchange.userMessages.length

      exchange.faults = { lost: 4, twice: 4, late: 4, cut: 4, unanswered: 20 }
      for (let step = 0; step < STEPS; step++) {
        exchange.step()
        if (dice.percent(30)) await world.pass(dice.between(0, 2000))
        if (dice.percent(5)) exchange.beat()
      }
      exchange.faults = { lost: 0, twice: 0, late: 0, cut: 0, unanswered: 0 }
      for (let beats = 0; beats < 4; beats++) {
        await world.pass(20_000)
        exchange.beat()
      }
      await world.pass(20_000)

      t.equal(client.connection, 'live')
      t.same(book.state, exchange.view)
      t.same(seen.trades, exchange.trades.slice(tradesBefore))
      const told = exchange.userMessages.slice(userBefore)
      t.same(
        seen.orders,
        told.flatMap(({ order }) => (order === undefined ? [] : [order])),
      )
      t.same(
        seen.fills,
        told.flatMap(({ fill }) => (fill === undefined ? [] : [(fill as { tradeId: string }).tradeId])),
      )
      t.same(orders.state, exchange.openOrders)
      t.equal(balance.state?.cash, exchange.balance)
      client.close()
      t.same(world.timersMs, [])
      cuts += exchange.cuts
    })
  }
  t.ok(cuts > ROUNDS, `${cuts} cuts`)
})
