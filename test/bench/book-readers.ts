import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './figures.js'
import { HttpLine } from './http-line.js'

/**
 * A process that reads at a steady rate until it is asked to stop, and prints its results as JSON. A request
 * that is due while all connections wait is sent when one is free; its time counts from when it was due.
 * Start: node book-readers.js <url> <path> <reads a second>
 */
const CONNECTIONS = 50
const TICK_MS = 5

const [url = '', path = '', perSecond = '0'] = process.argv.slice(2)
const request = HttpLine.request(url, path)
const latencies: number[] = []
const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpLine.open(url)))
let isReading = true
let bytes = 0

async function read(line: HttpLine, due: number): Promise<void> {
  const answer = await line.ask(request)
  if (!answer.includes('HTTP/1.1 200 ')) throw new Error(`a read was answered ${answer.toString()}`)
  latencies.push(performance.now() - due)
  bytes += answer.length
  free.push(line)
}

process.once('SIGTERM', () => {
  isReading = false
})
process.stdout.write('ready\n')
const start = performance.now()
for (let sent = 0; isReading; ) {
  const elapsed = performance.now() - start
  for (; sent < (elapsed / 1000) * Number(perSecond); sent++) {
    const line = free.pop()
    if (line === undefined) break
    void read(line, start + (sent / Number(perSecond)) * 1000)
  }
  await sleep(TICK_MS)
}
const seconds = (performance.now() - start) / 1000
latencies.sort((a, b) => a - b)
const counts = {
  perSecond: latencies.length / seconds,
  bytesPerSecond: bytes / seconds,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
}
process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
