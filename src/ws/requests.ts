import type { ClientMessage, SubscriptionMessage } from '../api/channels/client-message.js'
import type { ConnectionMessage } from '../api/channels/connection-message.js'
import type { Misunderstanding } from '../api/channels/misunderstanding.js'
import { unreachable } from '../core/assert.js'
import type { Authentication } from './authentication.js'
import type { Budget } from './budget.js'
import type { Connection } from './connection.js'
import type { DisconnectCancels } from './disconnect-cancels.js'
import type { Subscriptions } from './feeds/subscriptions.js'
import type { Work } from './turns.js'

const CHARS_PER_POINT = 1024

/** Needed to handle clients' messages. */
export interface RequestParts {
  readonly budget: Budget
  readonly authentication: Authentication
  readonly subscriptions: Subscriptions
  readonly cancels: DisconnectCancels
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Handles clients' messages, each within the connection's budget. The cost is charged when it is known. */
export class Requests {
  readonly #parts: RequestParts

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** Handles a message of the given length, in steps. */
  *handle(connection: Connection, read: () => ClientMessage | Misunderstanding, length: number): Work {
    if (!connection.isOpen) return
    const { budget } = this.#parts
    const message = read()
    budget.spend(connection, Math.floor(length / CHARS_PER_POINT))
    if (!('verb' in message)) {
      budget.refuse(connection, message.id, budget.exceeded(connection) ?? message)
      return
    }
    if ('names' in message) yield* this.#handleNames(connection, message)
    else yield* this.#handleConnection(connection, message)
  }

  *#handleConnection(connection: Connection, message: ConnectionMessage): Work {
    const { budget, authentication, cancels, now } = this.#parts
    budget.spend(connection, 1)
    const tooMuch = budget.exceeded(connection)
    if (tooMuch !== undefined) budget.refuse(connection, message.id, tooMuch)
    else if (message.verb === 'authenticate') yield* authentication.authenticate(connection, message)
    else if (!connection.endsIfExpired(now())) cancels.set(connection, message)
    yield 1
  }

  *#handleNames(connection: Connection, message: SubscriptionMessage): Work {
    for (const name of message.names) {
      if (!connection.isOpen || connection.endsIfExpired(this.#parts.now())) return
      yield* this.#handleName(connection, message, name)
    }
  }

  *#handleName(connection: Connection, message: SubscriptionMessage, name: string): Work {
    const { budget, subscriptions } = this.#parts
    budget.spend(connection, 1)
    const tooMuch = budget.exceeded(connection)
    switch (message.verb) {
      case 'subscribe_orderbook':
        if (tooMuch === undefined) subscriptions.followBook(connection, message, name)
        else budget.refuse(connection, message.id, tooMuch)
        break
      case 'subscribe_user':
        if (tooMuch === undefined) yield* subscriptions.followUser(connection, message, name)
        else budget.refuse(connection, message.id, tooMuch)
        break
      case 'unsubscribe_orderbook':
        subscriptions.leaveBook(connection, message.id, name)
        break
      case 'unsubscribe_user':
        subscriptions.leaveUser(connection, message.id, name)
        break
      default:
        unreachable(message.verb)
    }
    yield 1
  }
}
