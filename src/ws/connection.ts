import type { MarketCode } from '../core/units.js'
import type { Answer, Line } from './line.js'
import type { Texts } from './texts.js'

/** Above this many unsent bytes a connection is given nothing more of the channels. */
export const CONGESTED_BYTES = 256 * 1024
/** Above this many a client that keeps asking without reading is sent away. */
export const UNSENT_BYTES_MAX = 1024 * 1024

/** Close codes of RFC 6455 and its registry. */
export const GOING_AWAY = 1001
export const INTERNAL_ERROR = 1011
export const TRY_AGAIN_LATER = 1013

/** A reader's place in one channel. */
export interface Place {
  /** The last message that was handed to the socket. */
  sentSeq: number
}

/** One client: the line to it, and where it stands in the channels it follows. */
export class Connection {
  readonly places = new Map<MarketCode, Place>()
  /** The same in the private channels, by user id. */
  readonly userPlaces = new Map<string, Place>()
  readonly #line: Line

  constructor(line: Line) {
    this.#line = line
  }

  get isOpen(): boolean {
    return this.#line.isOpen
  }

  /** Whether the client reads more slowly than it is written to. */
  get isCongested(): boolean {
    return this.#line.unsentBytes > CONGESTED_BYTES
  }

  write(texts: Texts): void {
    this.#line.write(texts)
  }

  /** Answers a client's message; one that never reads its answers is sent away. */
  answer(answer: Answer): void {
    this.#line.answer(answer)
    if (this.#line.unsentBytes > UNSENT_BYTES_MAX) this.close(TRY_AGAIN_LATER, 'read faster')
  }

  /** Asks for a sign of life; ends the connection where the last one was not answered. */
  ping(): void {
    this.#line.ping()
  }

  close(code: number, reason: string): void {
    this.#line.close(code, reason)
  }

  terminate(): void {
    this.#line.terminate()
  }
}
