import { HttpLine } from './http-line.js'

/** The answers to a load that does not wait for them. Latencies are in ms, from when a request was due. */
export interface OpenResult {
  /** Requests due. */
  readonly offered: number
  /** Sorted latencies of requests that were done. */
  readonly done: readonly number[]
  /** Sorted latencies of requests that were refused with 503. */
  readonly refused: readonly number[]
  /** Requests for which no connection was free. */
  readonly unsent: number
}

/** Used places of the queue that are swept out at once. */
const SWEPT_MIN = 10_000
const DONE = Buffer.from('HTTP/1.1 201')
const REFUSED = Buffer.from('HTTP/1.1 503')
const STATUS_LENGTH = DONE.length

/** Connections that are kept, for loads of any rate. */
export class OpenLoop {
  /** Free connections; the one free for longest is used next, before the exchange closes it as idle. */
  #lines: HttpLine[]
  #used = 0
  readonly #requests: readonly Buffer[]
  #next = 0

  private constructor(lines: HttpLine[], requests: readonly Buffer[]) {
    this.#lines = lines
    this.#requests = requests
  }

  static async open(url: string, path: string, bodies: readonly string[], count: number): Promise<OpenLoop> {
    const lines: HttpLine[] = []
    // A few at a time: a listener's backlog is short.
    while (lines.length < count) {
      const some = Array.from({ length: Math.min(100, count - lines.length) }, () => HttpLine.open(url))
      lines.push(...(await Promise.all(some)))
    }
    return new OpenLoop(
      lines,
      bodies.map(body => HttpLine.request(url, path, body)),
    )
  }

  /** Sends requests at a steady rate, each over a free connection, whether others were answered or not. */
  async load(perSecond: number, seconds: number): Promise<OpenResult> {
    const done: number[] = []
    const refused: number[] = []
    const waiting: Promise<void>[] = []
    let unsent = 0
    const send = async (line: HttpLine, dueAt: number) => {
      const answer = await line.ask(this.#requests[this.#next++ % this.#requests.length] as Buffer)
      const latencies = latenciesFor(answer, done, refused)
      latencies.push(performance.now() - dueAt)
      this.#lines.push(line)
    }
    const start = performance.now()
    let offered = 0
    for (const all = perSecond * seconds; offered < all; ) {
      const due = Math.min(all, ((performance.now() - start) / 1000) * perSecond)
      for (; offered < due; offered++) {
        const line = this.#free()
        if (line === undefined) unsent++
        else waiting.push(send(line, start + (offered / perSecond) * 1000))
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    await Promise.all(waiting)
    for (const latencies of [done, refused]) latencies.sort((a, b) => a - b)
    return { offered, done, refused, unsent }
  }

  end(): void {
    for (const line of this.#lines.slice(this.#used)) line.end()
  }

  #free(): HttpLine | undefined {
    if (this.#used >= this.#lines.length) return undefined
    const line = this.#lines[this.#used++]
    if (this.#used < SWEPT_MIN) return line
    this.#lines = this.#lines.slice(this.#used)
    this.#used = 0
    return line
  }
}

function latenciesFor(answer: Buffer, done: number[], refused: number[]): number[] {
  const status = answer.subarray(0, STATUS_LENGTH)
  if (status.equals(DONE)) return done
  if (status.equals(REFUSED)) return refused
  throw new Error(`a request was answered ${answer.toString()}`)
}
