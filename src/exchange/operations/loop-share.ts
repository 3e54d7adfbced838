import { turnEnd } from '../../shard/turn-end.js'
import type { OrdersWaiting } from './orders-waiting.js'

/** With fewer orders waiting on average, other work may take all the time it needs. */
const WAITING_MIN = 0.05
/** The share that other work keeps however many orders wait, so that it never starves. */
const SHARE_MIN = 0.1
/** How fast the share shrinks: with one order waiting it is 1 / (1 + this). */
const SHRINKING = 4
/** How long unused time is kept: with one order waiting, work takes at most 0.4 ms in a row. */
const KEPT_MS = 2
/**
 * After this much of it, other events come first while orders wait: a trader who sends the next order after
 * each answer would otherwise meet all the time saved up while the last one was committed.
 */
const SLICE_MS = 0.1
/** A long piece of work counts for at most this much, so that it delays the next by half a second at most. */
const DEBT_MS_MAX = 50
/** How long work waits for more time; a timer cannot be set more finely. */
const PAUSE_MS = 1

/** The time that a kind of work may take from the main thread. */
export interface TimeShare {
  /** True while no orders wait: the work need not be measured. */
  readonly isWhole: boolean
  /** True if the work may go on now. */
  readonly hasTime: boolean
  /** Runs a piece of the work and subtracts the time it takes. */
  run(piece: () => void): void
  /** Calls back after pending events if there is time, otherwise when there may be some. */
  schedule(work: () => void): void
}

/** How work is called back; tests let time pass themselves. */
interface Timers {
  setImmediate(work: () => void): unknown
  setTimeout(work: () => void, ms: number): unknown
}

/**
 * The share of the main thread's time that work beside the orders may take, such as reads and the delivery of
 * messages: the more orders wait for their commit, the smaller it is, but it never shrinks to nothing. Unused
 * time is soon lost, so that no turn of the event loop is long.
 */
export class LoopShare implements TimeShare {
  readonly #orders: Pick<OrdersWaiting, 'average' | 'watch'>
  readonly #timers: Timers
  #leftMs = 0
  #sliceLeftMs = SLICE_MS
  #at: number

  constructor(
    orders: Pick<OrdersWaiting, 'average' | 'watch'>,
    timers: Timers = { setImmediate: turnEnd.schedule, setTimeout },
  ) {
    this.#orders = orders
    this.#timers = timers
    this.#at = orders.watch()
  }

  get isWhole(): boolean {
    return this.#orders.average < WAITING_MIN
  }

  get hasTime(): boolean {
    return this.isWhole || (this.#refill() > 0 && this.#sliceLeftMs > 0)
  }

  /** Adds the share of the time that has passed; returns the time that is left. */
  #refill(): number {
    const { average } = this.#orders
    const now = this.#orders.watch()
    const share = Math.max(SHARE_MIN, 1 / (1 + SHRINKING * average))
    this.#leftMs = Math.min(KEPT_MS * share, this.#leftMs + (now - this.#at) * share)
    this.#at = now
    return this.#leftMs
  }

  run(piece: () => void): void {
    const startedAt = this.#orders.watch()
    piece()
    const tookMs = this.#orders.watch() - startedAt
    this.#sliceLeftMs -= tookMs
    this.#leftMs = Math.max(-DEBT_MS_MAX, this.#leftMs - tookMs)
  }

  schedule(work: () => void): void {
    const workOn = () => {
      this.#sliceLeftMs = SLICE_MS
      work()
    }
    if (this.isWhole || this.#refill() > 0) this.#timers.setImmediate(workOn)
    else this.#timers.setTimeout(workOn, PAUSE_MS)
  }
}
