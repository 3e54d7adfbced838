import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Schedule, TurnLength } from './accepting.js'
import { Inflow, NOTHING } from './inflow.js'
import { lineMs, ReadingLine } from './reading-line.js'

/** Slices read at once after which the next turn counts again: for fewer that is not worth its time. */
const COUNTED_MAX = 16

/** The first letters of GET, HEAD and OPTIONS; all other methods may change something. */
const READING = Buffer.from('GHO')

/** Bodies wait for this long at most while connections are being accepted. */
const BODIES_PATIENCE_MS = 20

export interface IntakeOptions {
  readonly turns: TurnLength
  /** Tells whether bytes begin a request that monitors send; by default none do. */
  readonly isProbe?: (bytes: Buffer) => boolean
  /** Runs work once pending events are handled, and what it leads to before the next work. */
  readonly schedule?: Schedule
  /** A monotonic clock in milliseconds. */
  readonly watch?: () => number
}

/**
 * Gives what arrives to Node's parser a little at a time: 64 KiB may hold 11,000 chunks of a body or 1,700
 * requests, at some microseconds each, and Node would read up to 32 times as much of one connection before
 * any other. The first slice of what arrives is read at once while this turn of the event loop has time, the
 * rest when the others have had their turn, in a line for each kind, so that none waits behind thousands of
 * another: probes; heads of reads and of changes; and bodies, since a body, and the work that follows it,
 * takes longer. A body of a known length costs little, and is read as it comes; but its end waits for its
 * turn if it is long. Chunks always wait.
 */
export class Intake {
  readonly #turns: TurnLength
  readonly #schedule: Schedule
  readonly #watch: () => number
  readonly #inflows = new WeakMap<Socket, Inflow>()
  readonly #lines: Readonly<Record<'probes' | 'changes' | 'reads' | 'bodies', ReadingLine>>
  readonly #isProbe: (bytes: Buffer) => boolean
  /** Counts slices read at once in this turn of the event loop, and their time. */
  #atOnce = 0
  #atOnceMs = 0
  #willCountAgain = false

  constructor(options: IntakeOptions) {
    const { turns, isProbe = () => false, schedule = setImmediate, watch = () => performance.now() } = options
    this.#turns = turns
    this.#isProbe = isProbe
    this.#schedule = schedule
    this.#watch = watch
    const line = (patienceMs = 0) => new ReadingLine({ turns, schedule, watch, patienceMs })
    this.#lines = { probes: line(), changes: line(), reads: line(), bodies: line(BODIES_PATIENCE_MS) }
  }

  /** The number of connections that wait for their turn. */
  get waiting(): number {
    return Object.values(this.#lines).reduce((sum, { length }) => sum + length, 0)
  }

  /** Takes over a connection to which node:http listens. */
  attach(socket: Socket): void {
    const inflow = new Inflow(socket, {
      wait: () => this.#lineFor(inflow).add(inflow),
      hasTime: () => !this.#turns.isForAccepting && this.#hasTimeAtOnce,
      measured: read => this.#measure(read),
    })
    this.#inflows.set(socket, inflow)
    socket.once('close', () => {
      inflow.end()
      this.#leave(inflow)
    })
  }

  /** Notes a request whose head was read, so that its body is read as its length allows. */
  expect(request: IncomingMessage, response: ServerResponse): void {
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers
    this.#inflows.get(request.socket)?.expect(coding === undefined ? Number(length) : undefined, response)
  }

  /**
   * Counts a chunk of a body without a length. Returns whether it may be kept; if not, nothing more of the
   * connection is read.
   *
   * @param refuse called with the first that may not, and the answer that its request waits for
   */
  takesChunk(socket: Socket, bytes: number, refuse: (response: ServerResponse) => void): boolean {
    const inflow = this.#inflows.get(socket)
    if (inflow === undefined || inflow.takesChunk(bytes)) return true
    if (!inflow.isOver && inflow.response !== undefined) {
      inflow.end()
      refuse(inflow.response)
    }
    return false
  }

  /** Leaves a connection that no longer speaks HTTP; returns what has arrived and was not read. */
  release(socket: Socket): Buffer {
    const inflow = this.#inflows.get(socket)
    if (inflow !== undefined) this.#leave(inflow)
    return inflow?.release() ?? NOTHING
  }

  #leave(inflow: Inflow): void {
    for (const line of Object.values(this.#lines)) line.delete(inflow)
  }

  #lineFor({ isAtHead, unread }: Inflow): ReadingLine {
    const { probes, changes, reads, bodies } = this.#lines
    if (!isAtHead) return bodies
    if (this.#isProbe(unread)) return probes
    return READING.includes(unread[0] ?? 0) ? reads : changes
  }

  get #hasTimeAtOnce(): boolean {
    return this.#atOnceMs < lineMs(this.#turns)
  }

  /** Reads at once, and counts the time in this turn of the event loop. */
  #measure(read: () => void): void {
    const startedAt = this.#watch()
    read()
    this.#atOnceMs += this.#watch() - startedAt
    this.#atOnce++
    if (this.#willCountAgain || (this.#atOnce < COUNTED_MAX && this.#hasTimeAtOnce)) return
    this.#willCountAgain = true
    this.#schedule(() => {
      this.#willCountAgain = false
      this.#atOnce = 0
      this.#atOnceMs = 0
    })
  }
}
