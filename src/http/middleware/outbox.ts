import type { Context } from 'hono'

/** Smaller answers are always sent. */
const WEIGHT_BYTES_MIN = 16 * 1024

/** Data waiting to be sent to all clients together, as counted by the server. */
export interface Outbox {
  /** Returns whether this many more bytes may wait; if so, they count from now on. */
  takes(bytes: number): boolean
}

/**
 * Returns whether an answer of this size may be sent. Only reads are ever refused: the sender of a command
 * would take the refusal to mean that it had no effect.
 */
export function hasRoom(c: Context, bytes = WEIGHT_BYTES_MIN): boolean {
  const outbox = (c.env as { readonly outbox?: Outbox } | undefined)?.outbox
  if (outbox === undefined || bytes < WEIGHT_BYTES_MIN || c.req.method !== 'GET') return true
  return outbox.takes(bytes)
}
