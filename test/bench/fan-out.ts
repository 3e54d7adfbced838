import { fileURLToPath } from 'node:url'
import { median, quantile, thousands } from './figures.js'
import { ratioText } from './measuring/comparison.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import { startSubscribers } from './readers.js'
import type { ServerChild } from './server-child.js'
import { startRaay, startRawSockets } from './server-child.js'

const SOCKETS = 1000
const SECONDS = 10
const ORDERS_PER_SECOND = 200
/** A rate at which neither server merges what it sends. */
const CALM_PER_SECOND = 25
const CALM_SECONDS = 4
const ROUNDS = 5

/** Measures one market's updates to 1,000 sockets while orders arrive at a steady rate. */
export async function benchFanOut(): Promise<void> {
  const raay = await startRaay()
  try {
    const code = await createEvent(raay.url, 'Fan-out')
    const bodies = orderBodies(2000, [code])
    const alone = await pacedLoad(raay.url, bodies, ORDERS_PER_SECOND, SECONDS)
    const readers = await startSubscribers(raay.url, code, SOCKETS)
    const watched = await pacedLoad(raay.url, bodies, ORDERS_PER_SECOND, SECONDS)
    const { messages, bytes, delayP50, delayP99 } = await readers.stop()
    console.log(`Fan-out, one market at ${ORDERS_PER_SECOND} orders/s to ${SOCKETS} sockets for ${SECONDS} s`)
    console.log(
      `  delivered        ${thousands(messages / SECONDS)} messages/s, ${thousands(bytes / SECONDS)}B/s`,
    )
    console.log(`  from commit to reader   p50 ${delayP50} ms   p99 ${delayP99} ms`)
    const p99 = (latencies: readonly number[]) => quantile(latencies, 0.99).toFixed(1)
    console.log(`  order p99 ${p99(watched)} ms with the readers, ${p99(alone)} ms without`)
    await compareWithRaw(raay, code, bodies)
  } finally {
    await raay.stop()
  }
}

/** Compares the main thread's time for a message, orders included, with that of a bare `ws` server, in turn. */
async function compareWithRaw(raay: ServerChild, code: string, bodies: readonly string[]): Promise<void> {
  const raw = await startRawSockets()
  try {
    const measure = async (server: ServerChild): Promise<number> => {
      const readers = await startSubscribers(server.url, code, SOCKETS)
      const before = server.mainThreadMs()
      await pacedLoad(server.url, bodies, CALM_PER_SECOND, CALM_SECONDS)
      const spent = server.mainThreadMs() - before
      const { messages } = await readers.stop()
      return (spent * 1000) / messages
    }
    const [own, others]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      own.push(await measure(raay))
      others.push(await measure(raw))
    }
    console.log(
      `  main thread per message at ${CALM_PER_SECOND} orders/s, orders included, ${ROUNDS} rounds in turn`,
    )
    const us = (values: readonly number[]) => `${median(values).toFixed(1)} µs`
    console.log(`    ${us(own)}, a bare ws server ${us(others)}; ÷ ${ratioText(own, others)}; bar 1.3`)
  } finally {
    await raw.stop()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFanOut()
