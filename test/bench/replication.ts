import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { closedLoop } from './closed-loop.js'
import { median, quantile, thousands } from './figures.js'
import { ratioText } from './measuring/comparison.js'
import type { Measured, Side } from './measuring/rounds.js'
import { measureInTurn } from './measuring/rounds.js'
import { hasWrk, wrkLoad } from './measuring/wrk.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const EVENTS = 8
const USERS = 1000
const BODIES = 5000
const CONNECTIONS = 200
const WARM_UP_SECONDS = 2
const LAG_SECONDS = 8
const LAG_EVERY_MS = 50

const BY_WRK = { load: wrkLoad, rounds: 5, seconds: 3 }
const BY_OUR_CLIENT = { load: closedLoop, rounds: 3, seconds: 2 }

interface Replicated extends Side {
  /** The value of `--replicate-to`, and of `--from` for its standby. */
  readonly place: string
  readonly settings: readonly string[]
}

/** Compares exchanges that replicate with one that does not, in turn, and measures how far standbys are behind. */
export async function benchReplication(): Promise<void> {
  const ends: (() => unknown)[] = []
  const whenDone = { teardown: (end: () => unknown) => void ends.push(end) }
  try {
    const alone = await orderSide('alone', [], whenDone.teardown)
    const sides: Replicated[] = [await inDirectory(whenDone.teardown)]
    if (NO_NATS === false) {
      const { url } = await startNats(whenDone, 3)
      for (const mode of ['async', 'sync']) {
        const place = `${url}/bench-${mode}`
        const settings = ['--replication', mode, '--allow-unsynced-log']
        sides.push(await replicated(`nats ${mode}`, place, settings, whenDone.teardown))
      }
    } else console.log(`without JetStream: ${NO_NATS}\n`)
    const peaks = await compare([alone, ...sides])
    console.log('\nA standby behind a leader at half its peak, from an answer to its batch on the standby')
    for (const side of sides) await measureLag(side, (peaks.get(side.name) ?? 0) / 2)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function inDirectory(done: (end: () => unknown) => void): Promise<Replicated> {
  const place = mkdtempSync(join(tmpdir(), 'raay-replica-'))
  done(() => rmSync(place, { recursive: true, force: true }))
  return replicated('directory', place, [], done)
}

async function replicated(
  name: string,
  place: string,
  settings: readonly string[],
  done: (end: () => unknown) => void,
): Promise<Replicated> {
  return { ...(await orderSide(name, ['--replicate-to', place, ...settings], done)), place, settings }
}

async function orderSide(
  name: string,
  settings: readonly string[],
  done: (end: () => unknown) => void,
): Promise<Side> {
  const server = await startRaay({ settings: ['--rate-limits', 'off', ...settings] })
  done(() => server.stop())
  const codes: [string, ...string[]] = [await createEvent(server.url, 'Replication 1')]
  while (codes.length < EVENTS) codes.push(await createEvent(server.url, `Replication ${codes.length + 1}`))
  return { name, server, bodies: orderBodies(BODIES, codes, USERS) }
}

/** Prints what each costs beside the first; returns the orders a second of each. */
async function compare(sides: readonly [Side, ...Side[]]): Promise<ReadonlyMap<string, number>> {
  const way = hasWrk() ? BY_WRK : BY_OUR_CLIENT
  for (const { server, bodies } of sides) await way.load(server.url, bodies, CONNECTIONS, WARM_UP_SECONDS)
  const measured = await measureInTurn(sides, { ...way, connections: CONNECTIONS })
  console.log(
    `Orders, ${CONNECTIONS} connections; ${way.rounds} rounds of ${way.seconds} s each in turn, medians`,
  )
  const base = measured.get(sides[0].name) ?? []
  const peaks = new Map<string, number>()
  for (const [name, rounds] of measured) {
    const rates = rounds.map(({ perSecond }) => perSecond)
    peaks.set(name, median(rates))
    const cost = rounds.map(cpuUsOf)
    const shown = [`${thousands(median(rates))} orders/s`, `CPU ${median(cost).toFixed(1)} µs an order`]
    const p99 = `p99 ${median(rounds.map(round => round.p99)).toFixed(1)} ms`
    console.log(`  ${[name.padEnd(12), ...shown, p99].join('   ')}`)
    console.log(`  ${''.padEnd(12)}${byThread(rounds)}`)
    if (rounds === base) continue
    const [rate, cpu] = [
      ratioText(
        rates,
        base.map(({ perSecond }) => perSecond),
      ),
      ratioText(cost, base.map(cpuUsOf)),
    ]
    console.log(`  ${''.padEnd(12)}÷ ${sides[0].name}: orders/s ${rate}, CPU an order ${cpu}`)
  }
  return peaks
}

function cpuUsOf({ costs, orders }: Measured): number {
  const spent = [...(costs?.cpuUs.values() ?? [])].reduce((sum, us) => sum + us, 0)
  return costs === undefined ? Number.NaN : spent / orders
}

/** Returns the processor time an order of each thread that took any. */
function byThread(rounds: readonly Measured[]): string {
  const spent = new Map<string, number>()
  const orders = rounds.reduce((sum, round) => sum + round.orders, 0)
  for (const { costs } of rounds) {
    for (const [thread, us] of costs?.cpuUs ?? []) spent.set(thread, (spent.get(thread) ?? 0) + us / orders)
  }
  const shown = [...spent].filter(([, us]) => us >= 0.1)
  return shown.map(([thread, us]) => `${thread} ${us.toFixed(1)}`).join(', ')
}

async function measureLag(
  { name, server, bodies, place, settings }: Replicated,
  rate: number,
): Promise<void> {
  const standby = await startRaay({ verb: 'standby', settings: ['--from', place, ...settings] })
  try {
    await lagOf(server, standby, bodies[0] as string)
    const lags: number[] = []
    const until = performance.now() + LAG_SECONDS * 1000
    const load = pacedLoad(server.url, bodies, rate, LAG_SECONDS)
    while (performance.now() < until) {
      lags.push(await lagOf(server, standby, bodies[0] as string))
      await sleep(LAG_EVERY_MS)
    }
    await load
    lags.sort((one, other) => one - other)
    const [p50, p99] = [0.5, 0.99].map(share => `${quantile(lags, share).toFixed(0)} ms`)
    console.log(
      `  ${name.padEnd(12)} p50 ${p50}   p99 ${p99}   of ${lags.length}, at ${thousands(rate)} orders/s`,
    )
  } finally {
    await standby.stop()
  }
}

/** Places an order, and returns how long after its answer a read on the standby sees it. */
async function lagOf(leader: ServerChild, standby: ServerChild, body: string): Promise<number> {
  const placed = await fetch(`${leader.url}/order/initiate`, { method: 'POST', body })
  const answeredAt = performance.now()
  await placed.arrayBuffer()
  const wanted = { 'x-min-sequence': placed.headers.get('x-sequence') ?? '' }
  for (;;) {
    const read = await fetch(`${standby.url}/events?limit=1`, { headers: wanted })
    await read.arrayBuffer()
    if (read.status === 200) return performance.now() - answeredAt
    if (read.status !== 503) throw new Error(`a read was answered ${read.status}`)
  }
}
