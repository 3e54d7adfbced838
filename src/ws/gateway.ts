import type { HttpBindings } from '@hono/node-server'
import { upgradeWebSocket } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { WebSocket } from 'ws'
import type { Access } from '../access/access.js'
import type { Identity } from '../access/identity.js'
import type { ReadMessage } from '../api/channels/client-message.js'
import { MessageReader } from '../api/channels/client-message.js'
import { ORDER_MESSAGES } from '../api/channels/order-messages.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { TimeMs } from '../core/units.js'
import type { Fault } from '../doors/error-refusal.js'
import type { Exchange } from '../exchange/exchange.js'
import type { TimeShare } from '../exchange/operations/loop-share.js'
import { LoopShare } from '../exchange/operations/loop-share.js'
import type { Sources } from '../exchange/sources.js'
import { Authentication } from './authentication.js'
import type { SocketLimits } from './budget.js'
import { Budget } from './budget.js'
import { Callers } from './callers.js'
import type { Place } from './connection.js'
import {
  Connection,
  CREDENTIAL_ENDED,
  CREDENTIAL_ENDED_TEXT,
  GOING_AWAY,
  NOT_BEGUN,
  TRY_AGAIN_LATER,
} from './connection.js'
import { DisconnectCancels } from './disconnect-cancels.js'
import { BookFeed } from './feeds/book-feed.js'
import { Subscriptions } from './feeds/subscriptions.js'
import { UserFeed } from './feeds/user-feed.js'
import { Wheel } from './feeds/wheel.js'
import { messageHandlers } from './handlers.js'
import { MessageGuard } from './message-guard.js'
import type { MessageHandler } from './message-handler.js'
import { orderHandlers } from './orders/order-bindings.js'
import type { Commands } from './orders/order-requests.js'
import { OrderRequests } from './orders/order-requests.js'
import { Requests } from './requests.js'
import type { Work } from './scheduler.js'
import { Scheduler } from './scheduler.js'
import type { Transport } from './transports/transport.js'
import { WebSocketTransport } from './transports/web-socket-transport.js'

/** The slots of the heartbeat wheel: each connection has one heartbeat per 20 seconds. */
export const BEAT_SLOTS = 200
export const BEAT_SLOT_MS = 100
/** Reporting this many channel positions costs a point. */
const PLACES_PER_POINT = 100

/** Needed to serve WebSocket clients. */
export interface GatewayParts {
  readonly exchange: Exchange
  readonly access: Access
  readonly clock: Pick<Sources, 'now' | 'watch'>
  /** Called with an error that no client could cause. */
  readonly fault: Fault
  /** None by default. */
  readonly limits?: SocketLimits
  /** The commands of all doors; by default each begins at once. */
  readonly commands?: Commands
  /** The time of subscriptions and market messages; by default what orders leave. */
  readonly share?: TimeShare
  /** Messages beside those of the API, with their handlers. */
  readonly moreMessages?: readonly MessageHandler[]
}

/** Accepts WebSocket clients, handles their messages, and manages their subscriptions. */
export class Gateway {
  /** Identifies the clients. */
  readonly authentication: Authentication
  /** Reads the messages that have a handler. */
  readonly messages: MessageReader
  readonly #now: () => TimeMs
  readonly #feed: BookFeed
  readonly #userFeed: UserFeed
  readonly #cancels: DisconnectCancels
  readonly #requests: Requests
  readonly #orders: OrderRequests
  readonly #scheduler: Scheduler
  readonly #watch: () => number
  readonly #connections = new Set<Connection>()
  readonly #wheel = new Wheel<Connection>(BEAT_SLOTS)

