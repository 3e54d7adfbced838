import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TurnLength } from './accepting.js'
import { Inflow, NOTHING } from './inflow.js'
import { lineMs, ReadingLine } from './reading-line.js'

/** Slices read at once after which the next turn counts again: for fewer that is not worth its time. */
const COUNTED_MAX = 16

/** Bodies wait for this long at most while connections are being accepted. */
const BODIES_PATIENCE_MS = 20

export interface IntakeOptions {
  readonly turns: TurnLength
  /** Runs work once pending events are handled, and what it leads to before the next work. */
  readonly schedule?: (work: () => void) => void
  /** A monotonic clock in milliseconds. */
  readonly watch?: () => number
}

/**
 * Gives what arrives to Node's parser a little at a time: 64 KiB may hold 11,000 chunks of a body or 1,700
 * requests, at some microseconds each, and Node would read up to 32 times as much of one connection before
 * any other. The first slice of what arrives is read at once while this turn of the event loop has time, the
 * rest when the others have had their turn: heads in a line of their own, since a body, and the work that
 * follows it, takes longer. A body of a known length costs little, and is read as it comes; but its end waits
 * for its turn if it is long. Chunks always wait.
 */
export class Intake {
  readonly #turns: TurnLength
  readonly #schedule: (work: () => void) => void
  readonly #watch: () => number
  readonly #inflows = new WeakMap<Socket, Inflow>()
  /** Those whose next request is to be read. */
  readonly #heads: ReadingLine
  readonly #bodies: ReadingLine
  /** Counts slices read at once in this turn of the event loop, and their time. */
  #atOnce = 0
  #atOnceMs = 0

  constructor({ turns, schedule = setImmediate, watch = () => performance.now() }: IntakeOptions) {
    this.#turns = turns
    this.#schedule = schedule
    this.#watch = watch
    this.#heads = new ReadingLine({ turns, schedule, watch })
    this.#bodies = new ReadingLine({ turns, schedule, watch, patienceMs: BODIES_PATIENCE_MS })
  }

  /** The number of connections that wait for their turn. */
  get waiting(): number {
    return this.#heads.length + this.#bodies.length
  }

  /** Takes over a connection to which node:http listens. */
  attach(socket: Socket): void {
    const inflow = new Inflow(socket, {
      wait: () => (inflow.isAtHead ? this.#heads : this.#bodies).add(inflow),
      hasTime: () => this.#atOnceMs < lineMs(this.#turns),
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
    this.#heads.delete(inflow)
    this.#bodies.delete(inflow)
  }

  /** Reads at once, and counts the time in this turn of the event loop. */
  #measure(read: () => void): void {
    const startedAt = this.#watch()
    read()
    this.#atOnceMs += this.#watch() - startedAt
    this.#atOnce++
    if (this.#atOnce !== COUNTED_MAX) return
    this.#schedule(() => {
      this.#atOnce = 0
      this.#atOnceMs = 0
    })
  }
}
