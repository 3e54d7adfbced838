import type { Sequence } from '../core/units.js'
import type { FollowerExecutor } from './follower-executor.js'

/** How far the tables may lag while nobody waits for their rows: rows that are written together cost less. */
const LAG_MS = 400
/** Commands that are taken without waiting for more, so that a read finds little left to do. */
const TAKEN_TOGETHER = 2000
/** The most work that the tables may be behind: shards then take no further batch. */
const BEHIND_MAX = 50_000
/** The changed positions that take as much memory and time as a changed order; a payout changes 64. */
const POSITIONS_PER_ORDER = 4
/** The most reads that may wait for the tables, and for how long. */
const WAITING_MAX = 1000
const WAIT_MS_MAX = 5000

/** How far the tables are behind the journal. */
export interface FollowingLoad {
  /** The last batch that the tables include. */
  readonly reached: Sequence
  /** Commands of committed batches that are not in the tables yet. */
  readonly behind: number
  /** Reads that wait for the tables. */
  readonly waiting: number
}

/** How a follower is run. */
export interface FollowingOptions {
  /** The last batch in tables and journal at the start. */
  readonly reached: Sequence
  /** Follows each batch at once, in the caller's thread. */
  readonly atOnce: boolean
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  /** Called when the tables have reached a batch. */
  readonly onReached: (sequence: Sequence) => void
  /** Called if the follower fails: the exchange must stop. */
  readonly fail: (error: Error) => void
}

/** How many orders and positions a batch has changed. */
interface Changes {
  readonly orders: { readonly length: number }
  readonly positions: { readonly length: number }
}

const NO_CHANGES: Changes = { orders: [], positions: [] }

/** A batch, the number of its commands, and its work. */
type Behind = readonly [sequence: Sequence, commandsCount: number, work: number]

interface Waiting {
  readonly sequence: Sequence
  readonly since: number
  /** Undefined for those that are never refused. */
  readonly refuse: (() => void) | undefined
  readonly done: () => void
}

/**
 * Runs the follower: decides when it works, knows how far the tables have come, and lets reads wait for them.
 */
export class Following {
  readonly #executor: FollowerExecutor
  readonly #options: FollowingOptions
  /** Applied batches that the tables do not include yet, oldest first. */
  #batches: Behind[] = []
  #behind = 0
  /** The same as work: in commands or, where a few change many orders or positions, by these. */
  #workBehind = 0
  #committed: Sequence
  #reached: Sequence
  /** Commands of committed batches that the follower has not taken yet. */
  #untaken = 0
  #waiting: Waiting[] = []
  #roomWanted: (() => void)[] = []
  #running: Promise<void> | undefined
  /** Runs while batches wait for their rows. */
  #timer: NodeJS.Timeout | undefined
  #isLate = false
  #hasFailed = false
  #drains = 0

  constructor(executor: FollowerExecutor, options: FollowingOptions) {
    this.#executor = executor
    this.#options = options
    this.#committed = options.reached
    this.#reached = options.reached
  }

