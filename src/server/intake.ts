import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../core/assert.js'

/** Bytes that the parser reads of a connection in its turn: at most about 170 chunks, or 40 requests. */
export const SLICE_BYTES = 1024
/** A body without a length may have this many chunks, and one more for this many bytes. */
export const CHUNKS_FREE = 128
export const CHUNK_BYTES = 128
/** Time of a turn of the event loop for what waits; one slice at least. */
const ROUND_MS = 5

const NOTHING = Buffer.alloc(0)

export interface IntakeOptions {
  /** Runs a round soon, after pending events. */
  readonly schedule?: (round: () => void) => void
  /** A monotonic clock in milliseconds. */
  readonly watch?: () => number
}

/**
 * Gives what arrives to Node's parser a little at a time: 64 KiB may hold 11,000 chunks of a body or 1,700
 * requests, at some microseconds each, and Node would read up to 32 times as much of one connection before
 * any other. The first slice of what arrives is read at once, the rest when the others have had their turn. A
 * body of a known length costs little, and is read as it comes; chunks always wait for their turn.
 */
export class Intake {
  readonly #schedule: (round: () => void) => void
  readonly #watch: () => number
  readonly #inflows = new WeakMap<Socket, Inflow>()
  /** In the order of their turns. */
  readonly #waiting = new Set<Inflow>()
  #isScheduled = false

  constructor({ schedule = setImmediate, watch = () => performance.now() }: IntakeOptions = {}) {
    this.#schedule = schedule
    this.#watch = watch
  }

  /** The number of connections that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes over a connection to which node:http listens. */
  attach(socket: Socket): void {
    const inflow = new Inflow(socket, () => this.#wait(inflow))
    this.#inflows.set(socket, inflow)
    socket.once('close', () => {
      inflow.end()
      this.#waiting.delete(inflow)
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
    if (inflow !== undefined) this.#waiting.delete(inflow)
    return inflow?.release() ?? NOTHING
  }

  #wait(inflow: Inflow): void {
    this.#waiting.add(inflow)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(() => this.#round())
  }

  #round(): void {
    const until = this.#watch() + ROUND_MS
    for (const inflow of this.#waiting) {
      this.#waiting.delete(inflow)
      inflow.readNext()
      if (this.#watch() >= until) break
    }
    this.#isScheduled = this.#waiting.size > 0
    if (this.#isScheduled) this.#schedule(() => this.#round())
  }
}

/** The bytes that have arrived on one connection. */
class Inflow {
  /** The answer to the last request. */
  response: ServerResponse | undefined
  readonly #socket: Socket
  readonly #wait: () => void
  readonly #parse: (bytes: Buffer) => void
  readonly #take: (bytes: Buffer) => void
  #rest: Buffer = NOTHING
  /** Bytes of a body with a length that are still to come, at most. */
  #plainBytes = 0
  #isChunked = false
  #chunks = 0
  #chunkBytes = 0
  #isOver = false
  /** True while node:http wants nothing more, and while the rest waits for its turn. */
  #isStopped = false
  #isHeld = false

  constructor(socket: Socket, wait: () => void) {
    const [parse] = socket.listeners('data')
    assert(parse !== undefined, 'node:http listens to each connection')
    this.#socket = socket
    this.#wait = wait
    this.#parse = parse as (bytes: Buffer) => void
    this.#take = bytes => this.#arrive(bytes)
    // Another listener makes Node's parser leave the reading to the stream.
    socket.on('data', this.#take)
    socket.removeListener('data', this.#parse)
    socket.pause = () => {
      this.#isStopped = true
      return pauseOf(socket)
    }
    socket.resume = () => {
      this.#isStopped = false
      // A refusal resumes a connection to discard what arrives.
      if (this.#hasEnded) this.end()
      if (!this.#isHeld) return resumeOf(socket)
      this.#wait()
      return socket
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** True if nobody would read an answer. */
  get #hasEnded(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded
  }

  /** True while node:http takes nothing: its parser fails, and asserts, if it is given more. */
  get #isHalted(): boolean {
    return this.#isStopped || (this.#socket as { readonly _paused?: boolean })._paused === true
  }

  /** @param bytes undefined for a body without a length */
  expect(bytes: number | undefined, response: ServerResponse): void {
    this.response = response
    this.#isChunked = bytes === undefined
    this.#plainBytes = bytes ?? 0
    this.#chunks = 0
    this.#chunkBytes = 0
  }

  takesChunk(bytes: number): boolean {
    this.#chunks++
    this.#chunkBytes += bytes
    return this.#chunks <= CHUNKS_FREE + this.#chunkBytes / CHUNK_BYTES
  }

  /** Reads the next slice, unless node:http has stopped the connection: resuming it waits for a turn. */
  readNext(): void {
    if (this.#isHalted || this.#isOver) return
    this.#readSlice()
    this.#settle()
  }

  /** Reads nothing more, and discards what arrives. */
  end(): void {
    this.#isOver = true
    this.#rest = NOTHING
    this.#isHeld = false
  }

  release(): Buffer {
    const rest = this.#rest
    const socket = this.#socket
    this.end()
    socket.removeListener('data', this.#take)
    Reflect.deleteProperty(socket, 'pause')
    Reflect.deleteProperty(socket, 'resume')
    return rest
  }

  #arrive(bytes: Buffer): void {
    if (this.#isOver) return
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    if (!this.#isHeld && !this.#isChunked && !this.#isHalted) {
      this.#readSlice()
      // The body behind the head.
      if (this.#plainBytes > 0 && this.#rest.length > 0 && !this.#isHalted) this.#readSlice()
    }
    this.#settle()
  }

  #readSlice(): void {
    const length = this.#plainBytes > 0 ? this.#plainBytes : SLICE_BYTES
    const slice = this.#rest.length <= length ? this.#rest : this.#rest.subarray(0, length)
    this.#rest = slice === this.#rest ? NOTHING : this.#rest.subarray(length)
    this.#plainBytes = Math.max(0, this.#plainBytes - slice.length)
    this.#parse(slice)
    if (this.#hasEnded) this.end()
  }

  /** Holds the connection while something of it is unread. */
  #settle(): void {
    if (this.#isOver) return
    if (this.#rest.length > 0) {
      this.#isHeld = true
      pauseOf(this.#socket)
      if (!this.#isStopped) this.#wait()
    } else if (this.#isHeld) {
      this.#isHeld = false
      if (!this.#isStopped) resumeOf(this.#socket)
    }
  }
}

function pauseOf(socket: Socket): Socket {
  return prototypeOf(socket).pause.call(socket)
}

function resumeOf(socket: Socket): Socket {
  return prototypeOf(socket).resume.call(socket)
}

function prototypeOf(socket: Socket): Socket {
  return Object.getPrototypeOf(socket) as Socket
}
