import { fileURLToPath } from 'node:url'
import type { Load, LoopResult } from './closed-loop.js'
import { closedLoop } from './closed-loop.js'
import { median, thousands } from './figures.js'
import { hasWrk, wrkLoad } from './measuring/wrk.js'
import { createEvent, orderBodies } from './orders.js'
import { NICE, startFullSpeed, startSubscribers } from './readers.js'
import { startRaay } from './server-child.js'

const ROUNDS = 5
const SECONDS = 3
const EVENTS = 8
const READING_CONNECTIONS = 10
const SOCKETS = 1000
/** The goals: the share of their rate that orders keep, and how far their p99 may rise. */
const RATE_MIN = 0.7
const P99_MAX = 2

/** A load beside the orders. */
interface Beside {
  readonly name: string
  readonly connections: number
  readonly events: number
  readonly start: (url: string, code: string) => Promise<Running>
}

interface Running {
  /** Ends the load; returns what it has done per second. */
  stop(seconds: number): Promise<number>
}

const BESIDE: readonly Beside[] = [
  {
    name: `${READING_CONNECTIONS} connections that read a book at full speed`,
    connections: 50,
    events: EVENTS,
    start: async (url, code) => {
      const readers = await startFullSpeed(url, `/events/${code}/orderbook`, READING_CONNECTIONS)
      return { stop: async () => (await readers.stop()).perSecond }
    },
  },
  {
    name: `${SOCKETS} sockets in the market`,
    connections: 1,
    events: 1,
    start: async (url, code) => {
      const readers = await startSubscribers(url, code, SOCKETS, NICE)
      return { stop: async seconds => (await readers.stop()).messages / seconds }
    },
  },
]

interface Round {
  readonly alone: LoopResult
  readonly beside: LoopResult
  /** Reads or messages per second beside the orders. */
  readonly others: number
}

/** Measures what full-speed readers, and a thousand sockets, leave of the rate and p99 of orders. */
export async function benchFairness(): Promise<void> {
  const load = hasWrk() ? wrkLoad : closedLoop
  console.log(`Orders beside other work: ${ROUNDS} rounds of ${SECONDS} s with and without, in turn, medians`)
  for (const beside of BESIDE) await benchBeside(beside, load)
}

async function benchBeside({ name, connections, events, start }: Beside, load: Load): Promise<void> {
  const raay = await startRaay()
  try {
    const codes: string[] = []
    while (codes.length < events) codes.push(await createEvent(raay.url, `Fairness ${codes.length}`))
    const [code = '', ...more] = codes
    const bodies = orderBodies(5000, [code, ...more])
    const orders = () => load(raay.url, bodies, connections, SECONDS)
    await orders()
    const rounds: Round[] = []
    while (rounds.length < ROUNDS) {
      // Alternates which one goes first, because the books keep growing.
      const before = rounds.length % 2 === 0 ? await orders() : undefined
      const readers = await start(raay.url, code)
      const beside = await orders()
      const others = await readers.stop(SECONDS)
      rounds.push({ alone: before ?? (await orders()), beside, others })
    }
    print(name, connections, rounds)
  } finally {
    await raay.stop()
  }
}

function print(name: string, connections: number, rounds: readonly Round[]): void {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const side = (which: 'alone' | 'beside') => {
    const [rate, p50, p99] = [
      middle(round => round[which].perSecond),
      middle(round => round[which].p50),
      middle(round => round[which].p99),
    ]
    return `${thousands(rate)} orders/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  }
  const rates = rounds.map(({ alone, beside }) => beside.perSecond / alone.perSecond)
  const p99s = rounds.map(({ alone, beside }) => beside.p99 / alone.p99)
  const isMet = median(rates) >= RATE_MIN && median(p99s) <= P99_MAX
  console.log(`  ${connections} connections that place orders, beside ${name}`)
  console.log(`    alone     ${side('alone')}`)
  console.log(
    `    beside    ${side('beside')}; ${thousands(middle(({ others }) => others))} reads or messages/s`,
  )
  console.log(`    rate      ${ratioText(rates)}, the goal is at least ${RATE_MIN}`)
  console.log(`    p99       ${ratioText(p99s)}, the goal is at most ${P99_MAX}`)
  console.log(`    ${isMet ? 'met' : 'MISSED'}`)
}

function ratioText(ratios: readonly number[]): string {
  return `× ${median(ratios).toFixed(2)} (${ratios.map(ratio => ratio.toFixed(2)).join(' ')})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFairness()
