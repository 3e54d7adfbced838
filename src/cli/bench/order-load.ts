import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Failure } from '../exit-errors.js'
import type { OrderCount, SocketPlan } from './socket-load.js'
import { converseOverSocket } from './socket-load.js'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const STATUS_AT = 'HTTP/1.1 '.length
const ANSWER_BYTES_MAX = 1024 * 1024
const ANSWER_TIMEOUT_MS = 30_000

/** A load; it ends when all orders are answered or its time is over. */
export interface LoadPlan {
  readonly url: string
  readonly connections: number
  readonly orders: number
  readonly seconds: number
  /** Returns the body of an order, as JSON. */
  readonly bodyOf: () => string
  /** Called after each answer with their number so far. */
  readonly onAnswer: (answered: number) => void
  readonly signal: AbortSignal
  /** Sent with each order, or with the handshake. */
  readonly token?: string | undefined
  /** Set to send the orders over WebSockets. */
  readonly socket?: Pick<SocketPlan, 'inFlight' | 'perFrame'> | undefined
}

/** The result of a load. */
export interface LoadResult {
  /** Milliseconds from each order to its 201, sorted. */
  readonly latencies: Float64Array
  /** Orders answered with 503: the exchange was at capacity. */
  readonly refused: number
  readonly seconds: number
}

/**
 * Sends orders over several connections, the next one on each when the last is answered. It speaks just
 * enough HTTP for that: a full client would use as much of the machine as the exchange that it measures.
 * Throws Failure.
 */
export async function sendOrders(plan: LoadPlan): Promise<LoadResult> {
  const count = new LoadCount(plan)
  const { url, token, socket: way } = plan
  const converse = (socket: Socket) =>
    way === undefined
      ? converseOverHttp(socket, url, token, count)
      : converseOverSocket(socket, { url, token, ...way }, count)
  const sockets = Array.from({ length: Math.min(plan.connections, plan.orders) }, () => socketTo(plan.url))
  const start = performance.now()
  try {
    await Promise.all(sockets.map(socket => Promise.race([converse(socket), failureOf(socket, url)])))
  } catch (error) {
    // Ctrl+C also stops the temporary exchange, which then closes its connections.
    if (!count.isStopped) throw error
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return { ...count.result(), seconds: (performance.now() - start) / 1000 }
}

/** Counts what was sent and answered over all connections. */
class LoadCount implements OrderCount {
  readonly #plan: LoadPlan
  readonly #latencies: Float64Array
  readonly #end: number
  #sent = 0
  #done = 0
  #refused = 0

  constructor(plan: LoadPlan) {
    this.#plan = plan
    this.#latencies = new Float64Array(plan.orders)
    this.#end = performance.now() + plan.seconds * 1000
  }

  get isStopped(): boolean {
    return this.#plan.signal.aborted
  }

  next(): string | undefined {
    const { orders, bodyOf } = this.#plan
    if (this.#sent >= orders || this.isStopped || performance.now() >= this.#end) return undefined
    this.#sent++
    return bodyOf()
  }

  answered(status: number, latency: number): void {
    if (status === 201) this.#latencies[this.#done++] = latency
    else this.#refused++
    this.#plan.onAnswer(this.#done + this.#refused)
  }

  result(): Omit<LoadResult, 'seconds'> {
    return { latencies: this.#latencies.slice(0, this.#done).sort(), refused: this.#refused }
  }
}

function socketTo(url: string): Socket {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'https:'
  const address = { host, port: Number(port) || (isTls ? 443 : 80) }
  return isTls ? connectTls({ ...address, servername: host }) : connect(address)
}

/** Rejects once a connection fails or stays silent. */
function failureOf(socket: Socket, url: string): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (message: string) => reject(new Failure(`${url}: ${message}`))
    socket.setNoDelay(true)
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => fail('no answer for 30 s'))
    socket.once('error', error => fail(error.message))
    socket.once('close', () => fail('the connection was closed'))
  })
}

/** Uses one connection until the load ends. Rejects on an answer other than 201 and 503. */
function converseOverHttp(
  socket: Socket,
  url: string,
  token: string | undefined,
  count: LoadCount,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    let sentAt = 0
    const fail = (message: string) => reject(new Failure(`${url}: ${message}`))
    const send = () => {
      const body = count.next()
      sentAt = performance.now()
      if (body === undefined) resolve()
      else socket.write(requestOf(url, token, body))
    }
    socket.once('connect', send)
    socket.on('data', chunk => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const length = answerLength(received)
      if (received.length > ANSWER_BYTES_MAX) return fail('an answer is too long to come from Raay')
      if (Number.isNaN(length)) return fail('an answer has no Content-Length, so it does not come from Raay')
      if (length === undefined || received.length < length) return
      const status = Number(received.toString('latin1', STATUS_AT, STATUS_AT + 3))
      if (status !== 201 && status !== 503) return fail(`an order got the answer ${firstLine(received)}`)
      count.answered(status, performance.now() - sentAt)
      received = received.subarray(length)
      send()
    })
  })
}

function requestOf(url: string, token: string | undefined, body: string): string {
  const { host, pathname } = new URL(url)
  const head = [
    `POST ${pathname.replace(/\/$/, '')}/order/initiate HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Returns the length of the first answer: undefined before its head is complete, NaN if not given. */
function answerLength(received: Buffer): number | undefined {
  const head = received.indexOf(END_OF_HEAD)
  if (head < 0) return undefined
  const body = /^content-length: *(\d+)/im.exec(received.toString('latin1', 0, head))?.[1]
  return head + END_OF_HEAD.length + Number(body)
}

const firstLine = (received: Buffer) => received.toString('latin1').split('\r\n', 1)[0]
