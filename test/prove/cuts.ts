import { isDeepStrictEqual } from 'node:util'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import type { CutsReport } from '../fixtures/server/client-cuts.js'
import { tradeThroughCuts } from '../fixtures/server/client-cuts.js'
import { openCuttingProxy } from '../fixtures/server/cutting-proxy.js'
import { spawnTestServer } from '../fixtures/server-process.js'

const ORDERS_PER_SECOND = 200
/** Makes a connection last for three seconds. */
const ORDERS_PER_CUT = 600

/**
 * Trades as a client with an exchange in its own process, at 200 orders a second, through a connection
 * cut this many times, every three seconds. Returns true if the client ended with the state of the
 * exchange: the book, each trade and each fill once and in order, the open orders, the money, and each
 * order placed once.
 */
export async function proveCuts(cuts: number, say: (line: string) => void): Promise<boolean> {
  const endings: (() => unknown)[] = []
  try {
    const server = await spawnTestServer({ teardown: end => endings.push(end) })
    const code = await server.client.createEvent()
    const proxy = await openCuttingProxy(server.url)
    endings.push(() => proxy.close())
    const dice = new Dice(seedOfEnvironment())
    const orders = cuts * ORDERS_PER_CUT
    say(`${orders} orders, ${ORDERS_PER_SECOND} a second, ${cuts} cuts, RAAY_SEED=${dice.seed}`)
    const startedAt = performance.now()
    const rate = { orders, cuts, ordersPerSecond: ORDERS_PER_SECOND }
    const report = await tradeThroughCuts({ url: server.url, proxy, code, dice, ...rate })
    const seconds = (performance.now() - startedAt) / 1000
    const broken = brokenIn(report, cuts)
    for (const what of broken) say(`FAILED ${what}`)
    const { trades, fills } = report.seen
    const seen = `${trades.length} trades, ${fills.length} fills, ${report.placed.length} orders`
    const pace = `${seconds.toFixed(0)} s, ${(orders / seconds).toFixed(0)} orders a second`
    say(`cut off ${report.connections} times in ${pace}; ${seen}; ${broken.length} failed`)
    return broken.length === 0
  } finally {
    for (const end of endings.reverse()) await end()
  }
}

function brokenIn(
  { seen, told, placed, kept, orderFaults, connections, errors }: CutsReport,
  cuts: number,
): string[] {
  const parts = Object.keys(told) as (keyof typeof told)[]
  return [
    ...errors,
    ...orderFaults,
    ...parts.filter(part => !isDeepStrictEqual(seen[part], told[part])).map(part => `${part} differ`),
    ...(isDeepStrictEqual([...kept].sort(), [...placed].sort()) ? [] : ['not each order counts once']),
    ...(connections >= cuts ? [] : [`cut off only ${connections} times`]),
  ]
}
