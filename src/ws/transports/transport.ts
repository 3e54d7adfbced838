import type { RefusalReason } from '../../api/reasons.js'
import type { EncodedMessages } from './encoded-messages.js'

/** A message to one client: an answer or a heartbeat. */
export interface Answer {
  readonly event: string
  readonly data: unknown
  /** The private channel that the answer is about. */
  readonly channel?: string
  /** How long to wait before retrying, if that helps. */
  readonly retry_after_ms?: number | undefined
  /** Fields of the message that had no effect. */
  readonly ignored?: readonly string[]
  /** The last batch that the answer includes, and its epoch. */
  readonly sequence?: number
  readonly epoch?: number
  /** The client's id of its message. */
  readonly id?: string | number | undefined
  /** Why it was refused, if the answer is an error. */
  readonly reason?: RefusalReason
}

/** The transport of one connection: a WebSocket or a Socket.IO session. */
export interface Transport {
  readonly isOpen: boolean
  /** The unsent bytes. */
  readonly unsentBytes: number
  /** True if the client reads more slowly than it is written to; it gets no more until it has drained. */
  readonly isCongested: boolean
  write(texts: EncodedMessages): void
  answer(answer: Answer): void
  /** Runs the work and sends everything that it writes in as few system calls as possible. */
  writeTogether(work: () => void): void
  /** Calls the listener when a client that was behind has drained. */
  onDrain(listener: () => void): void
  /** Sends a ping; terminates the transport if the last one was not answered. */
  ping(): void
  /** Closes the transport, with a close code of RFC 6455 if it supports them. */
  close(code: number, reason: string): void
  /**
   * Closes the transport and reads nothing more; terminates it if the client does not close within a second.
   */
  expel(code: number, reason: string): void
  terminate(): void
}
