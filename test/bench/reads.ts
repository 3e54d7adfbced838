import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { copyBuild } from '../fixtures/power/build-copy.js'
import { closedLoop } from './closed-loop.js'
import { median, quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import type { ServerChild } from './server-child.js'
import { startRaay } from './server-child.js'

const ORDERS_PER_SECOND = 500
const RATES = [500, 1000, 2000, 4000]
const ROUND_SECONDS = 2
const ROUNDS = 3
const WARM_UP_SECONDS = 2
/** The share of the orders' p99 that readers may cost: the goal. */
const RATIO_MAX = 1.1
const LEVELS = 400
const CONNECTIONS = 20
const WHOLE = { name: 'whole book', query: '' }
const BOOKS: readonly Book[] = [WHOLE, { name: 'depth=10', query: '?depth=10' }]
/** The baseline: a build that serializes each book on every read. */
const NEW_EACH_TIME = {
  file: 'http/book-texts.js',
  text: 'known?.version === seq',
  by: 'known?.version === -1',
}

interface Book {
  readonly name: string
  readonly query: string
}

interface Counts {
  readonly perSecond: number
  readonly bytesPerSecond: number
  readonly p50: number
  readonly p99: number
}

interface Round {
  readonly alone: number
  readonly read: number
  readonly counts: Counts
}

/**
 * Measures how many clients can read the book of a trading event, and what that costs its orders:
 * their p99 at a steady rate with and without readers, in turn. The readers are another process on the
 * same cores.
 */
export async function benchReads(): Promise<void> {
  const ends: (() => unknown)[] = []
  try {
    const without = copyBuild({ teardown: end => void ends.unshift(end) }, [NEW_EACH_TIME])
    console.log(
      `Book reads while the same event takes ${ORDERS_PER_SECOND} orders/s: ${ROUNDS} rounds of ` +
        `${ROUND_SECONDS} s each with and without, in turn, medians`,
    )
    for (const book of BOOKS) await benchSide(book, undefined)
    await benchSide({ ...WHOLE, name: 'whole book, rewritten for each read' }, without)
  } finally {
    for (const end of ends) await end()
  }
}

async function benchSide({ name, query }: Book, bin: string | undefined): Promise<void> {
  const raay = await startRaay({ bin })
  try {
    const code = await createEvent(raay.url, 'Reads')
    await fillBook(raay, code)
    const path = `/events/${code}/orderbook${query}`
    const bodies = orderBodies(5000, [code])
    const orderP99 = async (seconds = ROUND_SECONDS) =>
      quantile(await pacedLoad(raay.url, bodies, ORDERS_PER_SECOND, seconds), 0.99)
    console.log(`  ${name}`)
    await readAlone(raay, path)
    await orderP99(WARM_UP_SECONDS)
    let fitting = 0
    for (const rate of RATES) {
      const rounds: Round[] = []
      while (rounds.length < ROUNDS) {
        // Alternates which one goes first, because the book keeps growing.
        const before = rounds.length % 2 === 0 ? await orderP99() : undefined
        const readers = await startReaders(raay.url, path, rate)
        const read = await orderP99()
        const counts = await readers.stop()
        rounds.push({ alone: before ?? (await orderP99()), read, counts })
      }
      if (print(rounds)) fitting = Math.max(fitting, rate)
    }
    console.log(`    within the goal of ${RATIO_MAX}: ${fitting === 0 ? 'none' : `${fitting} reads/s`}`)
  } finally {
    await raay.stop()
  }
}

/** Measures a read on an idle server: less sensitive to other load on the same cores. */
async function readAlone({ url, mainThreadMs }: ServerChild, path: string): Promise<void> {
  const target = { path, status: 200 }
  await closedLoop(url, [undefined], CONNECTIONS, WARM_UP_SECONDS, target)
  const before = mainThreadMs()
  const { perSecond } = await closedLoop(url, [undefined], CONNECTIONS, ROUND_SECONDS, target)
  const cost = ((mainThreadMs() - before) * 1000) / (perSecond * ROUND_SECONDS)
  const figures = `${thousands(perSecond)} reads/s, ${cost.toFixed(0)} µs of the main thread each`
  console.log(`    without orders, ${CONNECTIONS} connections: ${figures}`)
}

/** Builds a book with four hundred levels a side, a batch at a time. */
async function fillBook({ url }: ServerChild, code: string): Promise<void> {
  for (let level = 0; level < LEVELS; level += 50) {
    const orders = Array.from({ length: 100 }, (_, index) => ({
      event_id: code,
      l1_expected_price: (index < 50 ? 50 + level + index : 501 + level + index) / 100,
      l1_order_quantity: 10,
      offer_type: index < 50 ? 'buy' : 'sell',
      order_type: 'LO',
      userid: `level-${level}`,
    }))
    const answer = await fetch(`${url}/order/batch`, { method: 'POST', body: JSON.stringify({ orders }) })
    if (!(await answer.text()).includes('100 of 100 orders placed')) throw new Error('the book is not filled')
  }
}

async function startReaders(url: string, path: string, rate: number): Promise<{ stop(): Promise<Counts> }> {
  const entry = fileURLToPath(new URL('./book-readers.js', import.meta.url))
  const child = spawn(process.execPath, [entry, url, path, String(rate)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    stop: async () => {
      const counted = once(lines, 'line') as Promise<[string]>
      child.kill('SIGTERM')
      const [line] = await counted
      await once(child, 'exit')
      return JSON.parse(line) as Counts
    },
  }
}

/** Prints a line; returns true if the readers' cost to the orders is within the goal. */
function print(rounds: readonly Round[]): boolean {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const ratios = rounds.map(({ alone, read }) => read / alone)
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const figures = [
    `${thousands(middle(({ counts }) => counts.perSecond))} reads/s`.padEnd(14),
    `${thousands(middle(({ counts }) => counts.bytesPerSecond))}B/s`.padEnd(10),
    `p50 ${ms(middle(({ counts }) => counts.p50))}, p99 ${ms(middle(({ counts }) => counts.p99))}`.padEnd(26),
    `order p99 ${ms(middle(({ read }) => read))} with, ${ms(middle(({ alone }) => alone))} without`,
    `ratio ${median(ratios).toFixed(2)} (${ratios.map(ratio => ratio.toFixed(2)).join(' ')})`,
  ]
  console.log(`    ${figures.join('  ')}`)
  return median(ratios) <= RATIO_MAX
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchReads()
