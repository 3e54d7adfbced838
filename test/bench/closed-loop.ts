import { quantile } from './figures.js'
import { HttpLine } from './http-line.js'

/** The results of a closed loop: responses, in all and a second, and latencies in milliseconds. */
export interface LoopResult {
  readonly answers: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** The target of the bodies, and the status and a text in each correct response. */
export interface LoopTarget {
  readonly path: string
  readonly status: number
  readonly text?: string
}

/** Sends bodies over this many connections, each the next one after a correct response to the last. */
export type Load = (
  url: string,
  bodies: readonly string[],
  connections: number,
  seconds: number,
  target?: LoopTarget,
) => Promise<LoopResult>

export const SINGLE_ORDERS: LoopTarget = { path: '/order/initiate', status: 201 }

/** Generates such a load in this process; an undefined body means a GET. */
export async function closedLoop(
  url: string,
  bodies: readonly (string | undefined)[],
  connections: number,
  seconds: number,
  { path, status, text = '' }: LoopTarget = SINGLE_ORDERS,
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
      if (!answer.includes(`HTTP/1.1 ${status} `) || !answer.includes(text))
        throw new Error(`a request was answered ${answer.toString()}`)
      latencies.push(performance.now() - sentAt)
    }
    line.end()
  }
  await Promise.all(lines.map(converse))
  const perSecond = (latencies.length / (performance.now() - start)) * 1000
  latencies.sort((a, b) => a - b)
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
  return { answers: latencies.length, perSecond, p50, p99 }
}
