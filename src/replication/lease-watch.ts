/** Half a second before the lease of the log lapses, and another exchange may have it. */
const SURE_MS = 1500
/** How long an exchange counts as ready to take over after it was last seen to wait for the lease. */
const RIVAL_MS = 600_000

/** The cells of the shared memory. */
const [RENEWED_AT, RIVAL_AT] = [0, 1]

/** Returns the milliseconds of a clock that all threads of this process share, and that never goes back. */
export const sharedClock = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/**
 * When the lease of a log was last renewed, and when another exchange was last seen to wait for it: noted by
 * the thread that renews, and read by the main thread without waiting for a message.
 */
export class LeaseWatch {
  /** Passed to the other thread. */
  readonly memory: SharedArrayBuffer
  readonly #cells: BigInt64Array
  readonly #clock: () => number

  constructor(memory = new SharedArrayBuffer(16), clock = sharedClock) {
    this.memory = memory
    this.#cells = new BigInt64Array(memory)
    this.#clock = clock
  }

  /**
   * Takes note of a renewal.
   *
   * @param at before its request was sent: the servers may have stored it at once, and answered late
   */
  noteRenewed(at: number): void {
    Atomics.store(this.#cells, RENEWED_AT, BigInt(at))
  }

  /** Takes note that another exchange waits for the lease. */
  noteRival(at: number): void {
    Atomics.store(this.#cells, RIVAL_AT, BigInt(at))
  }

  /** How long ago the lease was last renewed; undefined before the first time. */
  get ageMs(): number | undefined {
    const at = this.#read(RENEWED_AT)
    return at === 0 ? undefined : this.#clock() - at
  }

  /** True once the lease is about to lapse. */
  get isDoubtful(): boolean {
    return (this.ageMs ?? 0) > SURE_MS
  }

  /** True once another exchange may lead: the lease is about to lapse, and one was seen to wait for it. */
  get isCutOff(): boolean {
    if (!this.isDoubtful) return false
    const rivalAt = this.#read(RIVAL_AT)
    return rivalAt !== 0 && this.#read(RENEWED_AT) - rivalAt <= RIVAL_MS
  }

  #read(cell: number): number {
    return Number(Atomics.load(this.#cells, cell))
  }
}
