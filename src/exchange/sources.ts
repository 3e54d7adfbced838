import { randomUUID } from 'node:crypto'
import { openSync, readSync } from 'node:fs'
import { customAlphabet } from 'nanoid'
import type { TimeMs } from '../core/units.js'

/** The only source of time, ids and randomness, so that tests can control them. */
export interface Sources {
  now(): TimeMs
  /** A monotonic clock in milliseconds, for measuring durations. */
  watch(): number
  /** Milliseconds since the machine was booted, asleep or awake; undefined where the system does not tell. */
  sinceBoot(): number | undefined
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
const UPTIME_BYTES_MAX = 64
let uptimeFile: number | undefined

/** The machine's clock and random numbers. */
export function systemSources(): Sources {
  return {
    now: () => Date.now() as TimeMs,
    watch: () => performance.now(),
    sinceBoot: sinceBootReader(),
    messageId: () => randomUUID(),
    orderSuffix: customAlphabet(ALPHABET, 10),
    eventId: customAlphabet(ALPHABET, 16),
    rest: goOn => {
      setTimeout(goOn, REST_MS).unref()
    },
  }
}

/**
 * Returns a reader of Linux's /proc/uptime. The file is opened once for the process and stays open, so that a
 * lack of descriptors cannot hide a jump of the clock.
 */
function sinceBootReader(): () => number | undefined {
  const buffer = Buffer.alloc(UPTIME_BYTES_MAX)
  try {
    uptimeFile ??= openSync('/proc/uptime', 'r')
  } catch {
    return () => undefined
  }
  const file = uptimeFile
  return () => {
    try {
      const length = readSync(file, buffer, 0, UPTIME_BYTES_MAX, 0)
      const seconds = Number.parseFloat(buffer.toString('latin1', 0, length))
      return Number.isFinite(seconds) ? seconds * 1000 : undefined
    } catch {
      return undefined
    }
  }
}
