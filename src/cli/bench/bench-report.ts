import { paint } from '../terminal/paint.js'
import type { LoadResult } from './order-load.js'

/** The result of `raay bench`; latencies in milliseconds, from sending an order to its 201. */
export interface BenchReport {
  readonly url: string
  readonly connections: number
  /** How the orders were sent over WebSockets; null over HTTP. */
  readonly socket: { readonly in_flight: number; readonly per_frame: number } | null
  readonly orders: number
  readonly refused: number
  readonly seconds: number
  readonly orders_per_second: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** The load that was measured. */
interface Measured {
  readonly url: string
  readonly connections: number
  readonly socket: { readonly inFlight: number; readonly perFrame: number } | undefined
}

export function benchReport({ url, connections, socket }: Measured, result: LoadResult): BenchReport {
  const { latencies, refused, seconds } = result
  const at = (share: number) => {
    const index = Math.min(latencies.length - 1, Math.floor(latencies.length * share))
    return round(latencies[index] ?? 0, 2)
  }
  return {
    url,
    connections,
    socket: socket === undefined ? null : { in_flight: socket.inFlight, per_frame: socket.perFrame },
    orders: latencies.length,
    refused,
    seconds: round(seconds, 3),
    orders_per_second: seconds > 0 ? Math.round(latencies.length / seconds) : 0,
    ...{ p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) },
  }
}

export function benchText(report: BenchReport): string {
  const { orders, refused, seconds, connections, orders_per_second: rate } = report
  const busy =
    refused === 0 ? '' : `${count(refused)} more were refused with 503: the exchange was at capacity\n`
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const { socket } = report
  const way =
    socket === null
      ? 'connections'
      : `WebSockets, ${socket.in_flight} messages in flight on each, ${count(socket.per_frame)} to a message`
  const times = `p50 ${ms(report.p50)}, p90 ${ms(report.p90)}, p99 ${ms(report.p99)}, max ${ms(report.max)}`
  return `${paint('bold', `${count(rate)} orders/s`)}, each on disk before its answer
${times}
${count(orders)} orders in ${seconds.toFixed(1)} s over ${connections} ${way}
${busy}The load ran on this machine and used part of it.
`
}

const count = (value: number) => value.toLocaleString('en')

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
