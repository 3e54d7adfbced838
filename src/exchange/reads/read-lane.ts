import { FairQueue } from './fair-queue.js'

/** Why a query was not run: too many are waiting, or it waited too long. */
export type ReadBusy = 'reads_full' | 'read_late'

/** The current state of a lane; `refused` counts since the start. */
export interface ReadLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

interface Limits {
  readonly runningMax: number
  readonly waitingMax: number
  /** For one owner. */
  readonly ownWaitingMax: number
  readonly waitMsMax: number
}

interface Waiting {
  readonly since: number
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * A queue of one kind of query: a few are running, the others wait. Their owners are served one after the
 * other, and one alone does not fill the queue.
 */
export class ReadLane {
  readonly #limits: Limits
  readonly #watch: () => number
  readonly #waiting = new FairQueue<string, Waiting>()
  #running = 0
  #refused = 0
  #isClosed = false

  /** @param watch a monotonic clock in milliseconds */
  constructor(limits: Limits, watch: () => number) {
    this.#limits = limits
    this.#watch = watch
  }

  get load(): ReadLoad {
    return { running: this.#running, waiting: this.#waiting.length, refused: this.#refused }
  }

  /** Runs a query when there is room; resolves to a refusal if the queue is full or it waited too long. */
  async run<T>(owner: string, read: () => Promise<T>): Promise<T | ReadBusy> {
    if (this.#isClosed) return 'reads_full'
    if (this.#running >= this.#limits.runningMax) {
      const refusal = await this.#wait(owner)
      if (refusal !== undefined) {
        this.#refused++
        return refusal
      }
    } else this.#running++
    try {
      return await read()
    } finally {
      this.#next()
    }
  }

  /** Returns whether a question would find no room behind this many others; counts it as refused if so. */
  turnsAway(ahead = 0): boolean {
    const { runningMax, waitingMax } = this.#limits
    const isFull = this.#running + this.#waiting.length + ahead >= runningMax + waitingMax
    if (isFull) this.#refused++
    return isFull
  }

  /** Refuses queries that have waited too long. */
  refuseLate(): void {
    const oldest = this.#watch() - this.#limits.waitMsMax
    for (const { refuse } of this.#waiting.shiftWhile(({ since }) => since <= oldest)) refuse()
  }

  /** Refuses the queries that wait, and all that come. */
  close(): void {
    this.#isClosed = true
    for (const { refuse } of this.#waiting.shiftWhile(() => true)) refuse()
  }

  #wait(owner: string): Promise<ReadBusy | undefined> {
    const { waitingMax, ownWaitingMax } = this.#limits
    const isFull = this.#waiting.length >= waitingMax || this.#waiting.lengthOf(owner) >= ownWaitingMax
    if (isFull) return Promise.resolve('reads_full')
    return new Promise(resolve => {
      this.#waiting.push(owner, {
        since: this.#watch(),
        start: () => resolve(undefined),
        refuse: () => resolve('read_late'),
      })
    })
  }

  /** Starts the next owner's longest-waiting query in place of a finished one. */
  #next(): void {
    this.refuseLate()
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next[1].start()
  }
}
