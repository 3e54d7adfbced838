import { userChannelName } from '../../api/channels/user-messages.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Budget } from '../budget.js'
import type { Refused } from '../connection.js'
import type { Callers } from '../callers.js'
import type { Connection } from '../connection.js'
import type { MessageRequest } from '../message-handler.js'
import type { Work } from '../scheduler.js'
import type { BookFeed } from './book-feed.js'
import type { UserFeed } from './user-feed.js'

const CHARS_PER_POINT = 1024
/** The cost of the first part of a private channel's replay, which is read from disk. */
const READ_POINTS = 5

const NO_EVENT: Refused = { code: 404, message: REFUSED.eventNotFound, reason: 'event_not_found' }
const FULL: Refused = {
  code: 503,
  message: 'The limit of channels across all connections is reached: try again later',
  reason: 'subscriptions_full',
  retryAfterMs: 5000,
}
const USER_FULL: Refused = {
  code: 429,
  message: `A user follows at most ${SOCKET_LIMITS.perUserMax.channels} channels on all connections`,
  reason: 'channels_full',
}

/** Needed to subscribe connections. */
export interface SubscriptionParts {
  readonly exchange: Pick<Exchange, 'marketWritten' | 'archive'>
  readonly budget: Budget
  readonly callers: Callers
  readonly books: BookFeed
  readonly users: UserFeed
  /** Goes on with the messages of a connection. */
  readonly resume: (connection: Connection) => void
}

/** Subscribes connections to channels that their callers may read (see `MessageGuard`), within the limits. */
export class Subscriptions {
  readonly #parts: SubscriptionParts

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
  }

  followBook({ connection, id, fromSeq, data: code }: MessageRequest<string>): void {
    const { exchange, books, budget } = this.#parts
    const market = exchange.marketWritten(code)
    const isNew = market !== undefined && !connection.places.has(market.terms.code)
    const full = isNew ? this.#fullness(connection, 'events') : undefined
    if (market === undefined || full !== undefined) {
      budget.refuse(connection, id, full ?? NO_EVENT)
      return
    }
    connection.answer({ event: 'subscribed', data: code, id })
    const chars = books.subscribe(connection, market, fromSeq)
    budget.spend(connection, Math.ceil(chars / CHARS_PER_POINT))
  }

  *followUser({ connection, id, fromSeq, userId }: MessageRequest<string>): Work {
    const { users, budget } = this.#parts
    const full = connection.userPlaces.has(userId) ? undefined : this.#fullness(connection, 'users')
    if (full !== undefined) {
      budget.refuse(connection, id, full)
      return
    }
    connection.answer({ event: 'subscribed', data: userId, channel: userChannelName(userId), id })
    yield* this.#untilAnswered(connection)
    const chars = yield* users.subscribe(connection, userId, fromSeq)
    budget.spend(connection, chars > 0 ? Math.ceil(chars / CHARS_PER_POINT) : READ_POINTS)
  }

  /** Waits for the answers of orders that the state of a user may include already. */
  *#untilAnswered(connection: Connection): Work {
    const answered = connection.inFlight.answered()
    if (answered === undefined) return
    connection.isAwaitingAnswers = true
    void answered.then(() => {
      connection.isAwaitingAnswers = false
      this.#parts.resume(connection)
    })
    while (connection.isAwaitingAnswers && connection.isOpen) yield 1
  }

  leaveBook({ connection, id, data: code }: MessageRequest<string>): void {
    const { budget, exchange, books } = this.#parts
    const market = exchange.marketWritten(code)
    if (market === undefined) {
      budget.refuse(connection, id, NO_EVENT)
      return
    }
    books.unsubscribe(connection, market.terms.code)
    connection.answer({ event: 'unsubscribed', data: code, id })
  }

  leaveUser({ connection, id, data: name }: MessageRequest<string>): void {
    const { userId } = this.#parts.exchange.archive.userNamed(name)
    this.#parts.users.unsubscribe(connection, userId)
    connection.answer({ event: 'unsubscribed', data: userId, channel: userChannelName(userId), id })
  }

  /** Returns the refusal if the connection, its user, or all together have reached a limit of channels. */
  #fullness(connection: Connection, what: 'events' | 'users'): Refused | undefined {
    const { books, users, callers } = this.#parts
    const { size } = what === 'events' ? connection.places : connection.userPlaces
    const { count } = what === 'events' ? books : users
    const countMax = LIMITS.channelsMax[what]
    if (size >= countMax) {
      const message = `A connection follows at most ${countMax} ${what}: open another`
      return { code: 429, message, reason: 'channels_full' }
    }
    if (!callers.mayFollowMore(connection)) return USER_FULL
    return count >= LIMITS.channelsMax[`${what}InAll`] ? FULL : undefined
  }
}
