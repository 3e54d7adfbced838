import { userChannelName } from '../../api/channels/user-messages.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import type { MarketCode } from '../../core/units.js'
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
const NO_GROUP: Refused = { code: 404, message: REFUSED.groupNotFound, reason: 'group_not_found' }
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
  readonly exchange: Pick<Exchange, 'marketWritten' | 'groups' | 'archive'>
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

  followBook(request: MessageRequest<string>): void {
    const { exchange, books } = this.#parts
    const { connection, fromSeq, data: code } = request
    const market = exchange.marketWritten(code)
    if (market === undefined) this.#refuse(request, NO_EVENT)
    else this.#follow(request, market.terms, () => books.subscribe(connection, market, fromSeq))
  }

  followGroup(request: MessageRequest<string>): void {
    const { exchange, books } = this.#parts
    const { connection, fromSeq, data: code } = request
    const group = exchange.groups.written(code)
    if (group === undefined) this.#refuse(request, NO_GROUP)
    else this.#follow(request, group.terms, () => books.subscribeGroup(connection, group, fromSeq))
  }

  /** Subscribes to an event or a group, unless its connection, its user or all follow too many. */
  #follow(
    request: MessageRequest<string>,
    { code }: { readonly code: MarketCode },
    subscribe: () => number,
  ): void {
    const { connection, id, data } = request
    const full = connection.places.has(code) ? undefined : this.#fullness(connection, 'events')
    if (full !== undefined) {
      this.#refuse(request, full)
      return
    }
    connection.answer({ event: 'subscribed', data, id })
    this.#parts.budget.spend(connection, Math.ceil(subscribe() / CHARS_PER_POINT))
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

  leaveBook(request: MessageRequest<string>): void {
    const market = this.#parts.exchange.marketWritten(request.data)
    if (market === undefined) this.#refuse(request, NO_EVENT)
    else this.#leave(request, market.terms)
  }

  leaveGroup(request: MessageRequest<string>): void {
    const group = this.#parts.exchange.groups.written(request.data)
    if (group === undefined) this.#refuse(request, NO_GROUP)
    else this.#leave(request, group.terms)
  }

  #leave({ connection, id, data }: MessageRequest<string>, { code }: { readonly code: MarketCode }): void {
    this.#parts.books.unsubscribe(connection, code)
    connection.answer({ event: 'unsubscribed', data, id })
  }

  #refuse({ connection, id }: MessageRequest<string>, refused: Refused): void {
    this.#parts.budget.refuse(connection, id, refused)
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
      const names = what === 'events' ? 'events and groups' : what
      const message = `A connection follows at most ${countMax} ${names}: open another`
      return { code: 429, message, reason: 'channels_full' }
    }
    if (!callers.mayFollowMore(connection)) return USER_FULL
    return count >= LIMITS.channelsMax[`${what}InAll`] ? FULL : undefined
  }
}
