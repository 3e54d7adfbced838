import type { RaayError } from './raay-error.js'

/** Something that the exchange tells about, as the link sees it. */
export interface Channel {
  readonly topic: 'orderbook' | 'user'
  /** What to subscribe with: an event's code, a user's id. */
  readonly key: string
  /** The `event` of its messages. */
  readonly address: string
  /** The number of the last message that was taken; undefined before the first snapshot. */
  readonly seq: number | undefined
  /** Whether all that was missed is here. */
  readonly isLive: boolean
  /** Takes a message; false where something is missing before it. */
  take(data: ChannelData): boolean
  /** The exchange goes on from `seq`, or with a snapshot. */
  subscribed(): void
  /** What is told from now on is not heard. */
  cut(): void
  /** Ends all watches, by the program's wish. */
  close(): void
  /** Ends all watches, for the exchange refuses. */
  fail(error: RaayError): void
}

/** What every message of a channel has; the rest depends on its type. */
export interface ChannelData {
  readonly type: string
}

interface ServerMessage {
  readonly event: string
  readonly id?: unknown
  readonly data?: unknown
  /** Why it was refused, where it is an error. */
  readonly reason?: unknown
  /** How long to wait before asking again. */
  readonly retry_after_ms?: unknown
}

/** Whether it is a message of a channel: all of those are numbered. */
export function isNumbered(data: unknown): data is ChannelData {
  if (typeof data !== 'object' || data === null) return false
  const { seq, user_seq } = data as { readonly seq?: unknown; readonly user_seq?: unknown }
  return typeof (seq ?? user_seq) === 'number'
}

/** What the exchange says; undefined where that is not how it speaks. */
export function readMessage(text: string): ServerMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<ServerMessage> | null
    return typeof message?.event === 'string' ? (message as ServerMessage) : undefined
  } catch {
    return undefined
  }
}