  get load(): FollowingLoad {
    return { reached: this.#reached, behind: this.#behind, waiting: this.#waiting.length }
  }

  /** Notes a batch that memory includes from now on; its rows will follow. */
  committed(sequence: Sequence, commandsCount: number, { orders, positions } = NO_CHANGES): void {
    const work = Math.max(commandsCount, orders.length, positions.length / POSITIONS_PER_ORDER)
    this.#committed = sequence
    this.#batches.push([sequence, commandsCount, work])
    this.#behind += commandsCount
    this.#workBehind += work
    this.#untaken += commandsCount
    this.#schedule()
  }

  /** Returns a promise of room for another batch; undefined if there is room. */
  whenRoom(): Promise<void> | undefined {
    if (this.#workBehind < BEHIND_MAX) return undefined
    return new Promise(resolve => this.#roomWanted.push(resolve))
  }

  /**
   * Waits until the tables include every batch that memory includes now. Resolves to a refusal if too many
   * reads wait already, or if it takes too long.
   */
  async caughtUp(): Promise<'reads_full' | 'read_late' | undefined> {
    if (this.#reached >= this.#committed) return undefined
    if (this.#waiting.length >= WAITING_MAX) return 'reads_full'
    return new Promise(resolve =>
      this.#wait(
        () => resolve(undefined),
        () => resolve('read_late'),
      ),
    )
  }

  /** The same for the exchange itself, which waits as long as it takes. */
  async caughtUpEventually(): Promise<void> {
    if (this.#reached < this.#committed) await new Promise<void>(resolve => this.#wait(resolve, undefined))
  }

  /** Refuses reads that have waited too long; to be called every second. */
  refuseLate(): void {
    const oldest = this.#options.watch() - WAIT_MS_MAX
    const late = this.#waiting.filter(({ since, refuse }) => refuse !== undefined && since <= oldest)
    if (late.length === 0) return
    this.#waiting = this.#waiting.filter(waiting => !late.includes(waiting))
    for (const { refuse } of late) refuse?.()
  }

  /** Waits until the tables include every batch, or the follower has failed. */
  async drain(): Promise<void> {
    this.#drains++
    while (this.#reached < this.#committed && !this.#hasFailed) {
      this.#schedule()
      await this.#running
    }
    this.#drains--
  }

  truncateLog(): Promise<void> {
    return this.#executor.truncateLog()
  }

  /** Brings the tables to the end, and stops. */
  async close(): Promise<void> {
    await this.drain()
    await this.#executor.close()
  }

  #wait(done: () => void, refuse: (() => void) | undefined): void {
    this.#waiting.push({ sequence: this.#committed, since: this.#options.watch(), refuse, done })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#hasFailed || this.#reached >= this.#committed) return
    const isAwaited = this.#waiting.length + this.#drains > 0
    if (this.#options.atOnce || isAwaited || this.#isLate) {
      this.#start(true)
      return
    }
    if (this.#untaken >= TAKEN_TOGETHER) this.#start(false)
    this.#timer ??= setTimeout(() => {
      this.#isLate = true
      this.#schedule()
    }, LAG_MS)
  }

  #start(writes: boolean): void {
    this.#running = this.#follow(writes).catch((error: unknown) => {
      this.#hasFailed = true
      this.#running = undefined
      this.#beInTime()
      this.#options.fail(error instanceof Error ? error : new Error(String(error)))
    })
  }

  async #follow(writes: boolean): Promise<void> {
    const { taken, reached } = await this.#executor.follow(this.#committed, writes)
    this.#take(taken)
    if (reached > this.#reached) this.#arrive(reached)
    this.#running = undefined
    this.#schedule()
  }

  #take(sequence: Sequence): void {
    this.#untaken = 0
    for (let next = this.#batches.length - 1; next >= 0; next--) {
      const [batch, commandsCount] = this.#batches[next] as Behind
      if (batch <= sequence) return
      this.#untaken += commandsCount
    }
  }

  #beInTime(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isLate = false
  }

  #arrive(sequence: Sequence): void {
    this.#reached = sequence
    this.#beInTime()
    const first = this.#batches.findIndex(([batch]) => batch > sequence)
    const done = this.#batches.splice(0, first < 0 ? this.#batches.length : first)
    for (const [, commandsCount, work] of done) {
      this.#behind -= commandsCount
      this.#workBehind -= work
    }
    this.#options.onReached(sequence)
    const ready = this.#waiting.filter(waiting => waiting.sequence <= sequence)
    if (ready.length > 0) this.#waiting = this.#waiting.filter(waiting => waiting.sequence > sequence)
    for (const { done: resolve } of ready) resolve()
    if (this.#workBehind >= BEHIND_MAX) return
    for (const resume of this.#roomWanted.splice(0)) resume()
  }
}
