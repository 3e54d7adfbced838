import { fileURLToPath } from 'node:url'
import { quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import { startSubscribers } from './readers.js'
import { startRaay } from './server-child.js'

const SOCKETS = 1000
const SECONDS = 10
const ORDERS_PER_SECOND = 200

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
  } finally {
    await raay.stop()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFanOut()
