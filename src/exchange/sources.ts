import { randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import type { TimeMs } from '../core/units.js'

/** The only source of time, ids and randomness, so that tests can control them. */
export interface Sources {
  now(): TimeMs
  /** A monotonic clock in milliseconds, for measuring durations. */
  watch(): number
  /** The id of a queue message: a UUID (specification 2.6). */
  messageId(): string
  /** The unguessable suffix of an order id: ten letters and digits, 59 bits. */
  orderSuffix(): string
  /** The id of an event record. */
  eventId(): string
  /** Resolves a little later; background work pauses here to leave the disk to others. */
  rest(goOn: () => void): void
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Measured: without pauses, a settlement wrote three times as much per second, and the slowest orders of
 * other markets took three times as long.
 */
const REST_MS = 3

/** The machine's clock and random numbers. */
export function systemSources(): Sources {
  return {
    now: () => Date.now() as TimeMs,
    watch: () => performance.now(),
    messageId: () => randomUUID(),
    orderSuffix: customAlphabet(ALPHABET, 10),
    eventId: customAlphabet(ALPHABET, 16),
    rest: goOn => {
      setTimeout(goOn, REST_MS).unref()
    },
  }
}
