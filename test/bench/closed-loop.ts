import { quantile } from './figures.js'
import { HttpLine } from './http-line.js'

/** The results of a closed loop: responses a second, and latencies. */
export interface LoopResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** The target of the bodies, and the text in each correct response. */
export interface LoopTarget {
  readonly path: string
  readonly good: string
}

const SINGLE_ORDERS: LoopTarget = { path: '/order/initiate', good: 'HTTP/1.1 201 ' }

/**
 * Sends bodies over this many connections, each the next one after a correct response to the last; an
 * undefined body means a GET.
 */
export async function closedLoop(
  url: string,
  bodies: readonly (string | undefined)[],
  connections: number,
  seconds: number,
  { path, good }: LoopTarget = SINGLE_ORDERS,
): Promise<LoopResult> {
  const requests = bodies.map(body => HttpLine.request(url, path, body))
  const lines = await Promise.all(Array.from({ length: connections }, () => HttpLine.open(url)))
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let sent = 0
  const converse = async (line: HttpLine) => {
    for (let sentAt = start; sentAt < end; ) {
      sentAt = performance.now()
      const answer = await line.ask(requests[sent++ % requests.length] as Buffer)
      if (!answer.includes(good)) throw new Error(`a request was answered ${answer.toString()}`)
      latencies.push(performance.now() - sentAt)
    }
    line.end()
  }
  await Promise.all(lines.map(converse))
  const perSecond = (latencies.length / (performance.now() - start)) * 1000
  latencies.sort((a, b) => a - b)
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}
