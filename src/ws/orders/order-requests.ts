import type { Identity } from '../../access/identity.js'
import type { OrderAsked } from '../../api/channels/client-message.js'
import type { OrderMessage } from '../../api/channels/order-message.js'
import { countIn } from '../../api/channels/order-message.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import { assert } from '../../core/assert.js'
import type { Fault } from '../../doors/error-refusal.js'
import { refusalBehind } from '../../doors/error-refusal.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Budget } from '../budget.js'
import { refusedBy } from '../budget.js'
import type { Connection, Refused } from '../connection.js'
import { NOT_LEADER, refusalFor } from '../message-guard.js'
import type { OrderHandlers } from './order-bindings.js'

const { inFlightMax } = SOCKET_LIMITS

const MANY_IN_FLIGHT: Refused = {
  code: 429,
  message: `A connection has at most ${inFlightMax.connection} orders in flight: wait for their answers`,
  reason: 'orders_in_flight',
}
const ALL_IN_FLIGHT = new ApiError(503, REFUSED.tooManyInFlight, 'requests_full')
const TOO_BUSY = new ApiError(503, REFUSED.tooBusy, 'busy')

/** A message in flight. */
interface Running {
  readonly connection: Connection
  /** The sender as it was read. */
  readonly caller: Identity
  readonly asked: OrderAsked
  readonly number: number
  readonly orders: number
}

/** Begins orders, amendments and cancels of all doors in the order in which they were read. */
export interface Commands {
  add<Request>(begin: (request: Request) => void, request: Request, kind: 'command', weight: number): void
  /** Tells whether an order that is read now would wait too long for its commit. */
  isTooBusy(): boolean
}

/** Needed to handle messages about orders. */
export interface OrderParts {
  readonly exchange: Pick<Exchange, 'leads' | 'applied'>
  readonly handlers: OrderHandlers
  readonly budget: Budget
  readonly commands: Commands
  /** Called with an error that no client could cause. */
  readonly fault: Fault
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Handles messages about orders: refuses them within the limits as HTTP does, begins them in their turn among
 * the commands of all doors, and answers each when it is on disk. Answers may come in another order.
 */
export class OrderRequests {
  readonly #parts: OrderParts
  #inFlight = 0

  constructor(parts: OrderParts) {
    this.#parts = parts
  }

  /** Takes a message that has just been read. */
  take(connection: Connection, asked: OrderAsked): void {
    if (!connection.isOpen || connection.endsIfExpired(this.#parts.now())) return
    const { caller } = connection
    const orders = countIn(asked.order, asked.data)
    const refused = this.#refusal(connection, asked.order, orders)
    if (refused !== undefined) {
      connection.refuse(asked.id, refused)
      return
    }

    // After this point it is in flight until it is answered, or its connection has ended.
    this.#inFlight += orders
    const number = connection.inFlight.begin(orders)
    this.#parts.commands.add(this.#begin, { connection, caller, asked, number, orders }, 'command', orders)
  }

  #refusal(connection: Connection, message: OrderMessage, orders: number): Refused | undefined {
    const { exchange, budget, commands } = this.#parts
    if (connection.inFlight.orders + orders > inFlightMax.connection) return MANY_IN_FLIGHT
    if (this.#inFlight + orders > inFlightMax.inAll) return refusedBy(ALL_IN_FLIGHT)
    if (message.placesOrders && commands.isTooBusy()) return refusedBy(TOO_BUSY)
    const tooMany = budget.takeOrders(connection, message.cost, orders)
    if (tooMany !== undefined) return tooMany
    if (!exchange.leads) return NOT_LEADER
    const { caller } = connection
    return caller.scopes.has(message.needs) ? undefined : refusalFor(caller, message.needs)
  }

  readonly #begin = (running: Running): void => {
    const { connection, caller, asked } = running
    // What has not begun when a connection ends, or its credential does, never begins.
    if (!connection.isOpen) {
      this.#end(running)
      return
    }
    const handle = this.#parts.handlers.get(asked.order)
    assert(handle !== undefined, 'each message about orders has a handler')
    handle(caller, asked.data).then(
      handled => {
        const { last: sequence, epoch } = this.#parts.exchange.applied
        const includes = { sequence, epoch: epoch.epoch }
        connection.answer({ event: asked.order.answer.event, id: asked.id, ...includes, ...handled })
        this.#end(running)
      },
      (error: unknown) => {
        connection.refuse(asked.id, refusedBy(refusalBehind(error, this.#parts.fault)))
        this.#end(running)
      },
    )
  }

  #end({ connection, number, orders }: Running): void {
    this.#inFlight -= orders
    connection.inFlight.end(number, orders)
  }
}
