import type { DoorReason } from '../../api/reasons.js'
import type { EncodedMessages } from './encoded-messages.js'

/** What is said to one client alone: the answer to what it sent, or a heartbeat. */
export interface Answer {
  readonly event: string
  readonly data: unknown
  /** The private channel that the answer is about. */
  readonly channel?: string
  /** How long to wait before asking again, where that helps. */
  readonly retry_after_ms?: number | undefined
  /** The client's name for its message. */
  readonly id?: string | number | undefined
  /** Why it was refused, where the answer is an error. */
  readonly reason?: DoorReason
}

/** What carries the messages of one connection: a WebSocket, or a session of Socket.IO. */
export interface Transport {
  readonly isOpen: boolean
  /** How much of what it was given is not yet on its way to the client. */
  readonly unsentBytes: number
  /** Whether the client reads more slowly than it is written to; it gets no more until it has drained. */
  readonly isCongested: boolean
  write(texts: EncodedMessages): void
  answer(answer: Answer): void
  /** The listener is called when a client that had been left behind may be given more. */
  onDrain(listener: () => void): void
  /** Asks for a sign of life; ends the line where the last one was not answered. */
  ping(): void
  /** Says goodbye, with a close code of RFC 6455 where the line knows them. */
  close(code: number, reason: string): void
  /** The same, and reads nothing more: what does not say goodbye back within a second is cut off. */
  expel(code: number, reason: string): void
  terminate(): void
}
