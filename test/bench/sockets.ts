import { fileURLToPath } from 'node:url'
import type { LoadPlan } from '../../src/cli/bench/order-load.js'
import { sendOrders } from '../../src/cli/bench/order-load.js'
import { median, quantile, thousands } from './figures.js'
import { ratioText } from './measuring/comparison.js'
import { createEvent, orderBodies } from './orders.js'
import { NICE, startSubscribers } from './readers.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const CONNECTIONS = 50
const SUBSCRIBERS = 1000
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2
const BODIES = 5000
const ORDERS_MAX = 1_000_000
const ROUNDS_DEFAULT = 9
const NAME_COLUMN = 66

/** How orders are sent, and by how many connections. */
type Way = Pick<LoadPlan, 'connections' | 'socket'>

const HTTP: Way = { connections: CONNECTIONS, socket: undefined }
const TEN_IN_FLIGHT: Way = { connections: CONNECTIONS, socket: { inFlight: 10, perFrame: 1 } }
const TEN_A_FRAME: Way = { connections: CONNECTIONS, socket: { inFlight: 10, perFrame: 10 } }
const ONE_TRADER: Way = { connections: 1, socket: { inFlight: 1, perFrame: 1 } }

interface Measured {
  readonly perSecond: number
  readonly p99: number
  /** Main-thread microseconds an order: less sensitive to other load on the same cores. */
  readonly cost: number
}

/** The sides that one round compares. */
interface Round {
  readonly http: Measured
  readonly inFlight: Measured
  readonly framed: Measured
  readonly alone: Measured
  readonly beside: Measured
}

type Side = keyof Round

/**
 * Compares durable orders a second over WebSockets with those over HTTP, and a trader with a socket of its own
 * beside subscribed sockets with the same trader alone. The sides alternate in each round.
 */
export async function benchSockets(): Promise<void> {
  const count = Number(process.env.RAAY_BENCH_ROUNDS ?? ROUNDS_DEFAULT)
  const [many, one] = [await startRaay(), await startRaay()]
  try {
    const codes = [await createEvent(many.url, 'Sockets'), await createEvent(one.url, 'One trader')] as const
    const measureMany = measureOn(many, codes[0])
    const measureOne = measureOn(one, codes[1])
    for (const way of [HTTP, TEN_IN_FLIGHT, TEN_A_FRAME]) await measureMany(way, WARM_UP_SECONDS)
    await measureOne(ONE_TRADER, WARM_UP_SECONDS)
    const besideSubscribers = async (way: Way) => {
      const subscribers = await startSubscribers(one.url, codes[1], SUBSCRIBERS, NICE)
      const measured = await measureOne(way)
      await subscribers.stop()
      return measured
    }
    const sides: readonly (readonly [Side, () => Promise<Measured>])[] = [
      ['http', () => measureMany(HTTP)],
      ['inFlight', () => measureMany(TEN_IN_FLIGHT)],
      ['framed', () => measureMany(TEN_A_FRAME)],
      ['alone', () => measureOne(ONE_TRADER)],
      ['beside', () => besideSubscribers(ONE_TRADER)],
    ]
    const rounds: Round[] = []
    while (rounds.length < count) rounds.push(await roundOf(sides, rounds.length))
    print(rounds)
  } finally {
    await Promise.all([many.stop(), one.stop()])
  }
}

/** Measures each side once. Odd rounds go backwards, because the books keep growing. */
async function roundOf(
  sides: readonly (readonly [Side, () => Promise<Measured>])[],
  number: number,
): Promise<Round> {
  const measured = new Map<Side, Measured>()
  for (const [side, measure] of number % 2 === 0 ? sides : [...sides].reverse()) {
    measured.set(side, await measure())
  }
  return Object.fromEntries(measured) as unknown as Round
}

function measureOn(raay: ServerChild, code: string): (way: Way, seconds?: number) => Promise<Measured> {
  const bodies = orderBodies(BODIES, [code])
  return async (way, seconds = ROUND_SECONDS) => {
    let next = 0
    const before = raay.mainThreadMs()
    const { latencies, seconds: took } = await sendOrders({
      ...way,
      url: raay.url,
      orders: ORDERS_MAX,
      seconds,
      bodyOf: () => bodies[next++ % bodies.length] as string,
      onAnswer: () => {},
      signal: new AbortController().signal,
    })
    return {
      perSecond: latencies.length / took,
      p99: quantile([...latencies], 0.99),
      cost: ((raay.mainThreadMs() - before) * 1000) / latencies.length,
    }
  }
}

function print(rounds: readonly Round[]): void {
  const all = (side: Side, of: keyof Measured) => rounds.map(round => round[side][of])
  const rate = (side: Side) => `${thousands(median(all(side, 'perSecond')))} orders/s`
  const p99 = (side: Side) => `p99 ${median(all(side, 'p99')).toFixed(2)} ms`
  const cost = (side: Side) => median(all(side, 'cost')).toFixed(0)
  const ratio = (side: Side, to: Side, of: keyof Measured) => ratioText(all(side, of), all(to, of))
  const rows = [
    [
      `by socket, ${CONNECTIONS} sockets × 10 in flight ÷ HTTP at ${CONNECTIONS} connections`,
      `${ratio('inFlight', 'http', 'perSecond')}; bar 2.0, aim 2.5; ${rate('inFlight')} ÷ ${rate('http')}`,
    ],
    [
      'the same, 10 orders a frame',
      `${ratio('framed', 'http', 'perSecond')}; bar 3.0, aim 4.0; ${rate('framed')}`,
    ],
    [
      'main thread an order: 10 in flight; 10 a frame',
      `${cost('inFlight')}; ${cost('framed')} µs; bar 35; 20, aim 26; 14; HTTP ${cost('http')}`,
    ],
    [
      `one trader with a socket beside ${SUBSCRIBERS} subscribed sockets ÷ alone`,
      `rate ${ratio('beside', 'alone', 'perSecond')}; bar 0.7, aim 0.9; ` +
        `p99 ${ratio('beside', 'alone', 'p99')}; bar 2, aim 1.5; ` +
        `${rate('beside')}, ${p99('beside')} ÷ ${rate('alone')}, ${p99('alone')}`,
    ],
  ]
  console.log(`Durable orders, ${rounds.length} rounds of ${ROUND_SECONDS} s a side in turn, medians`)
  for (const [name = '', figures] of rows) console.log(`  ${name.padEnd(NAME_COLUMN)} ${figures}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchSockets()
