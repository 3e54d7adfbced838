import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readOperatorKey } from '../../src/access/operator-key.js'
import type { EventGroup } from '../../src/api/groups/group-shape.js'
import { quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const OUTCOMES = 40
const HOLDERS = 2500
/** In the book of each outcome. */
const RESTING = 250
const ORDERS_PER_SECOND = 500
const SECONDS = 6
const CALLS_AT_ONCE = 20
const CASH = 1_000_000

/**
 * Measures how a group with 100,000 positions and 10,000 open orders is closed and paid while another event
 * trades: the latency of that event's orders, and whether everybody has the payout.
 */
export async function benchGroupSettlement(): Promise<void> {
  const server = await startRaay({ settings: ['--starting-balance', String(CASH)] })
  try {
    const call = caller(server)
    const quiet = await createEvent(server.url, 'Quiet')
    const code = await createGroup(call)
    await fill(call, code)
    const [positions, orders] = [thousands(OUTCOMES * HOLDERS), thousands(OUTCOMES * RESTING)]
    console.log(`A group of ${OUTCOMES} outcomes with ${positions} positions and ${orders} open orders`)
    const bodies = orderBodies(5000, [quiet])
    const load = () => pacedLoad(server.url, bodies, ORDERS_PER_SECOND, SECONDS)
    await load()
    tell('before', 0, await load())
    const closing = load()
    const closed = await timed(async () => {
      await call('POST', `/groups/${code}/close`)
      while ((await call<EventGroup>('GET', `/groups/${code}`)).outcomes.some(one => one.best_bid !== null)) {
        await sleep(20)
      }
    })
    tell('closing', closed, await closing)
    const paying = load()
    const paid = await timed(async () => {
      await call('POST', `/groups/${code}/resolve`, { winner: String(Number(code) + 1) })
      while ((await call<EventGroup>('GET', `/groups/${code}`)).status !== 'settled') await sleep(20)
    })
    tell('paying', paid, await paying)
    for (const holder of [0, HOLDERS - 1]) {
      const { cash, held } = await call<{ cash: number; held: number }>(
        'GET',
        `/portfolio/${nameOf(holder)}/balance`,
      )
      if (cash !== CASH || held !== 0) throw new Error(`a holder has ${cash} and ${held} held`)
    }
  } finally {
    await server.stop()
  }
}

type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>

function caller(server: ServerChild): Call {
  const headers = { Authorization: `Bearer ${readOperatorKey(server.data ?? '')}` }
  return async (method, path, body) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${server.url}${path}`, init)
    const { additional, message } = (await answer.json()) as { additional: never; message: string }
    if (!answer.ok) throw new Error(`${path}: ${message}`)
    return additional
  }
}

function createGroup(call: Call): Promise<string> {
  return call('POST', '/groups/create', {
    ...{ title: 'Cup', description: 'For measuring', kind: 'exclusive', sot: 'bench' },
    outcomes: Array.from({ length: OUTCOMES }, (_, index) => ({ title: `Team ${index}` })),
    ...{ start_date: '2020-01-01T00:00:00Z', end_date: '2120-01-01T00:00:00Z' },
    ...{ min_bet: 0, max_bet: 1_000_000, quantity: 1_000_000 },
  })
}

/** Gives each holder a contract of each outcome, and each outcome a book. */
async function fill(call: Call, code: string): Promise<void> {
  const events = Array.from({ length: OUTCOMES }, (_, index) => String(Number(code) + 1 + index))
  const order = (event_id: string, userid: string) =>
    call('POST', '/order/initiate', {
      ...{ event_id, userid, l1_expected_price: 0.1, l1_order_quantity: 0.1 },
      ...{ offer_type: 'buy', order_type: 'LO' },
    })
  // A user's account is opened by their first order.
  await inTurns(HOLDERS, async index => {
    const userid = nameOf(index)
    await order(events[index % OUTCOMES] as string, userid)
    await call('POST', `/groups/${code}/convert`, { userid, outcomes: [], quantity: 1, direction: 'build' })
  })
  const left = OUTCOMES * RESTING - HOLDERS
  await inTurns(left, index => order(events[index % OUTCOMES] as string, nameOf(index % HOLDERS)))
}

async function inTurns(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane))
}

const nameOf = (holder: number) => `holder-${holder}`

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

function tell(name: string, seconds: number, latencies: readonly number[]): void {
  const [p50, p99, worst] = [0.5, 0.99, 1].map(share => quantile(latencies, share).toFixed(1))
  const took = seconds === 0 ? '' : `   took ${seconds.toFixed(1)} s`
  console.log(`  other event ${name.padEnd(7)} p50 ${p50} ms   p99 ${p99} ms   worst ${worst} ms${took}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchGroupSettlement()
