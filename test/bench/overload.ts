import { closedLoop } from './closed-loop.js'
import { quantile, thousands } from './figures.js'
import { hasWrk, wrkOverload } from './measuring/wrk.js'
import type { OpenResult } from './open-loop.js'
import { OpenLoop } from './open-loop.js'
import { createEvent, orderBodies } from './orders.js'
import { startRaay } from './server-child.js'

const EVENTS = 8
const USERS = 1000
const BODIES = 5000
/** As many connections as requests arrive in this time at the capacity; more would idle until they end. */
const CONNECTIONS_SECONDS = 1
const WARM_UP_SECONDS = 2
const CAPACITY_SECONDS = 4
const CAPACITY_CONNECTIONS = 100
const LOAD_SECONDS = 5
/** The first and the last are no overload. */
const WRK_CONNECTIONS = [100, 6000, 12_000, 100]
const MANY_CONNECTIONS = ['--connections-max', '16000', '--connections-per-address-max', '16000']
/** Offered loads, as multiples of the capacity. */
const LOADS = [0.5, 1, 1.5, 2, 3, 1]

/**
 * Offers more orders than the exchange can take, without waiting for answers: what it still does, how long
 * that takes, and how soon it refuses the rest. Generator and server share the machine.
 */
export async function benchOverload(): Promise<void> {
  const server = await startRaay({ settings: MANY_CONNECTIONS })
  try {
    const codes: [string, ...string[]] = [await createEvent(server.url, 'Overload 1')]
    while (codes.length < EVENTS) codes.push(await createEvent(server.url, `Overload ${codes.length + 1}`))
    const bodies = orderBodies(BODIES, codes, USERS)
    await closedLoop(server.url, bodies, CAPACITY_CONNECTIONS, WARM_UP_SECONDS)
    await benchByWrk(server.url, bodies)
    const { perSecond } = await closedLoop(server.url, bodies, CAPACITY_CONNECTIONS, CAPACITY_SECONDS)
    console.log(
      `Overload, our own client: ${thousands(perSecond)} orders/s over ${CAPACITY_CONNECTIONS} connections`,
    )
    console.log('   offered/s   done/s  done p50 p99 ms  refused/s  p50 p99 max ms  without connection/s')
    const connections = Math.ceil(perSecond * CONNECTIONS_SECONDS)
    const loop = await OpenLoop.open(server.url, '/order/initiate', bodies, connections)
    for (const load of LOADS) console.log(rowOf(await loop.load(load * perSecond, LOAD_SECONDS)))
    loop.end()
  } finally {
    await server.stop()
  }
}

/** wrk never lets a connection rest: with thousands of them, as many orders wait at any moment. */
async function benchByWrk(url: string, bodies: readonly string[]): Promise<void> {
  if (!hasWrk()) return
  console.log('Overload, wrk: connections   done/s  refused/s   p50 p99 ms of all answers')
  for (const connections of WRK_CONNECTIONS) {
    const { done, refused, p50, p99, late } = await wrkOverload(url, bodies, connections, LOAD_SECONDS)
    const row = [
      String(connections).padStart(27),
      thousands(done).padStart(9),
      thousands(refused).padStart(11),
    ]
    console.log(`${row.join('')}   ${p50.toFixed(0)} ${p99.toFixed(0)}${late > 0 ? `, ${late} late` : ''}`)
  }
}

function rowOf({ offered, done, refused, unsent }: OpenResult): string {
  const rate = (count: number) => thousands(count / LOAD_SECONDS)
  const ms = (sorted: readonly number[], share: number) => quantile(sorted, share).toFixed(0)
  return [
    rate(offered).padStart(11),
    rate(done.length).padStart(9),
    `${ms(done, 0.5)} ${ms(done, 0.99)}`.padStart(17),
    rate(refused.length).padStart(11),
    `${ms(refused, 0.5)} ${ms(refused, 0.99)} ${ms(refused, 1)}`.padStart(16),
    rate(unsent).padStart(22),
  ].join('')
}
