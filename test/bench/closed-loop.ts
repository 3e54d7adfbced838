import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** What a closed loop measured: answers a second, and how long they took. */
export interface LoopResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const CREATED = Buffer.from('HTTP/1.1 201 ')

/**
 * Sends orders over so many connections, on each the next one when the last is answered. It speaks just enough HTTP
 * for that, on bytes made beforehand: a full client takes as much of two cores as the server that is measured.
 */
export async function closedLoop(
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
): Promise<LoopResult> {
  const { hostname, port, host } = new URL(url)
  const requests = bodies.map(body => requestOf(host, body))
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let sent = 0
  const next = () => (performance.now() < end ? (requests[sent++ % requests.length] as Buffer) : undefined)
  await Promise.all(
    Array.from({ length: connections }, () => converse(connect(Number(port), hostname), next, latencies)),
  )
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    perSecond: (latencies.length / (performance.now() - start)) * 1000,
    p50: at(0.5),
    p99: at(0.99),
  }
}

function requestOf(host: string, body: string): Buffer {
  const head = [
    'POST /order/initiate HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** One connection: rejects at the first answer that is no 201. */
function converse(socket: Socket, next: () => Buffer | undefined, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    let sentAt = 0
    const send = () => {
      const request = next()
      sentAt = performance.now()
      if (request === undefined) socket.end(resolve)
      else socket.write(request)
    }
    socket.setNoDelay(true)
    socket.once('connect', send)
    socket.once('error', reject)
    socket.on('data', chunk => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const length = answerLength(received)
      if (length === undefined || received.length < length) return
      if (!received.subarray(0, CREATED.length).equals(CREATED)) {
        reject(new Error(`an order was answered ${received.toString()}`))
        return
      }
      latencies.push(performance.now() - sentAt)
      received = received.subarray(length)
      send()
    })
  })
}

/** The length of the answer that the bytes begin with, once its head is there. */
function answerLength(received: Buffer): number | undefined {
  const head = received.indexOf(END_OF_HEAD)
  if (head < 0) return undefined
  const body = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
  return head + END_OF_HEAD.length + Number(body)
}
