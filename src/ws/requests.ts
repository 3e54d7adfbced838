import type { ReadMessage, ClientMessage } from '../api/channels/client-message.js'
import type { Message } from '../api/channels/message.js'
import { assert } from '../core/assert.js'
import type { Fault } from '../doors/error-refusal.js'
import { refusalBehind } from '../doors/error-refusal.js'
import type { Budget } from './budget.js'
import { refusedBy } from './budget.js'
import type { Connection } from './connection.js'
import type { MessageGuard } from './message-guard.js'
import type { MessageHandler } from './message-handler.js'
import type { OrderRequests } from './orders/order-requests.js'
import type { Work } from './scheduler.js'

const CHARS_PER_POINT = 1024

/** Needed to handle clients' messages. */
export interface RequestParts {
  readonly budget: Budget
  readonly guard: MessageGuard
  /** One for each message that clients may send. */
  readonly handlers: readonly MessageHandler[]
  readonly orders: OrderRequests
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Called with an error that no client could cause; it fails one message. */
  readonly fault: Fault
}

/**
 * Handles clients' messages: charges each, refuses it once the budget is spent or its caller may not send it,
 * and passes it to its handler. What an answer costs besides is charged when it is known.
 */
export class Requests {
  readonly #parts: RequestParts
  readonly #handlers: ReadonlyMap<Message, MessageHandler>

  constructor(parts: RequestParts) {
    this.#parts = parts
    this.#handlers = new Map(parts.handlers.map(handler => [handler.message, handler]))
  }

  /** Handles a message of the given length, in steps. */
  *handle(connection: Connection, read: () => ReadMessage, length: number): Work {
    if (!connection.isListening) return
    const { budget, orders, now } = this.#parts
    const asked = read()
    if ('order' in asked) {
      orders.take(connection, asked)
      yield 1
      return
    }
    budget.spend(connection, Math.floor(length / CHARS_PER_POINT))
    if ('code' in asked) {
      budget.refuse(connection, asked.id, budget.exceeded(connection) ?? asked)
      return
    }
    const handler = this.#handlers.get(asked.message)
    assert(handler !== undefined, 'each message has a handler')
    for (const data of asked.parts) {
      if (!connection.isOpen) return
      if (asked.message.isRenewal === undefined && connection.endsIfExpired(now())) return
      yield* this.#handlePart(connection, asked, { handler, data })
    }
  }

  *#handlePart(
    connection: Connection,
    { message, id, fromSeq }: ClientMessage,
    { handler, data }: { readonly handler: MessageHandler; readonly data: unknown },
  ): Work {
    const { budget, guard, fault } = this.#parts
    const { points, handling = 0, isNeverRefused = false } = message.cost
    budget.spend(connection, points)
    const tooMuch = budget.exceeded(connection)
    const user =
      tooMuch !== undefined && !isNeverRefused ? tooMuch : guard.userFor(connection.caller, message, data)
    if (typeof user === 'string') {
      if (handling > 0) budget.spend(connection, handling)
      try {
        const work = handler.handle({ connection, id, data, fromSeq, userId: user })
        if (work !== undefined) yield* work
      } catch (error) {
        budget.refuse(connection, id, refusedBy(refusalBehind(error, fault)))
      }
    } else {
      budget.refuse(connection, id, user)
    }
    yield 1
  }
}
