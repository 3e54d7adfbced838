import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import { tradeThroughCuts } from '../fixtures/server/client-cuts.js'
import { openCuttingProxy } from '../fixtures/server/cutting-proxy.js'
import { startTestServer } from '../fixtures/server-process.js'

const ORDERS = 1000
const CUTS = 10

t.test('a client whose connection keeps breaking ends with the state of the exchange', async t => {
  const server = await startTestServer(t)
  const code = await server.client.createEvent()
  const proxy = await openCuttingProxy(server.url)
  t.teardown(() => proxy.close())
  const dice = Dice.fromEnvironment(t)
  const report = await tradeThroughCuts({ url: server.url, proxy, code, dice, orders: ORDERS, cuts: CUTS })

  t.same(report.errors, [], 'no order and no watch failed')
  t.ok(report.connections >= CUTS, `cut off ${report.connections} times`)
  t.same(report.seen, report.told)
  t.ok(report.seen.trades.length > ORDERS / 10, `${report.seen.trades.length} trades`)
  t.ok(report.seen.fills.length > 0)
  t.same(report.orderFaults, [])
  t.same([...report.kept].sort(), [...report.placed].sort(), 'each order counts once')
  t.ok(server.exchange.moneyIsAllThere())
})
