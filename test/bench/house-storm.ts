import { fileURLToPath } from 'node:url'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { closedLoop } from './closed-loop.js'
import { median, quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import { startRaay } from './server-child.js'

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 20
/** Orders a second that fill at once in the stormy market. */
const STORMS = [200, 1000]
/** The goal: the share of their rate that other markets keep. */
const RATE_MIN = 0.9

/** Measures what a storm of fills on house quotes leaves to another market, beside one on a hand-made book. */
export async function benchHouseStorm(): Promise<void> {
  console.log(
    `Another market beside fills on house quotes and on a hand-made book: medians of ${ROUNDS} rounds`,
  )
  for (const storm of STORMS) await benchStorm(storm)
}

async function benchStorm(perSecond: number): Promise<void> {
  const raay = await startRaay({ settings: ['--shards', '1'] })
  try {
    const { url } = raay
    const key = readOperatorKey(raay.data ?? '')
    const [other, quoted, handMade] = [
      await createEvent(url, 'Other'),
      await createEvent(url, 'Quoted'),
      await createEvent(url, 'Hand-made'),
    ]
    await fetch(`${url}/events/${quoted}/liquidity`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ budget: 100_000, start_price: 5 }),
    })
    for (const [price, side] of [
      [4.9, 'buy'],
      [5.1, 'sell'],
    ] as const) {
      for (let maker = 0; maker < 10; maker++) {
        await pacedLoad(url, [order(handMade, side, price, 15_000, `maker-${maker}`)], 1, 1)
      }
    }
    const bodies = orderBodies(5000, [other])
    const measure = async (code: string) => {
      const takers = [order(code, 'buy', 9, 5, 'taker'), order(code, 'sell', 1, 5, 'taker')]
      const [load, latencies] = await Promise.all([
        closedLoop(url, bodies, CONNECTIONS, SECONDS),
        pacedLoad(url, takers, perSecond, SECONDS),
      ])
      return { rate: load.perSecond, p99: load.p99, storm: quantile(latencies, 0.5) }
    }
    await measure(handMade)
    const rounds: { readonly house: Measured; readonly byHand: Measured }[] = []
    while (rounds.length < ROUNDS) {
      const isFirst = rounds.length % 2 === 0
      const before = isFirst ? await measure(quoted) : undefined
      const byHand = await measure(handMade)
      rounds.push({ house: before ?? (await measure(quoted)), byHand })
    }
    const ratios = rounds.map(({ house, byHand }) => house.rate / byHand.rate)
    const text = (of: 'house' | 'byHand') =>
      `${thousands(median(rounds.map(round => round[of].rate)))} orders/s, p99 ` +
      `${median(rounds.map(round => round[of].p99)).toFixed(1)} ms; a fill ` +
      `${median(rounds.map(round => round[of].storm)).toFixed(1)} ms`
    const all = ratios.map(ratio => ratio.toFixed(2)).join(' ')
    console.log(`  ${perSecond} fills/s`)
    console.log(`    hand-made  ${text('byHand')}`)
    console.log(`    house      ${text('house')}`)
    console.log(`    rate       × ${median(ratios).toFixed(2)} (${all}), the goal is at least ${RATE_MIN}`)
    console.log(`    ${median(ratios) >= RATE_MIN ? 'met' : 'MISSED'}`)
  } finally {
    await raay.stop()
  }
}

interface Measured {
  readonly rate: number
  readonly p99: number
  /** The median latency of the storm’s orders, in milliseconds. */
  readonly storm: number
}

function order(event_id: string, side: 'buy' | 'sell', price: number, quantity: number, userid: string) {
  return JSON.stringify({
    ...{ event_id, l1_expected_price: price, l1_order_quantity: quantity },
    ...{ offer_type: side, order_type: 'LO', userid },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchHouseStorm()
