import { randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import type { TimeMs } from '../core/units.js'

/** Where time and chance come from. The only door to both, so that a test can hold them still. */
export interface Sources {
  now(): TimeMs
  /** The id of a queue message: a UUID (spec 2.6). */
  messageId(): string
  /** The tail of an order id that nobody guesses: ten letters and digits, 59 bits. */
  orderSuffix(): string
  /** The id of an event record. */
  eventId(): string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The machine's clock and random numbers. */
export function systemSources(): Sources {
  return {
    now: () => Date.now() as TimeMs,
    messageId: () => randomUUID(),
    orderSuffix: customAlphabet(ALPHABET, 10),
    eventId: customAlphabet(ALPHABET, 16),
  }
}
