import { fileURLToPath } from 'node:url'
import { sendOrders } from '../../src/cli/bench/order-load.js'
import type { LoadPlan } from '../../src/cli/bench/order-load.js'
import { median, quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const CONNECTIONS = 50
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2
const BODIES = 5000
const ORDERS_MAX = 1_000_000
const ROUNDS_DEFAULT = 3

interface Side {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Main-thread microseconds per order: less sensitive to other load on the same cores. */
  readonly cost: number
}

const WAYS: Readonly<Record<string, LoadPlan['socket']>> = {
  'HTTP, one in flight': undefined,
  'WebSocket, 10 in flight': { inFlight: 10, perFrame: 1 },
  'WebSocket, 10 orders a frame': { inFlight: 10, perFrame: 10 },
}

/** Compares durable orders a second over WebSockets with those over HTTP, in alternating rounds. */
export async function benchSockets(): Promise<void> {
  const rounds = Number(process.env.RAAY_BENCH_ROUNDS ?? ROUNDS_DEFAULT)
  const raay = await startRaay()
  try {
    const bodies = orderBodies(BODIES, [await createEvent(raay.url, 'Sockets')])
    const sides = Object.entries(WAYS).map(([name, socket]) => ({ name, socket, results: [] as Side[] }))
    for (const { socket } of sides) await measure(raay, bodies, socket, WARM_UP_SECONDS)
    for (let round = 0; round < rounds; round++) {
      for (const { socket, results } of sides) results.push(await measure(raay, bodies, socket))
    }
    print(sides, rounds)
  } finally {
    await raay.stop()
  }
}

async function measure(
  raay: ServerChild,
  bodies: readonly string[],
  socket: LoadPlan['socket'],
  seconds = ROUND_SECONDS,
): Promise<Side> {
  let next = 0
  const before = raay.mainThreadMs()
  const { latencies, seconds: took } = await sendOrders({
    url: raay.url,
    connections: CONNECTIONS,
    orders: ORDERS_MAX,
    seconds,
    socket,
    bodyOf: () => bodies[next++ % bodies.length] as string,
    onAnswer: () => {},
    signal: new AbortController().signal,
  })
  const sorted = [...latencies]
  return {
    perSecond: latencies.length / took,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cost: ((raay.mainThreadMs() - before) * 1000) / latencies.length,
  }
}

function print(
  sides: readonly { readonly name: string; readonly results: readonly Side[] }[],
  rounds: number,
): void {
  console.log(
    `Orders over ${CONNECTIONS} connections, ${rounds} rounds of ${ROUND_SECONDS} s in turn, medians`,
  )
  const http = sides[0]?.results ?? []
  for (const { name, results } of sides) {
    const middle = (pick: (side: Side) => number) => median(results.map(pick))
    const ratios = results.map(({ perSecond }, round) => perSecond / (http[round]?.perSecond ?? 1))
    const figures = [
      `${thousands(middle(side => side.perSecond))} orders/s`,
      `÷ HTTP ${median(ratios).toFixed(2)}`,
      `p50 ${middle(side => side.p50).toFixed(1)} ms`,
      `p99 ${middle(side => side.p99).toFixed(1)} ms`,
      `${middle(side => side.cost).toFixed(0)} µs of the main thread an order`,
    ]
    console.log(`  ${name.padEnd(30)} ${figures.join('   ')}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchSockets()
