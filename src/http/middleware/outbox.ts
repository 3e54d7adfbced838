import type { Context } from 'hono'

/** Below this an answer has no weight: it is always given. */
const WEIGHT_BYTES_MIN = 16 * 1024

/** What waits to be sent to all clients together, as the server counts it. */
export interface Outbox {
  /** Whether so many bytes more may wait; if so, they count from now on. */
  takes(bytes: number): boolean
}

/**
 * Whether an answer of so many bytes, or one of any weight, may be given. Only questions are refused so: who
 * asked for more than an answer would believe that nothing was done.
 */
export function hasRoom(c: Context, bytes = WEIGHT_BYTES_MIN): boolean {
  const outbox = (c.env as { readonly outbox?: Outbox } | undefined)?.outbox
  if (outbox === undefined || bytes < WEIGHT_BYTES_MIN || c.req.method !== 'GET') return true
  return outbox.takes(bytes)
}
