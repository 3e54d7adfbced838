import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { median, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import type { ServerChild } from './server-child.js'
import { startNoOp, startRaay } from './server-child.js'

const CONNECTIONS = 50
const ROUND_SECONDS = 5
const ROUNDS = 5
const WARM_UP_SECONDS = 3
const BODIES = 5000

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/**
 * Durable orders a second over HTTP with 50 connections, beside a handler of the same stack that only parses and
 * validates the same body. Rounds of both take turns, so that a noisy minute hits both.
 */
export async function benchEndToEnd(): Promise<void> {
  const [raay, noOp] = await Promise.all([startRaay(), startNoOp()])
  try {
    const bodies = orderBodies(BODIES, await createEvent(raay.url, 'End to end'))
    for (const server of [raay, noOp]) await load(server, bodies, WARM_UP_SECONDS)
    const rounds: { raay: Round; noOp: Round }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        noOp: await load(noOp, bodies, ROUND_SECONDS),
        raay: await load(raay, bodies, ROUND_SECONDS),
      })
    }
    print(rounds)
  } finally {
    await Promise.all([raay.stop(), noOp.stop()])
  }
}

async function load(server: ServerChild, bodies: readonly string[], seconds: number): Promise<Round> {
  const result = await autocannon({
    url: `${server.url}/order/initiate`,
    connections: CONNECTIONS,
    duration: seconds,
    requests: bodies.map(body => ({
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body,
    })),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`)
  }
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

function print(rounds: readonly { readonly raay: Round; readonly noOp: Round }[]): void {
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const line = (name: string, side: 'raay' | 'noOp') =>
    `  ${name.padEnd(28)} ${thousands(middle(round => round[side].perSecond))}/s` +
    `   p50 ${middle(round => round[side].p50)} ms   p99 ${middle(round => round[side].p99)} ms`
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
