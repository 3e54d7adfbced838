import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../core/assert.js'

/** Bytes that the parser reads of a connection at once: at most about 170 chunks, or 40 requests. */
export const SLICE_BYTES = 1024
/** Bytes of a body without a length that it reads in a turn: at most about 40 chunks. */
export const CHUNKED_SLICE_BYTES = 256
/** A body without a length may have this many chunks, and one more for this many bytes. */
export const CHUNKS_FREE = 128
export const CHUNK_BYTES = 128
/** Ends the head of a request. */
const HEAD_END = '\r\n\r\n'

export const NOTHING: Buffer = Buffer.alloc(0)

/** The turns that a connection shares with the others. */
export interface Turns {
  /** Waits for the next turn. */
  readonly wait: () => void
  /** Returns whether more may be read in this turn of the event loop. */
  readonly hasTime: () => boolean
  /** Reads at once. */
  readonly measured: (read: () => void) => void
}

/** The bytes that have arrived on one connection. */
export class Inflow {
  /** The answer to the last request. */
  response: ServerResponse | undefined
  readonly #socket: Socket
  readonly #turns: Turns
  readonly #parse: (bytes: Buffer) => void
  readonly #take: (bytes: Buffer) => void
  #rest: Buffer = NOTHING
  /** Bytes of a body with a length that are still to come, at most. */
  #plainBytes = 0
  #isLong = false
  #isChunked = false
  #chunks = 0
  #chunkBytes = 0
  #isOver = false
  /** True while node:http wants nothing more: its parser fails, and asserts, if it is given any. */
  #isStopped = false
  /** True while something of it is unread. */
  #isHeld = false

  constructor(socket: Socket, turns: Turns) {
    const [parse] = socket.listeners('data')
    assert(parse !== undefined, 'node:http listens to each connection')
    this.#socket = socket
    this.#turns = turns
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
      this.#turns.wait()
      return socket
    }
  }

  /** True if a request begins next, as far as is known. */
  get isAtHead(): boolean {
    return this.#plainBytes === 0 && !this.#isChunked
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The bytes that have arrived and are to be read. */
  get unread(): Buffer {
    return this.#rest
  }

  /** True if nobody would read an answer. */
  get #hasEnded(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded
  }

  /** @param bytes undefined for a body without a length */
  expect(bytes: number | undefined, response: ServerResponse): void {
    this.response = response
    this.#isChunked = bytes === undefined
    this.#plainBytes = bytes ?? 0
    this.#isLong = this.#plainBytes > SLICE_BYTES
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
    if (this.#isStopped || this.#isOver) return
    if (this.#plainBytes > 0) this.#read(this.#plainBytes)
    else if (this.#isChunked) this.#read(CHUNKED_SLICE_BYTES)
    else this.#readHeads()
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
    if (this.#mayReadAtOnce) {
      this.#turns.measured(() => {
        this.#read(this.#plainBytes > 0 ? this.#plainBytes : SLICE_BYTES)
        // The body behind the head.
        if (this.#plainBytes > 0 && this.#rest.length > 0 && this.#mayReadAtOnce) this.#read(this.#plainBytes)
      })
    }
    this.#settle()
  }

  get #mayReadAtOnce(): boolean {
    if (this.#isHeld || this.#isChunked || this.#isStopped || this.#isOver) return false
    const isEnd = this.#isLong && this.#plainBytes > 0 && this.#rest.length >= this.#plainBytes
    return !isEnd && this.#turns.hasTime()
  }

  /** Reads as many heads as are in a slice, but not the body behind one: that has a turn of its own. */
  #readHeads(): void {
    let bytesLeft = SLICE_BYTES
    do {
      const end = this.#rest.subarray(0, bytesLeft).indexOf(HEAD_END)
      const length = end < 0 ? bytesLeft : end + HEAD_END.length
      this.#read(length)
      bytesLeft -= length
    } while (bytesLeft > 0 && this.#rest.length > 0 && this.isAtHead && !this.#isStopped && !this.#isOver)
  }

  #read(bytesMax: number): void {
    const slice = this.#rest.length <= bytesMax ? this.#rest : this.#rest.subarray(0, bytesMax)
    this.#rest = slice === this.#rest ? NOTHING : this.#rest.subarray(bytesMax)
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
      if (!this.#isStopped) this.#turns.wait()
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
