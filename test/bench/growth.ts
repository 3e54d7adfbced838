import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedLoop } from './closed-loop.js'
import { median } from './figures.js'
import type { Costs } from './measuring/costs.js'
import { costsBetween } from './measuring/costs.js'
import { orderBodies } from './orders.js'
import { CROWDED, Population } from './populate.js'
import type { ServerChild } from './server-child.js'
import { startRaayOn } from './server-child.js'

const CONNECTIONS = 50
/** Until what an order runs through is compiled, however slow the machine is. */
const WARM_UP_ORDERS = 10_000
const ROUND_SECONDS = 3
const ROUNDS_DEFAULT = 3
const BODIES = 20_000
const TRADERS = 1000
/** Below what rests in a deep book, in rupees. */
const MIDDLE = 2
const BAR_LENGTH = 20
const BLOCK = '█'
/** An event takes more memory than a user or an order, and no exchange has a million that go on. */
const EVENTS_MAX = 100_000
const SIZES = [1e3, 1e4, 1e5, 1e6]

/** The users and events of the orders that are sent. */
interface Load {
  readonly users: readonly [string, ...string[]]
  readonly events: readonly number[]
}

/** Something that grows in an exchange. */
interface Axis {
  readonly what: string
  readonly max: number
  /** Makes what is there before the load. */
  readonly fill?: (population: Population, size: number) => Promise<void>
  /** Makes what the load needs. */
  readonly load?: (population: Population, size: number) => Promise<Partial<Load>>
}

const AXES: Readonly<Record<string, Axis>> = {
  users: {
    what: 'users over whom orders are spread',
    max: 1e6,
    load: async (population, size) => ({ users: await population.users(size) }),
  },
  events: {
    what: 'events over which orders are spread',
    max: EVENTS_MAX,
    load: async (population, size) => ({ events: await population.markets(size) }),
  },
  resting: {
    what: 'resting orders in the event',
    max: 1e6,
    fill: (population, size) => population.deep(size),
  },
  history: {
    what: 'orders of the event that have been filled',
    max: 1e6,
    fill: (population, size) => population.ended(size),
  },
}

interface Side {
  readonly size: number
  readonly data: string
  readonly server: ServerChild
  readonly bodies: readonly string[]
  /** Memory after the start, in MB. */
  readonly residentMb: number
  readonly costs: number[]
}

/**
 * Measures the processor time of an order, all threads of the server together, as users, events, resting
 * orders and history grow: it should not. Prints the chart of the guide.
 */
export async function benchGrowth(): Promise<void> {
  const rounds = Number(process.env.RAAY_BENCH_ROUNDS ?? ROUNDS_DEFAULT)
  const chosen = process.env.RAAY_BENCH_GROWTH?.split(',') ?? Object.keys(AXES)
  console.log(`Processor time of an order at ${CONNECTIONS} connections, ${rounds} rounds in turn, medians\n`)
  for (const name of chosen) {
    const axis = AXES[name]
    if (axis === undefined) throw new Error(`there is no ${name}: choose among ${Object.keys(AXES).join()}`)
    const sides: Side[] = []
    try {
      for (const size of SIZES) if (size <= axis.max) sides.push(await startWith(axis, size))
      for (let round = 0; round < rounds; round++) {
        for (const side of round % 2 === 0 ? sides : [...sides].reverse()) await measure(side)
      }
      console.log(chart(axis.what, sides))
    } finally {
      for (const { server, data } of sides) {
        await server.stop()
        rmSync(data, { recursive: true })
      }
    }
  }
}

async function startWith({ fill, load }: Axis, size: number): Promise<Side> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const population = new Population(join(data, 'raay.db'))
  await population.begin()
  await fill?.(population, size)
  const { users = await population.users(TRADERS), events = [CROWDED] } =
    (await load?.(population, size)) ?? {}
  await population.close()
  const server = await startRaayOn(data, { settings: ['--events-max', String(2 * EVENTS_MAX)] })
  const codes = events.map(String) as [string, ...string[]]
  const bodies = orderBodies(BODIES, codes, users, MIDDLE)
  const residentMb = server.residentMb()
  for (let sent = 0; sent < WARM_UP_ORDERS; ) {
    sent += (await closedLoop(server.url, bodies, CONNECTIONS, 1)).answers
  }
  return { size, data, server, bodies, residentMb, costs: [] }
}

async function measure({ server, bodies, costs }: Side): Promise<void> {
  const before = server.costs()
  const { answers } = await closedLoop(server.url, bodies, CONNECTIONS, ROUND_SECONDS)
  const after = server.costs()
  if (before !== undefined && after !== undefined) costs.push(sumOf(costsBetween(before, after)) / answers)
}

function sumOf({ cpuUs }: Costs): number {
  let sum = 0
  for (const us of cpuUs.values()) sum += us
  return sum
}

/** Draws a bar for each size; the longest of an axis has the full length. */
function chart(what: string, sides: readonly Side[]): string {
  const costs = sides.map(side => median(side.costs))
  const most = Math.max(...costs)
  const [first = Number.NaN] = costs
  const lines = sides.map(({ size, residentMb }, index) => {
    const cost = costs[index] ?? Number.NaN
    const bar = BLOCK.repeat(Math.max(1, Math.round((cost / most) * BAR_LENGTH)))
    const figures = `${cost.toFixed(0).padStart(4)} µs   × ${(cost / first).toFixed(2)}`
    const count = size.toLocaleString('en').padStart(9)
    return `${count}  ${bar.padEnd(BAR_LENGTH)} ${figures}   ${residentMb.toFixed(0).padStart(5)} MB after the start`
  })
  return `${what}\n${lines.join('\n')}\n`
}
