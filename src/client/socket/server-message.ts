import type { RaayError } from '../raay-error.js'

/** A channel of the exchange, as the link sees it. */
export interface Channel {
  readonly topic: 'orderbook' | 'group' | 'user'
  /** Name to subscribe with: the code of an event or a group, or a user's id. */
  readonly key: string
  /** The `event` of its messages. */
  readonly address: string
  /** Number of the last message accepted; undefined before the first snapshot. */
  readonly seq: number | undefined
  /** True once everything missed has been filled in. */
  readonly isLive: boolean
  /** Accepts a message; returns false if an earlier one is missing. */
  take(data: ChannelData): boolean
  /** Notes that the exchange continues from `seq`, or with a snapshot. */
  subscribed(): void
  /** Notes the loss of the connection: nothing is received until the next subscription. */
  cut(): void
  /** Ends all watches at the program's request. */
  close(): void
  /** Ends all watches because the exchange refuses the channel. */
  fail(error: RaayError): void
}

/** The fields that all messages of a channel share; the rest depends on the type. */
export interface ChannelData {
  readonly type: string
}

interface ServerMessage {
  readonly event: string
  readonly id?: unknown
  readonly data?: unknown
  /** Reason for the refusal, in an error. */
  readonly reason?: unknown
  /** Wait before the next request. */
  readonly retry_after_ms?: unknown
  /** The last batch that the answer includes, and its epoch. */
  readonly sequence?: unknown
  readonly epoch?: unknown
}

/** Returns whether data is a message of a channel: only those are numbered. */
export function isNumbered(data: unknown): data is ChannelData {
  if (typeof data !== 'object' || data === null) return false
  const { seq, user_seq } = data as { readonly seq?: unknown; readonly user_seq?: unknown }
  return typeof (seq ?? user_seq) === 'number'
}

/** Parses a message from the exchange; undefined if it is not in the protocol. */
export function readMessage(text: string): ServerMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<ServerMessage> | null
    return typeof message?.event === 'string' ? (message as ServerMessage) : undefined
  } catch {
    return undefined
  }
}
