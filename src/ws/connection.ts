import type { MarketCode } from '../core/units.js'
import type { BucketSize } from './bucket.js'
import { Bucket } from './bucket.js'
import type { EncodedMessages } from './transports/encoded-messages.js'
import type { Answer, Transport } from './transports/transport.js'

/** Above this many unsent bytes a connection is given nothing more of the channels. */
export const CONGESTED_BYTES = 256 * 1024
/** Above this many a client that keeps asking without reading is sent away. */
export const UNSENT_BYTES_MAX = 1024 * 1024

/** What a connection may ask for: a name costs a point, an error ten, each KiB of a snapshot one more. */
export const ASKING: BucketSize = { points: 5000, pointsPerSecond: 500 }
/** How often it may be refused for asking too much before it is sent away. */
export const REFUSALS: BucketSize = { points: 500, pointsPerSecond: 50 }

/** Close codes of RFC 6455 and its registry. */
export const GOING_AWAY = 1001
export const POLICY_VIOLATION = 1008
export const INTERNAL_ERROR = 1011
export const TRY_AGAIN_LATER = 1013

const ASKS_TOO_MUCH = 'too many messages: wait as long as the errors say'

/** A reader's place in one channel. */
export interface Place {
  /** The last message that was handed to the socket; `NOT_BEGUN` before the first snapshot. */
  sentSeq: number
}

export const NOT_BEGUN = -1

/** One client: the line to it, and where it stands in the channels it follows. */
export class Connection {
  readonly places = new Map<MarketCode, Place>()
  /** The same in the private channels, by user id. */
  readonly userPlaces = new Map<string, Place>()
  readonly #transport: Transport
  readonly #asking: Bucket
  readonly #refusals: Bucket

  /** @param at milliseconds of a clock that never goes back */
  constructor(line: Transport, at: number) {
    this.#transport = line
    this.#asking = new Bucket(ASKING, at)
    this.#refusals = new Bucket(REFUSALS, at)
  }

  get isOpen(): boolean {
    return this.#transport.isOpen
  }

  /** Whether the client reads more slowly than it is written to. */
  get isCongested(): boolean {
    return this.#transport.isCongested
  }

  write(texts: EncodedMessages): void {
    this.#transport.write(texts)
  }

  /** Answers a client's message; one that never reads its answers is sent away. */
  answer(answer: Answer): void {
    this.#transport.answer(answer)
    if (this.#transport.unsentBytes > UNSENT_BYTES_MAX) this.close(TRY_AGAIN_LATER, 'read faster')
  }

  /** Counts what the client's messages cost. */
  spend(points: number, at: number): void {
    this.#asking.take(points, at)
  }

  /**
   * Returns how long the client has to wait before it may ask for more; 0 where it need not. Each time that
   * it has to counts, and one that keeps asking is sent away.
   */
  waitMs(at: number): number {
    if (!this.#asking.isEmpty(at)) return 0
    this.#refusals.take(1, at)
    if (this.#refusals.isEmpty(at)) this.expel(POLICY_VIOLATION, ASKS_TOO_MUCH)
    return this.#asking.msUntilUsable(at)
  }

  /** Sends a client away, and hears nothing more of it. */
  expel(code: number, reason: string): void {
    this.#transport.expel(code, reason)
  }

  /** Asks for a sign of life; ends the connection where the last one was not answered. */
  ping(): void {
    this.#transport.ping()
  }

  close(code: number, reason: string): void {
    this.#transport.close(code, reason)
  }

  terminate(): void {
    this.#transport.terminate()
  }
}
