import { fileURLToPath } from 'node:url'
import type { LoopResult, LoopTarget } from './closed-loop.js'
import { closedLoop } from './closed-loop.js'
import { median, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const CONNECTIONS = [10, 50]
const BATCH_LENGTH = 100
const ROUND_SECONDS = 3
const ROUNDS = 3
const WARM_UP_SECONDS = 2
const BODIES = 5000
const BATCHES: LoopTarget = {
  path: '/order/batch',
  status: 200,
  text: `"message":"${BATCH_LENGTH} of ${BATCH_LENGTH} orders placed"`,
}

interface Side extends LoopResult {
  readonly ordersPerSecond: number
  /** Main-thread microseconds per order: less sensitive to other load on the same cores. */
  readonly cost: number
}

interface Round {
  readonly single: Side
  readonly batch: Side
}

/** Compares durable orders a second by `POST /order/batch` with single orders, in alternating rounds. */
export async function benchBatch(): Promise<void> {
  const raay = await startRaay()
  try {
    const bodies = orderBodies(BODIES, [await createEvent(raay.url, 'Batches')])
    const batches: string[] = []
    for (let next = 0; next < bodies.length; next += BATCH_LENGTH) {
      batches.push(`{"orders":[${bodies.slice(next, next + BATCH_LENGTH).join(',')}]}`)
    }
    const single = (connections: number, seconds = ROUND_SECONDS) =>
      measure(raay, 1, () => closedLoop(raay.url, bodies, connections, seconds))
    const batch = (connections: number, seconds = ROUND_SECONDS) =>
      measure(raay, BATCH_LENGTH, () => closedLoop(raay.url, batches, connections, seconds, BATCHES))
    for (const warmUp of [single, batch]) await warmUp(CONNECTIONS[0] as number, WARM_UP_SECONDS)
    for (const connections of CONNECTIONS) {
      const rounds: Round[] = []
      while (rounds.length < ROUNDS) {
        rounds.push({ single: await single(connections), batch: await batch(connections) })
      }
      print(connections, rounds)
    }
  } finally {
    await raay.stop()
  }
}

async function measure(raay: ServerChild, length: number, load: () => Promise<LoopResult>): Promise<Side> {
  const [before, start] = [raay.mainThreadMs(), performance.now()]
  const result = await load()
  const orders = (result.perSecond * length * (performance.now() - start)) / 1000
  const cost = ((raay.mainThreadMs() - before) * 1000) / orders
  return { ...result, ordersPerSecond: result.perSecond * length, cost }
}

function print(connections: number, rounds: readonly Round[]): void {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const line = (name: string, side: keyof Round) => {
    const figures = [
      `${thousands(middle(round => round[side].ordersPerSecond))} orders/s`,
      `p50 ${middle(round => round[side].p50).toFixed(1)} ms`,
      `p99 ${middle(round => round[side].p99).toFixed(1)} ms`,
      `${middle(round => round[side].cost).toFixed(0)} µs of the main thread an order`,
    ]
    return `  ${name.padEnd(28)} ${figures.join('   ')}`
  }
  const medians = `${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn, medians`
  console.log(`Batches of ${BATCH_LENGTH} beside single orders, ${connections} connections, ${medians}`)
  console.log(line('single orders', 'single'))
  console.log(line('in batches', 'batch'))
  const ratios = rounds.map(({ single, batch }) => batch.ordersPerSecond / single.ordersPerSecond)
  console.log(`  ratio ${median(ratios).toFixed(2)}   (rounds: ${ratios.map(r => r.toFixed(2)).join(' ')})`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchBatch()
