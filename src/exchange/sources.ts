import { randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import type { TimeMs } from '../core/units.js'

/** Where time and chance come from. The only door to both, so that a test can hold them still. */
export interface Sources {
  now(): TimeMs
  /** Milliseconds that never go back, since some moment: to measure how long something takes. */
  watch(): number
  /** The id of a queue message: a UUID (specification 2.6). */
  messageId(): string
  /** The tail of an order id that nobody guesses: ten letters and digits, 59 bits. */
  orderSuffix(): string
  /** The id of an event record. */
  eventId(): string
  /** Goes on a little later, with work that nobody waits for: so others find the disk free. */
  rest(goOn: () => void): void
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A settlement that never rested wrote three times as much a second, and the slowest orders of other markets
 * took three times as long.
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
