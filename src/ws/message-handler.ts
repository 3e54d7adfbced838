import type { ClientMessage } from '../api/channels/client-message.js'
import type { Message } from '../api/channels/message.js'
import type { Connection } from './connection.js'
import type { Work } from './scheduler.js'

/** A message whose sender may send it, or one of the names in it. */
export interface MessageRequest<Data> {
  readonly connection: Connection
  readonly id: ClientMessage['id']
  readonly data: Data
  readonly fromSeq: number | undefined
  /** The user for whom the caller may act here; empty for messages that need no right for a user. */
  readonly userId: string
}

/** A message and what handles it: at once, or in steps. */
export interface MessageHandler<Data = unknown> {
  readonly message: Message<Data>
  handle(request: MessageRequest<Data>): Work | void
}

/** Binds a handler to a message. */
export function handles<Data>(
  message: Message<Data>,
  handle: (request: MessageRequest<Data>) => Work | void,
): MessageHandler {
  return { message, handle } as MessageHandler<Data>
}
