import type { Sequence } from '../../core/units.js'
import type { JournalRow } from '../../store/journal.js'
import { sharedClock } from '../lease-watch.js'
import type { JetLog } from './jet-log.js'

/** Text of the lines that may wait for the exchange, beyond those that it is following. */
const WAITING_LENGTH_MAX = 2_000_000
/** Lines handed over together, so that the exchange serves reads in between. */
const ROWS_AT_ONCE = 256

interface Waiter {
  readonly sequence: Sequence
  readonly done: () => void
}

/** Hands the lines of a log over to an exchange that follows it: while it is busy, those that come wait. */
export class JetFeed {
  readonly #log: Pick<JetLog, 'read'>
  readonly #hand: (rows: readonly JournalRow[]) => void
  readonly #waiting: JournalRow[] = []
  #waitingLength = 0
  #followed: Sequence
  /** The last line that was handed over. */
  #handed: Sequence
  #arrivedAt = sharedClock()
  #isBusy = false
  #isScheduled = false
  #isStopped = false
  #hasRoom: (() => void) | undefined
  #waiters: Waiter[] = []

  /** @param after the last line that the exchange has */
  constructor(log: Pick<JetLog, 'read'>, after: Sequence, hand: (rows: readonly JournalRow[]) => void) {
    this.#log = log
    this.#followed = after
    this.#handed = after
    this.#hand = hand
  }

  /** The last line that the exchange has on its disk. */
  get followed(): Sequence {
    return this.#followed
  }

  /** For how long no line has come; 0 while some wait. */
  get quietMs(): number {
    return this.#waiting.length > 0 ? 0 : sharedClock() - this.#arrivedAt
  }

  /** Reads until it is stopped, or the log is closed. */
  async run(): Promise<void> {
    for await (const row of this.#log.read((this.#followed + 1) as Sequence)) {
      if (this.#isStopped) return
      this.#arrivedAt = sharedClock()
      this.#waiting.push(row)
      this.#waitingLength += row.commands.length
      this.#schedule()
      while (this.#waitingLength > WAITING_LENGTH_MAX && !this.#isStopped) {
        await new Promise<void>(resolve => {
          this.#hasRoom = resolve
        })
      }
    }
  }

  /** Takes note that the exchange has what was handed over. */
  noteFollowed(sequence: Sequence): void {
    this.#isBusy = false
    this.#followed = sequence
    const due = this.#waiters.filter(waiter => waiter.sequence <= sequence)
    this.#waiters = this.#waiters.filter(waiter => waiter.sequence > sequence)
    for (const { done } of due) done()
    this.#schedule()
  }

  /** Waits until the exchange has a line. */
  async until(sequence: Sequence): Promise<void> {
    if (this.#followed >= sequence) return
    await new Promise<void>(done => this.#waiters.push({ sequence, done }))
  }

  /** Hands nothing over any more. */
  stop(): void {
    this.#isStopped = true
    this.#hasRoom?.()
  }

  /** Waits, once it is stopped, until the exchange has every line that was handed over. */
  drain(): Promise<void> {
    return this.until(this.#handed)
  }

  /** Hands over once the lines that have come together are there: one message for all of them. */
  #schedule(): void {
    if (this.#isScheduled || this.#isBusy || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#isBusy || this.#isStopped) return
      const rows = this.#waiting.splice(0, ROWS_AT_ONCE)
      this.#waitingLength -= rows.reduce((sum, { commands }) => sum + commands.length, 0)
      this.#isBusy = true
      this.#handed = (rows.at(-1) as JournalRow).sequence
      this.#hasRoom?.()
      this.#hand(rows)
    })
  }
}
