import type { HttpBindings } from '@hono/node-server'
import { upgradeWebSocket } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { WebSocket } from 'ws'
import type { ClientMessage, Misunderstanding } from '../api/channels/client-message.js'
import { readClientMessage } from '../api/channels/client-message.js'
import type { TimeMs } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Sources } from '../exchange/sources.js'
import type { Place } from './connection.js'
import { Connection, GOING_AWAY, NOT_BEGUN, TRY_AGAIN_LATER } from './connection.js'
import { BookFeed } from './feeds/book-feed.js'
import { Subscriptions } from './feeds/subscriptions.js'
import { UserFeed } from './feeds/user-feed.js'
import { Wheel } from './feeds/wheel.js'
import type { Transport } from './transports/transport.js'
import { WebSocketTransport } from './transports/web-socket-transport.js'
import type { Work } from './turns.js'
import { Turns } from './turns.js'

const CONNECTIONS_MAX = 20_000
/** Every 20 seconds each connection has its moment: one slot of the wheel after the other. */
export const BEAT_SLOTS = 200
export const BEAT_SLOT_MS = 100
/** Telling so many places costs a point. */
const PLACES_PER_POINT = 100

/** The WebSocket door: takes clients in, answers what they send, and keeps them in the feeds they follow. */
export class Gateway {
  readonly #now: () => TimeMs
  readonly #feed: BookFeed
  readonly #userFeed: UserFeed
  readonly #subscriptions: Subscriptions
  readonly #turns = new Turns()
  readonly #watch: () => number
  readonly #connections = new Set<Connection>()
  readonly #wheel = new Wheel<Connection>(BEAT_SLOTS)

  constructor(exchange: Exchange, { now, watch }: Pick<Sources, 'now' | 'watch'>) {
    this.#now = now
    this.#watch = watch
    this.#feed = new BookFeed(now)
    this.#userFeed = new UserFeed(exchange, now)
    this.#subscriptions = new Subscriptions(exchange, watch, this.#feed, this.#userFeed)
    exchange.onPublication(publication => this.#feed.publish(publication))
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** How many channels all connections follow together. */
  get subscriptionCount(): number {
    return this.#feed.count + this.#userFeed.count
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
          const socket = raw as WebSocket
          const joined = this.welcome(new WebSocketTransport(socket, tcp))
          socket.on('ping', () => this.#hearPing(joined))
          connection = joined
        },
        onMessage: ({ data }) => {
          if (connection === undefined) return
          const text = textOf(data)
          this.hear(connection, () => readClientMessage(text), text.length)
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

  /**
   * Turns the wheel by one slot, to be called every 100 ms: pings the slot's connections, ends those that
   * are dead, tells the others how far they are. One that has yet to be answered hears from us anyway.
   */
  beat(): void {
    for (const connection of this.#wheel.turn()) {
      connection.ping()
      this.#turns.resume(connection)
      if (!this.#turns.isBusy(connection)) this.#turns.add(connection, this.#tellHowFar(connection))
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
  welcome(line: Transport): Connection {
    const connection = new Connection(line, this.#watch())
    line.onDrain(() => {
      this.#feed.resume(connection)
      this.#userFeed.resume(connection)
      this.#turns.resume(connection)
    })
    this.#connections.add(connection)
    this.#wheel.add(connection)
    return connection
  }

  /** Its line has ended. */
  leave(connection: Connection): void {
    this.#connections.delete(connection)
    this.#wheel.delete(connection)
    this.#turns.drop(connection)
    this.#userFeed.leave(connection)
    this.#turns.add(connection, this.#feed.leave(connection))
  }

  /** Takes in what a client asks for, to be read and answered when its turn comes. */
  hear(connection: Connection, read: () => ClientMessage | Misunderstanding, length: number): void {
    if (!connection.isOpen) return
    if (!this.#turns.hasRoom(connection, length)) {
      connection.expel(TRY_AGAIN_LATER, 'too many messages wait: read faster')
      return
    }
    this.#turns.add(connection, this.#subscriptions.obey(connection, read, length), length)
  }

  /** A ping is answered by itself, and is a message like others. */
  #hearPing(connection: Connection): void {
    const at = this.#watch()
    connection.spend(1, at)
    connection.waitMs(at)
  }

  *#tellHowFar(connection: Connection): Work {
    if (!connection.isOpen || connection.isCongested) return
    const seqs = sentSeqs(connection.places)
    const user_seq = sentSeqs(connection.userPlaces)
    connection.answer({ event: 'heartbeat', data: { ts: this.#now(), seq: seqs, seqs, user_seq } })
    yield 1 + Math.floor((connection.places.size + connection.userPlaces.size) / PLACES_PER_POINT)
  }
}

function sentSeqs(places: ReadonlyMap<string | number, Place>): Record<string, number> {
  const begun = Array.from(places).filter(([, { sentSeq }]) => sentSeq !== NOT_BEGUN)
  return Object.fromEntries(begun.map(([name, { sentSeq }]) => [name, sentSeq]))
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString('utf8')
}
