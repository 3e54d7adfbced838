import type { HttpBindings } from '@hono/node-server'
import { upgradeWebSocket } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { WebSocket } from 'ws'
import { unreachable } from '../core/assert.js'
import type { TimeMs } from '../core/units.js'
import type { ErrorCode } from '../exchange/error-envelope.js'
import { errorEnvelope } from '../exchange/error-envelope.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DoorReason } from '../exchange/refusal-reason.js'
import { reasonOfCode } from '../exchange/refusal-reason.js'
import { BookFeed } from './book-feed.js'
import type { ClientMessage, Misunderstanding } from './client-message.js'
import { readClientMessage } from './client-message.js'
import type { Place } from './connection.js'
import { Connection, GOING_AWAY } from './connection.js'
import type { Line } from './line.js'
import { UserFeed } from './user-feed.js'
import type { UserViews } from './user-wire.js'
import { userChannelName } from './user-wire.js'
import { WebSocketLine } from './web-socket-line.js'

const CONNECTIONS_MAX = 20_000
const SUBSCRIPTIONS_MAX = 1000
const FOLLOWS_ENOUGH = {
  code: 429,
  message: `A connection follows at most ${SUBSCRIPTIONS_MAX} channels: open another`,
  reason: 'channels_full',
} as const
const NO_EVENT = { code: 404, message: 'Event not found', reason: 'event_not_found' } as const

/** The WebSocket door: takes clients in, answers what they send, and keeps them in the feeds they follow. */
export class Gateway {
  readonly #exchange: Exchange
  readonly #now: () => TimeMs
  readonly #feed: BookFeed
  readonly #userFeed: UserFeed
  readonly #connections = new Set<Connection>()

  /** @param views how orders and fills are shown, the same as over HTTP */
  constructor(exchange: Exchange, now: () => TimeMs, views: UserViews) {
    this.#exchange = exchange
    this.#now = now
    this.#feed = new BookFeed(now)
    this.#userFeed = new UserFeed(exchange, now, views)
    exchange.onPublication(publication => this.#feed.publish(publication))
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** How many channels all connections follow together. */
  get subscriptionCount(): number {
    let count = 0
    for (const { places, userPlaces } of this.#connections) count += places.size + userPlaces.size
    return count
  }

  /** Whether no more connections are to be let in. */
  get isFull(): boolean {
    return this.#connections.size >= CONNECTIONS_MAX
  }

  /** The route handler: turns an upgrade request into a connection, lets every other request pass. */
  handler(): MiddlewareHandler {
    const upgrade = upgradeWebSocket((c: Context<{ Bindings: HttpBindings }>) => {
      const tcp = c.env.incoming.socket
      let connection: Connection | undefined
      return {
        onOpen: (_, { raw }) => {
          connection = this.welcome(new WebSocketLine(raw as WebSocket, tcp))
        },
        onMessage: ({ data }) => {
          if (connection !== undefined) this.hear(connection, readClientMessage(textOf(data)))
        },
        onClose: () => {
          if (connection !== undefined) this.leave(connection)
        },
        // A socket error is always followed by its close, which tidies up.
        onError: () => {},
      }
    })
    // The adapter gives an upgrade no response to write to. The header alone does not make one.
    return (c, next) => (c.env.outgoing === undefined ? upgrade(c, next) : next())
  }

  /** To be called every 20 seconds: pings, ends dead connections, tells the others how far they are. */
  beat(): void {
    const ts = this.#now()
    for (const connection of this.#connections) {
      connection.ping()
      const seq = sentSeqs(connection.places)
      const user_seq = sentSeqs(connection.userPlaces)
      if (connection.isOpen && !connection.isCongested)
        connection.answer({ event: 'heartbeat', data: { ts, seq, user_seq } })
    }
  }

  /** Says goodbye to everyone. */
  close(): void {
    for (const connection of this.#connections) connection.close(GOING_AWAY, 'the exchange is stopping')
  }

  /** Ends what has not said goodbye back. */
  terminate(): void {
    for (const connection of this.#connections) connection.terminate()
  }

  /** Takes in a client, whatever door it came through. */
  welcome(line: Line): Connection {
    const connection = new Connection(line)
    line.onDrain(() => {
      this.#feed.resume(connection)
      this.#userFeed.resume(connection)
    })
    this.#connections.add(connection)
    return connection
  }

  /** Its line has ended. */
  leave(connection: Connection): void {
    this.#connections.delete(connection)
    this.#feed.leave(connection)
    this.#userFeed.leave(connection)
  }

  /** Does what a client asks for, and answers it. */
  hear(connection: Connection, message: ClientMessage | Misunderstanding): void {
    if ('verb' in message) for (const name of message.names) this.#obey(connection, message, name)
    else refuse(connection, message, message.id)
  }

  #obey(connection: Connection, message: ClientMessage, name: string): void {
    switch (message.verb) {
      case 'subscribe_orderbook':
      case 'unsubscribe_orderbook':
        this.#obeyForMarket(connection, message, name)
        break
      case 'subscribe_user':
      case 'unsubscribe_user':
        this.#obeyForUser(connection, message, name)
        break
      default:
        unreachable(message.verb)
    }
  }

  #obeyForMarket(connection: Connection, { verb, id, fromSeq }: ClientMessage, code: string): void {
    const market = this.#exchange.marketWritten(code)
    if (market === undefined) {
      refuse(connection, NO_EVENT, id)
    } else if (verb === 'unsubscribe_orderbook') {
      this.#feed.unsubscribe(connection, market.terms.code)
      connection.answer({ event: 'unsubscribed', data: code, id })
    } else if (isFollowingEnough(connection) && !connection.places.has(market.terms.code)) {
      refuse(connection, FOLLOWS_ENOUGH, id)
    } else {
      connection.answer({ event: 'subscribed', data: code, id })
      this.#feed.subscribe(connection, market, fromSeq)
    }
  }

  #obeyForUser(connection: Connection, { verb, id, fromSeq }: ClientMessage, userId: string): void {
    const channel = userChannelName(userId)
    if (verb === 'unsubscribe_user') {
      this.#userFeed.unsubscribe(connection, userId)
      connection.answer({ event: 'unsubscribed', data: userId, channel, id })
    } else if (isFollowingEnough(connection) && !connection.userPlaces.has(userId)) {
      refuse(connection, FOLLOWS_ENOUGH, id)
    } else {
      connection.answer({ event: 'subscribed', data: userId, channel, id })
      this.#userFeed.subscribe(connection, userId, fromSeq)
    }
  }
}

function isFollowingEnough({ places, userPlaces }: Connection): boolean {
  return places.size + userPlaces.size >= SUBSCRIPTIONS_MAX
}

function sentSeqs(places: ReadonlyMap<string | number, Place>): Record<string, number> {
  return Object.fromEntries(Array.from(places, ([name, { sentSeq }]) => [name, sentSeq]))
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString('utf8')
}

interface Refused {
  readonly code: ErrorCode
  readonly message: string
  readonly reason?: DoorReason
}

function refuse(
  connection: Connection,
  { code, message, reason = reasonOfCode(code) }: Refused,
  id: string | number | undefined,
): void {
  connection.answer({ event: 'error', id, data: errorEnvelope(code, message), reason })
}
