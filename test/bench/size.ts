import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { amount } from '../../src/core/units.js'
import type { MarketCode } from '../../src/core/units.js'
import { Exchange } from '../../src/exchange/exchange.js'
import { systemSources } from '../../src/exchange/sources.js'
import { appOn } from '../fixtures/http-scenario.js'
import type { TestExchange } from '../fixtures/test-exchange.js'
import { median, thousands } from './figures.js'
import { Population } from './populate.js'
import { startRaayOn } from './server-child.js'

const EVENTS = 100_000
const USERS = 100_000
const ORDERS = 1_000_000
const REPEATS = 5
const WHALE = 'whale'
const HUB = 'hub'

const LISTS: readonly string[] = [
  ...[
    '/events',
    '/events?sort=trending',
    '/events?sort=volume',
    '/events?sort=closing',
    '/events?sort=newest',
  ],
  ...['/events?status=open', '/events?status=settled', '/events?q=market', '/events?category=none'],
  ...['/events/categories', '/leaderboard', '/portfolio', '/portfolio?q=user', '/admin/actions', '/comments'],
  ...['/admin/health', '/metrics', '/healthz', '/ledger/verify'],
  ...[WHALE, HUB].flatMap(user => [
    ...[`/portfolio/${user}/balance`, `/portfolio/${user}/positions`, `/portfolio/${user}/statement`],
    ...[`/portfolio/${user}/fills`, `/portfolio/${user}/settlements`, `/portfolio/${user}/performance`],
    ...[`/order?userid=${user}`, `/order?userid=${user}&state=resting`, `/order?userid=${user}&state=filled`],
    ...[`/order?userid=${user}&event_id=1000002`, `/profiles/${user}`],
  ]),
]

/**
 * Measures what each list, timer and start costs with 100,000 events, as many users and a million orders, all of
 * them of one user: how long it takes, and the longest turn of the main thread meanwhile.
 */
export async function benchSize(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const file = join(directory, 'raay.db')
  const begun = performance.now()
  try {
    const population = new Population(file)
    await population.begin()
    await population.holders(USERS)
    await population.manyOrders(WHALE, ORDERS, EVENTS)
    await population.close()
    console.log(
      `${thousands(EVENTS)} events that go on, ${thousands(USERS)} users, ${thousands(ORDERS)} orders of one user ` +
        `in all of the events, half of them open; made in ${seconds(performance.now() - begun)} s`,
    )
    await measureStart(directory)
    await measure(file)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Starts it in a process of its own: this one still has what made the file in its memory. */
async function measureStart(data: string): Promise<void> {
  const begun = performance.now()
  const server = await startRaayOn(data, { settings: ['--events-max', String(2 * EVENTS)] })
  const took = performance.now() - begun
  const cpuUs = [...(server.costs()?.cpuUs.values() ?? [])].reduce((sum, us) => sum + us, 0)
  console.log(
    `  a start ${seconds(took)} s, ${seconds(cpuUs / 1000)} s of processor time; ` +
      `resident memory ${thousands(Math.round(server.residentMb()))} MB`,
  )
  await server.stop()
}

async function measure(file: string): Promise<void> {
  const sources = systemSources()
  const options = { shardCount: 2, threads: true, queueLengthMax: 8192, eventsMax: () => 2 * EVENTS }
  const fail = (error: Error) => {
    throw error
  }
  const exchange = await Exchange.open({ file, ...options, startingBalance: amount(0), sources, fail })
  const { app } = appOn({ exchange, now: sources.now() } as unknown as TestExchange)
  await timed('the tick of each second', async () => exchange.advanceClock())
  for (const path of LISTS) {
    await timed(path, async () => {
      const response = await app.request(path)
      const { length } = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      return `${thousands(Math.round(length / 1024))} KB`
    })
  }
  await timed('the snapshot of the channel', async () => {
    const { positions, orders } = exchange.userChannel.snapshot(WHALE)
    return `${positions.length} positions, ${orders.length} orders`
  })
  await timed('the end of an event', async () => {
    const market = exchange.market((1_000_000 + EVENTS) as MarketCode)
    if (market !== undefined) await exchange.moveMarket(market, 'close')
  })
  await timed('a cancel of all orders in one event', async () => {
    const cancelled = await exchange.cancelOrders(WHALE, 1_000_005 as MarketCode)
    return JSON.stringify(cancelled)?.slice(0, 40)
  })
  await timed('a stop', async () => exchange.close(), 1)
}

/** Prints the median time of some runs, and the longest turn of the main thread in any of them but the first. */
async function timed(what: string, run: () => Promise<unknown>, repeats = REPEATS) {
  const times: number[] = []
  const turns: number[] = []
  let said: unknown
  for (let repeat = 0; repeat < repeats; repeat++) {
    let isOver = false
    let last = performance.now()
    let turn = 0
    const look = () => {
      const now = performance.now()
      turn = Math.max(turn, now - last)
      last = now
      if (!isOver) setImmediate(look)
    }
    const begun = last
    const running = run()
    look()
    said = await running
    isOver = true
    look()
    times.push(performance.now() - begun)
    turns.push(turn)
  }
  const first = `first ${(times[0] ?? 0).toFixed(1)}, its longest turn ${(turns[0] ?? 0).toFixed(1)}`
  const later = `then ${median(times).toFixed(1)}, longest turn ${median(turns).toFixed(1)}`
  console.log(`  ${what.padEnd(44)} ${first}; ${later} ms  ${typeof said === 'string' ? said : ''}`)
}

const seconds = (ms: number) => (ms / 1000).toFixed(0)
