import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { HttpLine } from '../bench/http-line.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { HEALTH_MS_MAX } from './health-limit.js'

/** How one kind of request fared. */
export interface Probed {
  readonly worstMs: number
  /** Responses later than the health check may be. */
  readonly lateCount: number
  readonly counts: Readonly<Record<string, number>>
}

export interface InnocentReport {
  readonly health: Probed
  readonly orders: Probed
  readonly deposits: Probed
  /** The longest time that this client waited for a processor, which bounds the error of these figures. */
  readonly ownDelayMs: number
}

const HEALTH_EVERY_MS = 100
const ORDER_EVERY_MS = 1000
const DELAY_RESOLUTION_MS = 10
const PROBE_TIMEOUT_MS = 30_000

/**
 * Runs in its own process, so that no other work counts as the exchange's: requests the health on a
 * new connection each time, and places keyed orders and deposits on kept-alive ones, until its parent
 * says stop. It acts with the operator's key, and through a proxy where the attacker does not.
 */
const [, , url = '', key = ''] = process.argv
const HEADERS = [`Authorization: Bearer ${key}`, 'X-Forwarded-For: 203.0.113.7']
const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
const code = await new ServerClient(url, key).createEvent({ title: 'Will the innocent trade?' })
let isOver = false
let sent = 0

const request = (path: string, body?: object) =>
  HttpLine.request(url, path, body && JSON.stringify(body), HEADERS)
const health = probe(HEALTH_EVERY_MS, false, () => request('/healthz'))
const orders = probe(ORDER_EVERY_MS, true, () =>
  request('/order/initiate', {
    event_id: code,
    l1_expected_price: 1,
    l1_order_quantity: 1,
    offer_type: 'buy',
    order_type: 'LO',
    userid: 'innocent',
    client_order_id: `innocent-${sent++}`,
  }),
)
const deposits = probe(ORDER_EVERY_MS, true, () =>
  request('/portfolio/innocent/deposit', { amount: 1, txn_id: `innocent-${sent++}` }),
)
delay.enable()
process.send?.('ready')
await once(process, 'message')
isOver = true
const report: InnocentReport = {
  health: await health,
  orders: await orders,
  deposits: await deposits,
  ownDelayMs: delay.max / 1e6 - DELAY_RESOLUTION_MS,
}
process.send?.(report)
process.disconnect?.()

/** Sends a request per interval, each after the last response; returns their statistics. */
async function probe(everyMs: number, isKept: boolean, next: () => Buffer): Promise<Probed> {
  const counts: Record<string, number> = {}
  let worstMs = 0
  let lateCount = 0
  let line: HttpLine | undefined
  while (!isOver) {
    const startedAt = performance.now()
    let status = 'no answer'
    try {
      line ??= await HttpLine.open(url)
      const answer = await withinTime(line.ask(next()))
      status = answer.toString('latin1', 9, 12)
    } catch {
      line?.end()
      line = undefined
    }
    const tookMs = performance.now() - startedAt
    if (!isKept) line?.end()
    if (!isKept) line = undefined
    worstMs = Math.max(worstMs, tookMs)
    if (tookMs > HEALTH_MS_MAX) lateCount++
    counts[status] = (counts[status] ?? 0) + 1
    await pause(Math.max(0, everyMs - tookMs))
  }
  line?.end()
  return { worstMs, lateCount, counts }
}

async function withinTime(answer: Promise<Buffer>): Promise<Buffer> {
  const clock = new AbortController()
  const timeUp = pause(PROBE_TIMEOUT_MS, undefined, { signal: clock.signal }).then(() => {
    throw new Error('no answer in time')
  })
  try {
    return await Promise.race([answer, timeUp])
  } finally {
    clock.abort()
    timeUp.catch(() => {})
  }
}
