import { fileURLToPath } from 'node:url'
import type { LoopResult } from './closed-loop.js'
import { closedLoop } from './closed-loop.js'
import { median, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startNoOp, startRaay } from './server-child.js'

const CONNECTIONS = 50
const ROUND_SECONDS = 5
const ROUNDS = 5
const WARM_UP_SECONDS = 3
const BODIES = 5000

/**
 * Durable orders a second over HTTP with 50 connections, beside a handler of the same stack that only parses and
 * validates the same body. Rounds of both take turns, so that a noisy minute hits both.
 */
export async function benchEndToEnd(): Promise<void> {
  const [raay, noOp] = await Promise.all([startRaay(), startNoOp()])
  try {
    const bodies = orderBodies(BODIES, await createEvent(raay.url, 'End to end'))
    const load = ({ url }: ServerChild, seconds = ROUND_SECONDS) =>
      closedLoop(url, bodies, CONNECTIONS, seconds)
    for (const server of [raay, noOp]) await load(server, WARM_UP_SECONDS)
    const rounds: { raay: LoopResult; noOp: LoopResult }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        noOp: await load(noOp),
        raay: await load(raay),
      })
    }
    print(rounds)
  } finally {
    await Promise.all([raay.stop(), noOp.stop()])
  }
}

function print(rounds: readonly { readonly raay: LoopResult; readonly noOp: LoopResult }[]): void {
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const line = (name: string, side: 'raay' | 'noOp') =>
    `  ${name.padEnd(28)} ${thousands(middle(round => round[side].perSecond))}/s` +
    `   p50 ${middle(round => round[side].p50).toFixed(1)} ms   p99 ${middle(round => round[side].p99).toFixed(1)} ms`
  console.log(
    `End to end, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_SECONDS} s each in turn, medians`,
  )
  console.log(line('durable orders', 'raay'))
  console.log(line('no-op handler, same stack', 'noOp'))
  const ratios = rounds.map(({ raay, noOp }) => raay.perSecond / noOp.perSecond)
  console.log(
    `  ratio ${median(ratios).toFixed(2)}   (rounds: ${ratios.map(ratio => ratio.toFixed(2)).join(' ')})`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchEndToEnd()
