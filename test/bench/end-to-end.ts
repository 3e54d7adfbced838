import { fileURLToPath } from 'node:url'
import type { LoopResult } from './closed-loop.js'
import { closedLoop } from './closed-loop.js'
import { median, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startNoOp, startRaay } from './server-child.js'

/** 50 is the headline; 200 shows the remaining disk wait when more orders share one commit. */
const CONNECTIONS = [50, 200]
const ROUND_SECONDS = 4
const ROUNDS = 5
const WARM_UP_SECONDS = 3
const BODIES = 5000

interface Round {
  readonly raay: LoopResult
  readonly noOp: LoopResult
}

/**
 * Compares durable orders a second over HTTP with a handler of the same stack that only parses and
 * validates the same body. Rounds alternate, so that a noisy minute hits both.
 */
export async function benchEndToEnd(): Promise<void> {
  const [raay, noOp] = await Promise.all([startRaay(), startNoOp()])
  try {
    const bodies = orderBodies(BODIES, await createEvent(raay.url, 'End to end'))
    for (const { url } of [raay, noOp]) await closedLoop(url, bodies, 50, WARM_UP_SECONDS)
    for (const connections of CONNECTIONS) {
      const load = ({ url }: ServerChild) => closedLoop(url, bodies, connections, ROUND_SECONDS)
      const rounds: Round[] = []
      while (rounds.length < ROUNDS) rounds.push({ noOp: await load(noOp), raay: await load(raay) })
      print(connections, rounds)
    }
  } finally {
    await Promise.all([raay.stop(), noOp.stop()])
  }
}

function print(connections: number, rounds: readonly Round[]): void {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const line = (name: string, side: keyof Round) => {
    const figures = [
      `${thousands(middle(round => round[side].perSecond))}/s`,
      `p50 ${middle(round => round[side].p50).toFixed(1)} ms`,
      `p99 ${middle(round => round[side].p99).toFixed(1)} ms`,
    ]
    return `  ${name.padEnd(28)} ${figures.join('   ')}`
  }
  const medians = `${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn, medians`
  console.log(`End to end, ${connections} connections, ${medians}`)
  console.log(line('durable orders', 'raay'))
  console.log(line('no-op handler, same stack', 'noOp'))
  const ratios = rounds.map(({ raay, noOp }) => raay.perSecond / noOp.perSecond)
  console.log(`  ratio ${median(ratios).toFixed(2)}   (rounds: ${ratios.map(r => r.toFixed(2)).join(' ')})`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchEndToEnd()
