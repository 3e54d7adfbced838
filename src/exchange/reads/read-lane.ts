/** Why history was not asked: too many wait already, or this question has waited for too long. */
export type ReadBusy = 'reads_full' | 'read_late'

/** How a lane is at this moment; `refused` counts since the start. */
export interface ReadLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

interface Limits {
  readonly runningMax: number
  readonly waitingMax: number
  readonly waitMsMax: number
}

interface Waiting {
  readonly since: number
  readonly start: () => void
  readonly refuse: () => void
}

/** Questions of one kind in front of the reader: a few are with it, the others wait in their order. */
export class ReadLane {
  readonly #limits: Limits
  readonly #watch: () => number
  readonly #waiting: Waiting[] = []
  #running = 0
  #refused = 0

  /** @param watch milliseconds that never go back */
  constructor(limits: Limits, watch: () => number) {
    this.#limits = limits
    this.#watch = watch
  }

  get load(): ReadLoad {
    return { running: this.#running, waiting: this.#waiting.length, refused: this.#refused }
  }

  /** Reads when it is this question's turn; answers why it was not read where it found no room or no turn. */
  async run<T>(read: () => Promise<T>): Promise<T | ReadBusy> {
    if (this.#running >= this.#limits.runningMax) {
      const refusal = await this.#wait()
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

  /** Returns whether a question would find no room; counts it as refused if so. */
  turnsAway(): boolean {
    const isFull = this.#running >= this.#limits.runningMax && this.#waiting.length >= this.#limits.waitingMax
    if (isFull) this.#refused++
    return isFull
  }

  /** Refuses the questions that have waited for too long. */
  refuseLate(): void {
    const oldest = this.#watch() - this.#limits.waitMsMax
    let late = 0
    while ((this.#waiting[late]?.since ?? Number.POSITIVE_INFINITY) <= oldest) late++
    for (const { refuse } of this.#waiting.splice(0, late)) refuse()
  }

  #wait(): Promise<ReadBusy | undefined> {
    if (this.#waiting.length >= this.#limits.waitingMax) return Promise.resolve('reads_full')
    return new Promise(resolve => {
      this.#waiting.push({
        since: this.#watch(),
        start: () => resolve(undefined),
        refuse: () => resolve('read_late'),
      })
    })
  }

  /** Gives the place of a question that is done to the one that waits longest. */
  #next(): void {
    this.refuseLate()
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next.start()
  }
}