  constructor(parts: GatewayParts) {
    const { exchange, access, clock, fault, limits = { limiter: undefined }, moreMessages = [] } = parts
    const { commands = AT_ONCE, share = new LoopShare(exchange.ordersWaiting) } = parts
    const { now, watch } = clock
    this.#now = now
    this.#watch = watch
    this.#scheduler = new Scheduler(share)
    this.#feed = new BookFeed(now, share)
    const [books, users] = [this.#feed, new UserFeed(exchange, now)]
    this.#userFeed = users
    const [budget, callers] = [new Budget(watch, limits), new Callers(limits)]
    const resume = (connection: Connection) => this.#scheduler.resume(connection)
    const authentication = new Authentication({ exchange, access, budget, callers, users, books, resume })
    this.authentication = authentication
    const subscriptions = new Subscriptions({ exchange, budget, callers, books, users, resume })
    this.#cancels = new DisconnectCancels({ exchange, budget })
    const standard = messageHandlers({ authentication, subscriptions, cancels: this.#cancels })
    const handlers = [...standard, ...moreMessages]
    const messagesOf = (bound: readonly MessageHandler[]) => bound.map(({ message }) => message)
    this.messages = new MessageReader([
      ...messagesOf(standard),
      ...ORDER_MESSAGES,
      ...messagesOf(moreMessages),
    ])
    const placing = { exchange, handlers: orderHandlers(exchange, fault), budget, commands, fault, now }
    const orders = new OrderRequests(placing)
    this.#orders = orders
    this.#requests = new Requests({
      budget,
      guard: new MessageGuard(access, exchange),
      handlers,
      orders,
      fault,
      now,
    })
    exchange.onPublication(publication => this.#feed.publish(publication))
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** The number of subscriptions of all connections. */
  get subscriptionCount(): number {
    return this.#feed.count + this.#userFeed.count
  }

  /** The users whose orders are still to be cancelled, since their connections have ended. */
  get cancelsWaiting(): number {
    return this.#cancels.waitingCount
  }

  /** True if no more connections are accepted. */
  get isFull(): boolean {
    return this.#connections.size >= SOCKET_LIMITS.connectionsMax
  }

  /** Returns the route handler: turns an upgrade request into a connection, passes other requests on. */
  handler(): MiddlewareHandler {
    const upgrade = upgradeWebSocket((c: Context<{ Bindings: HttpBindings }>) => {
      const { incoming } = c.env
      let connection: Connection | undefined
      return {
        onOpen: (_, { raw }) => {
          const socket = raw as WebSocket
          const joined = this.accept(new WebSocketTransport(socket, incoming.socket), incoming)
          socket.on('ping', () => this.#receivePing(joined))
          // Not by onMessage, for which an event would be made each time.
          socket.on('message', (data: Buffer) => this.#receiveText(joined, data.toString('utf8')))
          connection = joined
        },
        onClose: () => {
          if (connection !== undefined) this.leave(connection)
        },
        // A socket error is always followed by its close event, which cleans up.
        onError: () => {},
      }
    })
    // The adapter gives an upgrade no response to write to. The header alone does not make one.
    return (c, next) => (c.env.outgoing === undefined ? upgrade(c, next) : next())
  }

  /**
   * Advances the wheel by one slot; to be called every 100 ms. Pings the slot's connections, ends dead ones
   * and those whose credentials have expired, and sends the others their channel positions. A connection with
   * pending answers gets no positions: its answers follow anyway.
   */
  beat(): void {
    this.authentication.beat(this.#watch())
    this.#cancels.beat()
    const now = this.#now()
    for (const connection of this.#wheel.advance()) {
      if (connection.endsIfExpired(now)) continue
      connection.ping()
      this.#scheduler.resume(connection)
      if (!this.#scheduler.isBusy(connection))
        this.#scheduler.add(connection, this.#reportPositions(connection))
    }
  }

  /** Closes all connections, each with the answer to its last order; the orders of their users stay. */
  close(): void {
    this.#cancels.stop()
    for (const connection of this.#connections) connection.finish(GOING_AWAY, 'the exchange is stopping')
  }

  /** Terminates the connections that have not closed yet. */
  terminate(): void {
    this.#cancels.stop()
    for (const connection of this.#connections) connection.terminate()
  }

  /** Closes the connections of callers who may no longer be what they were. */
  expel(isFormer: (caller: Identity) => boolean): void {
    for (const connection of this.#connections) {
      if (isFormer(connection.caller)) connection.expel(CREDENTIAL_ENDED, CREDENTIAL_ENDED_TEXT)
    }
  }

  /** Accepts a client on any transport, as whom its handshake was admitted. */
  accept(transport: Transport, handshake: object): Connection {
    const at = this.#watch()
    const connection = new Connection(transport, at)
    transport.onDrain(() => {
      this.#feed.resume(connection)
      this.#userFeed.resume(connection)
      this.#scheduler.resume(connection)
    })
    this.#connections.add(connection)
    this.#wheel.add(connection)
    this.authentication.begin(connection, handshake, at)
    return connection
  }

  /** Removes a client whose transport has closed. */
  leave(connection: Connection): void {
    this.#connections.delete(connection)
    this.#wheel.delete(connection)
    this.authentication.leave(connection)
    this.#cancels.begin(connection)
    this.#scheduler.drop(connection)
    this.#scheduler.add(connection, this.#userFeed.leave(connection))
    this.#scheduler.add(connection, this.#feed.leave(connection))
  }

  /**
   * Handles a client's message: at once if it is about orders and nothing of the connection waits, otherwise
   * in fair order behind its earlier messages.
   */
  receive(connection: Connection, read: () => ReadMessage, length: number, mayBeOrder: boolean): void {
    if (!connection.isListening) return
    const isFirst = mayBeOrder && !connection.isHeldUp && !this.#scheduler.isBusy(connection)
    const asked = isFirst ? read() : undefined
    if (asked === undefined) this.#queue(connection, read, length)
    else if ('order' in asked) this.#orders.take(connection, asked)
    else this.#queue(connection, () => asked, length)
  }

  #receiveText(connection: Connection, text: string): void {
    const mayBeOrder = this.messages.mayBeOrder(text)
    this.receive(connection, () => this.messages.read(text), text.length, mayBeOrder)
  }

  #queue(connection: Connection, read: () => ReadMessage, length: number): void {
    if (!this.#scheduler.hasRoom(connection, length)) {
      connection.expel(TRY_AGAIN_LATER, 'too many messages wait: read faster')
      return
    }
    this.#scheduler.add(connection, this.#requests.handle(connection, read, length), length)
  }

  /** Charges a ping like any other message; the library answers it. */
  #receivePing(connection: Connection): void {
    const at = this.#watch()
    connection.spend(1, at)
    connection.waitMs(at)
  }

  *#reportPositions(connection: Connection): Work {
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

/** Begins each command at once. */
const AT_ONCE: Commands = { add: (begin, request) => begin(request), isTooBusy: () => false }
