import { once } from 'node:events'
import { WebSocket } from 'ws'
import { quantile } from './figures.js'

/**
 * Runs readers in their own process: connects, subscribes to one event, prints "ready", counts
 * messages until asked to stop, and prints the counts as JSON. Start: node fan-out-readers.js <ws url>
 * <event code> <sockets>
 */
const [url = '', code = '', count = '0'] = process.argv.slice(2)
const delays: number[] = []
let messages = 0
let bytes = 0

function hear(data: Buffer): void {
  messages++
  bytes += data.length
  // Parses one message in sixteen for its time: parsing all would measure this process.
  if (messages % 16 !== 0) return
  const ts = /"ts":(\d+)/.exec(data.toString('latin1'))?.[1]
  if (ts !== undefined) delays.push(Date.now() - Number(ts))
}

async function connect(): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await once(socket, 'open')
  socket.send(JSON.stringify({ event: 'subscribe_orderbook', data: code }))
  await once(socket, 'message')
  socket.on('message', hear)
}

for (let connected = 0; connected < Number(count); connected += 50) {
  await Promise.all(Array.from({ length: 50 }, connect))
}
process.stdout.write('ready\n')
process.once('SIGTERM', () => {
  delays.sort((a, b) => a - b)
  const counts = { messages, bytes, delayP50: quantile(delays, 0.5), delayP99: quantile(delays, 0.99) }
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})
