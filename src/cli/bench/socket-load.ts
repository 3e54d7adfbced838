import type { Socket } from 'node:net'
import { Failure } from '../exit-errors.js'

const END_OF_HEAD = '\r\n\r\n'
const TEXT = 0x81
const CLOSE = 0x8
const MASKED = 0x80
const LENGTH_16 = 126
const LENGTH_64 = 127
/** A mask of zeros leaves the text as it is. */
const MASK_BYTES = 4
const ANSWER = /^\{"event":"(\w+)","id":(\d+)/
const PLACED = '"status":true,"code":201'

/** Gives the orders of a load, and counts their answers. */
export interface OrderCount {
  /** Returns the next body, or undefined at the end of the load. */
  next(): string | undefined
  answered(status: number, latency: number): void
}

/** How orders are sent over a WebSocket. */
export interface SocketPlan {
  readonly url: string
  /** Messages of a connection that are not answered yet. */
  readonly inFlight: number
  /** Orders in one message. */
  readonly perFrame: number
  readonly token: string | undefined
}

/**
 * Sends orders over a WebSocket, each message the next one after an answer, until the load ends. It speaks
 * just enough of the protocol for that. Rejects on an answer other than a placed order and 503.
 */
export function converseOverSocket(socket: Socket, plan: SocketPlan, count: OrderCount): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new Failure(`${plan.url}: ${message}`))
    const sentAt = new Map<number, number>()
    let last = 0
    let received: Buffer = Buffer.alloc(0)
    let isOpen = false
    const send = (messages: number) => {
      const frames: Buffer[] = []
      for (let left = messages; left > 0; left--) {
        const orders = nextOrders(plan.perFrame, count)
        if (orders.length === 0) break
        last++
        sentAt.set(last, performance.now())
        frames.push(frameOf(messageOf(orders, plan.perFrame, last)))
      }
      if (frames.length > 0) socket.write(Buffer.concat(frames))
      else if (sentAt.size === 0) resolve()
    }
    const take = (text: string): boolean => {
      const [, event, id] = ANSWER.exec(text) ?? []
      const started = sentAt.get(Number(id))
      if (started === undefined) return true
      sentAt.delete(Number(id))
      const isBusy = event === 'error' && text.includes('"code":503')
      const placed = isBusy ? 0 : countOf(PLACED, text)
      if (!isBusy && placed === 0) {
        fail(`an order got the answer ${text.slice(0, 200)}`)
        return false
      }
      const took = performance.now() - started
      for (let order = 0; order < Math.max(1, placed); order++) count.answered(isBusy ? 503 : 201, took)
      return true
    }
    socket.once('connect', () => socket.write(handshakeOf(plan)))
    socket.on('data', chunk => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (!isOpen) {
        const end = received.indexOf(END_OF_HEAD)
        if (end < 0) return
        const head = received.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 101')) return fail(`no WebSocket: ${head.split('\r\n', 1)[0]}`)
        isOpen = true
        received = received.subarray(end + END_OF_HEAD.length)
        send(plan.inFlight)
      }
      const before = sentAt.size
      for (let frame = frameIn(received); frame !== undefined; frame = frameIn(received)) {
        received = received.subarray(frame.length)
        if (frame.opcode === CLOSE) return fail('the connection was closed')
        if (!take(frame.text)) return
      }
      const answered = before - sentAt.size
      if (answered > 0) send(answered)
    })
  })
}

function nextOrders(perFrame: number, count: OrderCount): string[] {
  const orders: string[] = []
  while (orders.length < perFrame) {
    const order = count.next()
    if (order === undefined) break
    orders.push(order)
  }
  return orders
}

function messageOf(orders: readonly string[], perFrame: number, id: number): string {
  return perFrame === 1
    ? `{"event":"place_order","data":${orders[0]},"id":${id}}`
    : `{"event":"place_orders","data":{"orders":[${orders.join(',')}]},"id":${id}}`
}

function handshakeOf({ url, token }: SocketPlan): string {
  const { host, pathname } = new URL(url)
  const lines = [
    `GET ${pathname.replace(/\/$/, '')}/ws HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ]
  return lines.join('\r\n') + END_OF_HEAD
}

function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const header = (length < LENGTH_16 ? 2 : 4) + MASK_BYTES
  const frame = Buffer.alloc(header + length)
  frame[0] = TEXT
  if (length < LENGTH_16) {
    frame[1] = MASKED | length
  } else {
    frame[1] = MASKED | LENGTH_16
    frame.writeUInt16BE(length, 2)
  }
  frame.write(text, header)
  return frame
}

interface Frame {
  readonly opcode: number
  readonly text: string
  /** With its header. */
  readonly length: number
}

/** Returns the first frame of what was received; undefined if it is not complete. */
function frameIn(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined
  const short = (bytes[1] as number) & ~MASKED
  const header = short < LENGTH_16 ? 2 : short === LENGTH_16 ? 4 : 10
  if (bytes.length < header) return undefined
  const payload =
    short < LENGTH_16 ? short : short === LENGTH_64 ? Number(bytes.readBigUInt64BE(2)) : bytes.readUInt16BE(2)
  if (bytes.length < header + payload) return undefined
  const text = bytes.toString('utf8', header, header + payload)
  return { opcode: (bytes[0] as number) & 0xf, text, length: header + payload }
}

function countOf(part: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}
