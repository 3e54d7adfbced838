import type { Access } from '../../access/access.js'
import { mayActFor } from '../../access/rights.js'
import type { ClientMessage, Misunderstanding } from '../../api/channels/client-message.js'
import { userChannelName } from '../../api/channels/user-messages.js'
import type { ErrorCode } from '../../api/errors.js'
import { errorEnvelope } from '../../api/errors.js'
import { LIMITS } from '../../api/limits.js'
import type { DoorReason } from '../../api/reasons.js'
import { reasonOfCode } from '../../api/reasons.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { unreachable } from '../../core/assert.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Connection } from '../connection.js'
import type { Work } from '../turns.js'
import type { BookFeed } from './book-feed.js'
import type { UserFeed } from './user-feed.js'

const CHARS_PER_POINT = 1024
const ERROR_POINTS = 10
/** The cost of the first part of a private channel's replay, which is read from disk. */
const READ_POINTS = 5

type Id = ClientMessage['id']

interface Refused {
  readonly code: ErrorCode
  readonly message: string
  /** By default the message of the code. */
  readonly reason?: DoorReason
  /** When to retry, if that helps. */
  readonly retryAfterMs?: number
}

const NO_EVENT: Refused = { code: 404, message: REFUSED.eventNotFound, reason: 'event_not_found' }
const NO_TOKEN: Refused = { code: 401, message: REFUSED.tokenMissing, reason: 'token_missing' }
const OTHER_USER: Refused = { code: 403, message: REFUSED.otherUser, reason: 'other_user' }
const FULL: Refused = {
  code: 503,
  message: 'The limit of channels across all connections is reached: try again later',
  reason: 'subscriptions_full',
  retryAfterMs: 5000,
}

/**
 * Handles clients' requests, one name at a time, each within the connection's budget. The cost is charged
 * when it is known.
 */
export class Subscriptions {
  readonly #exchange: Pick<Exchange, 'marketWritten' | 'archive'>
  readonly #access: Access
  readonly #watch: () => number
  readonly #books: BookFeed
  readonly #users: UserFeed

  /** @param watch a monotonic clock in milliseconds */
  constructor(
    exchange: Pick<Exchange, 'marketWritten' | 'archive'>,
    access: Access,
    watch: () => number,
    books: BookFeed,
    users: UserFeed,
  ) {
    this.#exchange = exchange
    this.#access = access
    this.#watch = watch
    this.#books = books
    this.#users = users
  }

  /** Handles a message of the given length, in steps. */
  *handle(connection: Connection, read: () => ClientMessage | Misunderstanding, length: number): Work {
    if (!connection.isOpen) return
    const message = read()
    this.#spend(connection, Math.floor(length / CHARS_PER_POINT))
    if (!('verb' in message)) {
      this.#refuse(connection, message.id, this.#tooMuch(connection) ?? message)
      return
    }
    for (const name of message.names) {
      if (!connection.isOpen) return
      yield* this.#handleFor(connection, message, name)
    }
  }

  *#handleFor(connection: Connection, message: ClientMessage, name: string): Work {
    this.#spend(connection, 1)
    const tooMuch = this.#tooMuch(connection)
    switch (message.verb) {
      case 'subscribe_orderbook':
        if (tooMuch === undefined) this.#followBook(connection, message, name)
        else this.#refuse(connection, message.id, tooMuch)
        break
      case 'subscribe_user':
        if (tooMuch === undefined) yield* this.#followUser(connection, message, this.#userNamed(name))
        else this.#refuse(connection, message.id, tooMuch)
        break
      case 'unsubscribe_orderbook':
        this.#leaveBook(connection, message.id, name)
        break
      case 'unsubscribe_user':
        this.#leaveUser(connection, message.id, this.#userNamed(name))
        break
      default:
        unreachable(message.verb)
    }
    yield 1
  }

  #userNamed(name: string): string {
    return this.#exchange.archive.userNamed(name).userId
  }

  #followBook(connection: Connection, { id, fromSeq }: ClientMessage, code: string): void {
    if (connection.caller.kind === 'anonymous' && !this.#access.publicReads) {
      this.#refuse(connection, id, NO_TOKEN)
      return
    }
    const market = this.#exchange.marketWritten(code)
    const isNew = market !== undefined && !connection.places.has(market.terms.code)
    const full = isNew ? this.#fullness('events', connection.places.size, this.#books.count) : undefined
    if (market === undefined || full !== undefined) {
      this.#refuse(connection, id, full ?? NO_EVENT)
      return
    }
    connection.answer({ event: 'subscribed', data: code, id })
    const chars = this.#books.subscribe(connection, market, fromSeq)
    this.#spend(connection, Math.ceil(chars / CHARS_PER_POINT))
  }

  *#followUser(connection: Connection, { id, fromSeq }: ClientMessage, userId: string): Work {
    const { userPlaces, caller } = connection
    if (!mayActFor(caller, userId, 'read')) {
      this.#refuse(connection, id, caller.kind === 'anonymous' ? NO_TOKEN : OTHER_USER)
      return
    }
    const isNew = !userPlaces.has(userId)
    const full = isNew ? this.#fullness('users', userPlaces.size, this.#users.count) : undefined
    if (full !== undefined) {
      this.#refuse(connection, id, full)
      return
    }
    connection.answer({ event: 'subscribed', data: userId, channel: userChannelName(userId), id })
    const chars = yield* this.#users.subscribe(connection, userId, fromSeq)
    this.#spend(connection, chars > 0 ? Math.ceil(chars / CHARS_PER_POINT) : READ_POINTS)
  }

  #leaveBook(connection: Connection, id: Id, code: string): void {
    const market = this.#exchange.marketWritten(code)
    if (market === undefined) {
      this.#refuse(connection, id, NO_EVENT)
      return
    }
    this.#books.unsubscribe(connection, market.terms.code)
    connection.answer({ event: 'unsubscribed', data: code, id })
  }

  #leaveUser(connection: Connection, id: Id, userId: string): void {
    this.#users.unsubscribe(connection, userId)
    connection.answer({ event: 'unsubscribed', data: userId, channel: userChannelName(userId), id })
  }

  /** Returns the refusal if the connection, or all together, have reached their limit of subscriptions. */
  #fullness(what: 'events' | 'users', count: number, countInAll: number): Refused | undefined {
    const countMax = LIMITS.channelsMax[what]
    if (count >= countMax) {
      const message = `A connection follows at most ${countMax} ${what}: open another`
      return { code: 429, message, reason: 'channels_full' }
    }
    return countInAll >= LIMITS.channelsMax[`${what}InAll`] ? FULL : undefined
  }

  #spend(connection: Connection, points: number): void {
    connection.spend(points, this.#watch())
  }

  /** Returns the refusal if the connection has exceeded its request budget. */
  #tooMuch(connection: Connection): Refused | undefined {
    const waitMs = connection.waitMs(this.#watch())
    if (waitMs === 0) return undefined
    return { code: 429, message: `Too much at once: try again in ${waitMs} ms`, retryAfterMs: waitMs }
  }

  #refuse(connection: Connection, id: Id, { code, message, reason, retryAfterMs }: Refused): void {
    if (retryAfterMs === undefined) this.#spend(connection, ERROR_POINTS)
    connection.answer({
      event: 'error',
      id,
      retry_after_ms: retryAfterMs,
      data: errorEnvelope(code, message),
      reason: reason ?? reasonOfCode(code),
    })
  }
}
