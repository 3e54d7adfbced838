import type { Identity } from '../access/identity.js'
import { ANONYMOUS } from '../access/identity.js'
import { Bucket } from '../access/limits/bucket.js'
import type { ErrorCode } from '../api/errors.js'
import { errorEnvelope } from '../api/errors.js'
import type { RefusalReason } from '../api/reasons.js'
import { reasonOfCode } from '../api/reasons.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { MarketCode } from '../core/units.js'
import { InFlight } from './orders/in-flight.js'
import type { EncodedMessages } from './transports/encoded-messages.js'
import type { Answer, Transport } from './transports/transport.js'

/** Above this many unsent bytes a connection gets no more channel messages. */
export const CONGESTED_BYTES = SOCKET_LIMITS.unsentBytesMax.congested
/** Above this many unsent bytes a client that keeps asking without reading is disconnected. */
export const UNSENT_BYTES_MAX = SOCKET_LIMITS.unsentBytesMax.closed

/** Close codes of RFC 6455 and its registry. */
export const GOING_AWAY = 1001
export const POLICY_VIOLATION = 1008
export const INTERNAL_ERROR = 1011
export const TRY_AGAIN_LATER = 1013
/** The credential of the connection has ended or expired, or its rights have changed. */
export const CREDENTIAL_ENDED = 4401
export const CREDENTIAL_ENDED_TEXT = 'the session, key or token has ended: authenticate again'

const ASKS_TOO_MUCH = 'too many messages: wait as long as the errors say'

/** Why a client's message is refused. */
export interface Refused {
  readonly code: ErrorCode
  readonly message: string
  /** By default the reason of the code. */
  readonly reason?: RefusalReason
  /** When to retry, if that helps. */
  readonly retryAfterMs?: number
}

/** A subscriber's place in one channel. */
export interface Place {
  /** The last message written to the socket; `NOT_BEGUN` before the first snapshot. */
  sentSeq: number
}

export const NOT_BEGUN = -1

/** The orders that are cancelled when a connection ends: a user's, in some markets or in all. */
export interface CancelSetting {
  readonly userId: string
  /** Undefined for all. */
  readonly markets: ReadonlySet<MarketCode> | undefined
}

/** One client: its transport, and its place in each subscribed channel. */
export class Connection {
  readonly places = new Map<MarketCode, Place>()
  /** Its places in private channels, by user id. */
  readonly userPlaces = new Map<string, Place>()
  /** The client's identity; a message may set it later. */
  caller: Identity = ANONYMOUS
  /** The client's address, for keys that are bound to addresses. */
  address = ''
  /** The orders to cancel when it ends. */
  cancelSetting: CancelSetting | undefined
  /** The tokens that were refused. */
  refusedTokens = 0
  /** True while a token is being verified: no other message is handled. */
  isAuthenticating = false
  /** True while a snapshot waits for the answers of the orders that it may include. */
  isAwaitingAnswers = false
  /** Its orders that are not answered yet. */
  readonly inFlight = new InFlight()
  /** True once it reads nothing more, and closes with its last answer. */
  #isFinishing = false
  readonly #transport: Transport
  readonly #asking: Bucket
  readonly #refusals: Bucket

  /** @param at milliseconds of a monotonic clock */
  constructor(transport: Transport, at: number) {
    this.#transport = transport
    this.#asking = new Bucket(SOCKET_LIMITS.asking, at)
    this.#refusals = new Bucket(SOCKET_LIMITS.refusals, at)
  }

  get isOpen(): boolean {
    return this.#transport.isOpen
  }

  /** True if the client reads more slowly than it is written to. */
  get isCongested(): boolean {
    return this.#transport.isCongested
  }

  /** True if its messages have to wait. */
  get isHeldUp(): boolean {
    return this.isAuthenticating || this.isAwaitingAnswers || this.isCongested
  }

  /** True if its messages are still handled. */
  get isListening(): boolean {
    return this.isOpen && !this.#isFinishing
  }

  /** Disconnects a client whose credential has expired, at epoch milliseconds; returns true then. */
  endsIfExpired(now: number): boolean {
    const { expiresAt } = this.caller
    if (expiresAt === undefined || now < expiresAt) return false
    this.expel(CREDENTIAL_ENDED, CREDENTIAL_ENDED_TEXT)
    return true
  }

  write(texts: EncodedMessages): void {
    this.#transport.write(texts)
  }

  /** Sends everything that the work writes in as few system calls as the transport can. */
  writeTogether(work: () => void): void {
    this.#transport.writeTogether(work)
  }

  /** Answers a client's message; disconnects a client that never reads its answers. */
  answer(answer: Answer): void {
    this.#transport.answer(answer)
    if (this.#transport.unsentBytes > UNSENT_BYTES_MAX) this.close(TRY_AGAIN_LATER, 'read faster')
  }

  /** Tells a client why its message is refused. */
  refuse(id: Answer['id'], { code, message, reason, retryAfterMs }: Refused): void {
    this.answer({
      event: 'error',
      id,
      retry_after_ms: retryAfterMs,
      data: errorEnvelope(code, message),
      reason: reason ?? reasonOfCode(code),
    })
  }

  /** Handles nothing more, and closes once the orders in flight are answered. */
  finish(code: number, reason: string): void {
    this.#isFinishing = true
    const answered = this.inFlight.answered()
    if (answered === undefined) this.close(code, reason)
    else void answered.then(() => this.close(code, reason))
  }

  /** Charges the cost of a client's message. */
  spend(points: number, at: number): void {
    this.#asking.take(points, at)
  }

  /**
   * Returns how long the client must wait before its next request; 0 if it need not. Counts each refusal, and
   * disconnects a client that keeps asking.
   */
  waitMs(at: number): number {
    if (!this.#asking.isEmpty(at)) return 0
    this.#refusals.take(1, at)
    if (this.#refusals.isEmpty(at)) this.expel(POLICY_VIOLATION, ASKS_TOO_MUCH)
    return this.#asking.msUntilUsable(at)
  }

  /** Disconnects a client and ignores anything it still sends. */
  expel(code: number, reason: string): void {
    this.#transport.expel(code, reason)
  }

  /** Sends a ping; ends the connection if the last one was not answered. */
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
