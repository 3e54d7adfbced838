import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { MarketCode } from '../core/units.js'
import { frameOf } from './frame.js'

/** Above this many unsent bytes a connection is given nothing more of the channels. */
export const CONGESTED_BYTES = 256 * 1024
/** Above this many a client that keeps asking without reading is sent away. */
const UNSENT_BYTES_MAX = 1024 * 1024

/** Close codes of RFC 6455 and its registry. */
export const GOING_AWAY = 1001
export const INTERNAL_ERROR = 1011
export const TRY_AGAIN_LATER = 1013

/** A reader's place in one channel. */
export interface Place {
  /** The last message that was handed to the socket. */
  sentSeq: number
}

/** One client: its WebSocket, the TCP socket below it, and where it stands in the channels it follows. */
export class Connection {
  readonly places = new Map<MarketCode, Place>()
  /** The same in the private channels, by user id. */
  readonly userPlaces = new Map<string, Place>()
  readonly #socket: WebSocket
  readonly #tcp: Socket
  #isAlive = true

  constructor(socket: WebSocket, tcp: Socket, drained: () => void) {
    this.#socket = socket
    this.#tcp = tcp
    socket.on('pong', () => this.noteAlive())
    tcp.on('drain', drained)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && !this.#tcp.destroyed
  }

  /** Whether the client reads more slowly than it is written to. */
  get isCongested(): boolean {
    return this.#tcp.writableLength > CONGESTED_BYTES
  }

  /** Writes ready frames in one go. They are whole and not compressed, so they never mix with others. */
  write(frames: Buffer): void {
    if (this.isOpen) this.#tcp.write(frames)
  }

  /** Answers a client's message; one that never reads its answers is sent away. */
  answer(message: unknown): void {
    this.write(frameOf(JSON.stringify(message)))
    if (this.#tcp.writableLength > UNSENT_BYTES_MAX) this.close(TRY_AGAIN_LATER, 'read faster')
  }

  noteAlive(): void {
    this.#isAlive = true
  }

  /** Asks for a sign of life; ends the connection where the last one was not answered. */
  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    if (this.isOpen) this.#socket.ping()
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
