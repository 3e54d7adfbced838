import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { quantile, thousands } from './figures.js'
import { createEvent, orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import { startRaay } from './server-child.js'

const SOCKETS = 1000
const SECONDS = 10
const ORDERS_PER_SECOND = 200

interface Counts {
  readonly messages: number
  readonly bytes: number
  readonly delayP50: number
  readonly delayP99: number
}

/** Measures one market's updates to 1,000 sockets while orders arrive at a steady rate. */
export async function benchFanOut(): Promise<void> {
  const raay = await startRaay()
  try {
    const code = await createEvent(raay.url, 'Fan-out')
    const bodies = orderBodies(2000, [code])
    const alone = await pacedLoad(raay.url, bodies, ORDERS_PER_SECOND, SECONDS)
    const readers = await startReaders(`${raay.url.replace('http', 'ws')}/ws`, code)
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

async function startReaders(url: string, code: string): Promise<{ stop(): Promise<Counts> }> {
  const entry = fileURLToPath(new URL('./fan-out-readers.js', import.meta.url))
  const child = spawn(process.execPath, [entry, url, code, String(SOCKETS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    stop: async () => {
      child.kill('SIGTERM')
      const [line] = (await once(lines, 'line')) as [string]
      return JSON.parse(line) as Counts
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFanOut()
