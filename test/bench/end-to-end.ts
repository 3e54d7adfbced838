import type { LoopTarget } from './closed-loop.js'
import { closedLoop } from './closed-loop.js'
import { comparisonTable } from './measuring/comparison.js'
import type { OtherBuild } from './measuring/other-build.js'
import type { Rounds, Side } from './measuring/rounds.js'
import { measureInTurn } from './measuring/rounds.js'
import { hasWrk, wrkLoad } from './measuring/wrk.js'
import { createEvent, orderBodies } from './orders.js'
import type { RaayOptions, ServerChild } from './server-child.js'
import { startNoOp, startRaay } from './server-child.js'

const EVENTS = 8
const USERS = 1000
const BODIES = 5000
const WARM_UP_SECONDS = 2
const COUNTED_SECONDS = 2
/** 50 is the headline; 200 shows the remaining disk wait when more orders share one commit. */
const CONNECTIONS = [50, 200]
const BATCH_CONNECTIONS = 10
const BATCH_LENGTH = 100
const BATCHES: LoopTarget = {
  path: '/order/batch',
  status: 200,
  text: `"message":"${BATCH_LENGTH} of ${BATCH_LENGTH} orders placed"`,
}

const BY_WRK = { load: wrkLoad, rounds: 5, seconds: 3 }
const BY_OUR_CLIENT = { load: closedLoop, rounds: 3, seconds: 2 }

/**
 * Compares durable orders over HTTP with a handler of the same stack that only parses and validates the same
 * body, and with another build. All take turns, so that a noisy minute hits each.
 */
export async function benchEndToEnd(other: OtherBuild | undefined): Promise<void> {
  const sides: Side[] = []
  const isThere = hasWrk()
  if (!isThere) console.log('without wrk, which is not installed: our own client alone\n')
  const fast = isThere ? BY_WRK : BY_OUR_CLIENT
  try {
    sides.push(await orderSide('this build', await startRaay()))
    if (other !== undefined) sides.push(await orderSide(other.commit, await startRaay({ bin: other.bin })))
    const batchSides = sides.map(side => ({ ...side, bodies: batchesOf(side.bodies) }))
    sides.push({ ...(sides[0] as Side), name: 'no-op', server: await startNoOp() })
    for (const { server, bodies } of sides) await fast.load(server.url, bodies, 50, WARM_UP_SECONDS)

    for (const connections of CONNECTIONS) {
      if (isThere) await compare('Orders by wrk', sides, { ...BY_WRK, connections })
      await compare('Orders by our own client', sides, { ...BY_OUR_CLIENT, connections })
    }
    const batches = { target: BATCHES, length: BATCH_LENGTH, connections: BATCH_CONNECTIONS }
    await compare(`Orders in batches of ${BATCH_LENGTH}`, batchSides, { ...fast, ...batches })
  } finally {
    for (const { server } of sides) await server.stop()
  }
  await printStatements('this build', {}, fast)
  if (other !== undefined) await printStatements(other.commit, { bin: other.bin }, fast)
}

/** Opens the events on a server, and generates its orders. */
async function orderSide(name: string, server: ServerChild): Promise<Side> {
  const codes: [string, ...string[]] = [await createEvent(server.url, 'End to end 1')]
  while (codes.length < EVENTS) codes.push(await createEvent(server.url, `End to end ${codes.length + 1}`))
  return { name, server, bodies: orderBodies(BODIES, codes, USERS) }
}

function batchesOf(bodies: readonly string[]): string[] {
  const batches: string[] = []
  for (let next = 0; next < bodies.length; next += BATCH_LENGTH) {
    batches.push(`{"orders":[${bodies.slice(next, next + BATCH_LENGTH).join(',')}]}`)
  }
  return batches
}

async function compare(what: string, sides: readonly Side[], options: Rounds): Promise<void> {
  const { connections, rounds, seconds } = options
  console.log(`${what}, ${connections} connections; ${rounds} rounds of ${seconds} s each in turn, medians`)
  console.log(comparisonTable(await measureInTurn(sides, options)))
  console.log('')
}

/** Counts the SQL statements on a server of its own, because counting slows it down. */
async function printStatements(name: string, options: RaayOptions, { load }: Pick<Rounds, 'load'>) {
  const server = await startRaay({ ...options, countsStatements: true })
  try {
    const { bodies } = await orderSide(name, server)
    const before = server.statements()
    const { answers } = await load(server.url, bodies, 50, COUNTED_SECONDS)
    const each = (server.statements() - before) / answers
    console.log(`SQL statements an order, 50 connections, ${name}: ${each.toFixed(2)}`)
  } finally {
    await server.stop()
  }
}
