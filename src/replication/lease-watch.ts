/** Half a second before the lease of the log lapses, and another exchange may have it. */
const SURE_MS = 1500
/** How long an exchange counts as ready to take over after it was last seen to wait for the lease. */
const RIVAL_MS = 600_000
/** The time of the day is corrected by less than this; a jump of more counts as a sleep of the machine. */
const SLEEP_MS = 500

/** The cells of the shared memory. */
const [RENEWED_AT, RIVAL_AT] = [0, 1]

/** Returns the milliseconds of a clock that all threads of this process share, and that never goes back. */
export const sharedClock = (): number => Number(process.hrtime.bigint() / 1_000_000n)

interface WatchOptions {
  /** Of the watch in another thread. */
  readonly memory?: SharedArrayBuffer
  /** Never goes back, and may stand still while the machine sleeps. */
  readonly steady?: () => number
  /** The time of the day, which goes on meanwhile; without it no sleep is noticed. */
  readonly wall?: () => number
}

/**
 * When the lease of a log was last renewed, and when another exchange was last seen to wait for it: noted by
 * the thread that renews, and read by the main thread without waiting for a message.
 */
export class LeaseWatch {
  /** Passed to the other thread. */
  readonly memory: SharedArrayBuffer
  readonly #cells: BigInt64Array
  readonly #steady: () => number
  readonly #wall: () => number
  /** The renewal that was seen last, and the time of the day less the steady one when it was. */
  #seen: { readonly at: number; readonly offset: number }
  /** The same difference as of the last look. */
  #offset: number
  /** When a sleep was last noticed. */
  #noticedAt = 0

  constructor({
    memory = new SharedArrayBuffer(16),
    steady = sharedClock,
    wall = steady,
  }: WatchOptions = {}) {
    this.memory = memory
    this.#cells = new BigInt64Array(memory)
    this.#steady = steady
    this.#wall = wall
    this.#offset = wall() - steady()
    this.#seen = { at: 0, offset: this.#offset }
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

  /** How long ago the lease was last renewed, sleep included; undefined before the first time. */
  get ageMs(): number | undefined {
    const renewedAt = this.#read(RENEWED_AT)
    if (renewedAt === 0) return undefined
    const now = this.#steady()
    return now - renewedAt + this.#sleptSince(renewedAt, now)
  }

  #sleptSince(renewedAt: number, now: number): number {
    const offset = this.#wall() - now
    const hasSlept = offset - this.#offset >= SLEEP_MS
    if (hasSlept) this.#noticedAt = now
    this.#offset = offset
    // A renewal from before it was noticed may be from before the sleep, and only its answer from after.
    const isAwake = renewedAt !== this.#seen.at && renewedAt > this.#noticedAt
    if (isAwake || offset < this.#seen.offset) this.#seen = { at: renewedAt, offset }
    return offset - this.#seen.offset
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
