import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'
import type { ReplicaLink } from '../shard/replica-link.js'
import type { JournalRow } from '../store/journal.js'
import { ReplicaError } from './replication-error.js'
import type { Withdrawal } from './jetstream/lease-wish.js'
import { LeaseWatch } from './lease-watch.js'
import type { ReplicaOptions } from './replica-options.js'
import { WaitingBatches } from './waiting-batches.js'
import type { LogFollower } from './log-follower.js'
import type {
  FollowNews,
  HeardNews,
  LogFailure,
  ReplicaNews,
  ReplicaOrder,
  ReplicaThread,
  ReplicaThreadData,
  ReplicationMode,
  Trimmed,
  TrimOrder,
} from './replica-messages.js'

/** Batches that may wait for the log. A shard's queue fills behind them, and refuses orders. */
const WAITING_MAX = 64
/** How long a stop waits for the log. */
const STOP_WITHIN_MS = 5000

const startThread = (workerData: ReplicaThreadData): ReplicaThread =>
  new Worker(new URL('./replica-thread.js', import.meta.url), { workerData })

type OpenedLog = { readonly thread: ReplicaThread; readonly lease: LeaseWatch; readonly held: Sequence }

/** The thread that sends each batch to a log elsewhere, and what waits for the log. */
export class Replica implements ReplicaLink {
  readonly #thread: ReplicaThread
  readonly #options: ReplicaOptions
  readonly #waiting = new WaitingBatches()
  #held: Sequence
  #applied: Sequence
  #isClosing = false
  #hurrying: NodeJS.Timeout | undefined
  #closed: (() => void) | undefined
  #mode: ReplicationMode
  #follower: LogFollower | undefined
  #begun: (() => void) | undefined
  readonly #withdrawals: ((how: Withdrawal) => void)[] = []
  readonly #trimmings: ((trimmed: Trimmed) => void)[] = []
  #released: (() => void) | undefined
  readonly #lease: LeaseWatch
  #failure: LogFailure | undefined

  private constructor(options: ReplicaOptions, { thread, lease, held }: OpenedLog) {
    this.#thread = thread
    this.#options = options
    this.#lease = lease
    this.#held = held
    this.#applied = held
    this.#mode = options.settings.mode
  }

  /**
   * Brings journal and log together; the file has been prepared, and nothing else has it open. Rejects with
   * the reason why the log cannot be used.
   */
  static async open(options: ReplicaOptions, start = startThread): Promise<Replica> {
    const { file, settings, keepMs, now, warn, fail, isStandby = false } = options
    const lease = new LeaseWatch({ wall: now })
    const thread = start({ file, settings, keepMs, isStandby, lease: lease.memory })
    let replica: Replica | undefined
    return new Promise((resolve, reject) => {
      let reason = new ReplicaError('the thread of the replicated log has ended')
      const failed = (error: ReplicaError) => {
        if (replica === undefined) reject(error)
        else if (!replica.#isClosing) fail(error)
      }
      const ended = () => {
        if (replica === undefined) return
        replica.#released?.()
        replica.#closed?.()
      }
      thread.on('message', (news: ReplicaNews) => {
        switch (news.kind) {
          case 'warning':
            warn(news.message)
            break
          case 'ready':
            if (news.pulled > 0) warn(`took ${news.pulled} batches that the log had more`)
            if (news.orphans > 0) warn(`moved ${news.orphans} batches that the log lacks to orphans/`)
            replica = new Replica(options, { thread, lease, held: news.held })
            resolve(replica)
            break
          case 'closed':
            ended()
            break
          case 'asked':
            options.asked?.(news.by)
            break
          case 'failed':
            reason = new ReplicaError(news.message, news.name)
            failed(reason)
            void thread.terminate()
            break
          default:
            if (replica !== undefined) replica.#hear(news)
            break
        }
      })
      thread.on('error', error => {
        reason = new ReplicaError(error.message)
      })
      thread.on('exit', () => {
        ended()
        failed(reason)
      })
    })
  }

  /** The last batch that the log is known to hold. */
  get replicatedThrough(): Sequence {
    return this.#held
  }

  /** How long answers wait: as those of the exchange that led before this one. */
  get mode(): ReplicationMode {
    return this.#mode
  }

  /** Why the log takes no lines, or does not answer; undefined while it does. */
  get failure(): LogFailure | undefined {
    if (this.#failure !== undefined || !this.#lease.isDoubtful) return this.#failure
    const { ageMs = 0 } = this.#lease
    return { at: this.#options.now() - ageMs, message: 'the lease of the log is not renewed' }
  }

  /** True while another exchange may lead: in `sync` the log itself keeps answers from being lost. */
  get isCutOff(): boolean {
    return this.#mode === 'async' && this.#lease.isCutOff
  }

  /** Lets a standby follow, and lead once the exchange that leads is gone. */
  follow(follower: LogFollower): void {
    this.#follower = follower
    this.#order({ kind: 'follow' })
  }

  /** Takes no more lines, before the exchange closes. */
  unfollow(): void {
    this.#follower = undefined
  }

  /** Asks the exchange that leads to make way for this one. */
  ask(): void {
    this.#order({ kind: 'ask' })
  }

  /** No longer asks; resolves to whether that one makes way in any case. */
  withdraw(): Promise<Withdrawal> {
    return new Promise(resolve => {
      this.#withdrawals.push(resolve)
      this.#order({ kind: 'withdraw' })
    })
  }

  /** Deletes old lines that nobody needs from the log. */
  trim(order: TrimOrder): Promise<Trimmed> {
    return new Promise(resolve => {
      this.#trimmings.push(resolve)
      this.#order({ kind: 'trim', ...order })
    })
  }

  rowsPort(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#thread.postMessage({ kind: 'rows', port: port1 } satisfies ReplicaOrder, [port1])
    return port2
  }

  whenHeld(sequence: Sequence): Promise<void> | undefined {
    this.#applied = Math.max(this.#applied, sequence) as Sequence
    if (sequence <= this.#held) return undefined
    // One that was under way when it was cut off is answered once the log has it, or the lease is renewed.
    if (this.#mode === 'async' && !this.#lease.isCutOff) return undefined
    return this.#waiting.until(sequence)
  }

  whenRoom(): Promise<void> | undefined {
    const through = (this.#applied - WAITING_MAX + 1) as Sequence
    return this.#mode === 'async' || through <= this.#held ? undefined : this.#waiting.until(through)
  }

  /** Fails unless the log soon holds all: called as a stop begins, which would await a log that is down. */
  hurry(): void {
    this.#hurrying = setTimeout(() => {
      const behind = this.#applied - this.#held
      const error = new ReplicaError(`stopped with ${behind} batches that the log has not acknowledged`)
      if (behind > 0) this.#options.fail(error)
    }, STOP_WITHIN_MS)
  }

  async release(): Promise<void> {
    // In `async` a waiter may be done before the log holds its batch.
    while (this.#applied > this.#held) await this.#waiting.until(this.#applied)
    await new Promise<void>(resolve => {
      this.#released = resolve
      this.#order({ kind: 'release' })
    })
  }

  /** Waits until the log holds all; ends the thread. */
  async close(): Promise<void> {
    while (this.#applied > this.#held) await this.#waiting.until(this.#applied)
    clearTimeout(this.#hurrying)
    this.#isClosing = true
    await new Promise<void>(resolve => {
      this.#closed = resolve
      this.#order({ kind: 'close' })
    })
    await this.#thread.terminate()
  }

  #hear(news: HeardNews): void {
    switch (news.kind) {
      case 'held':
        this.#heldNow(news.sequence)
        break
      case 'withdrawn':
        for (const done of this.#withdrawals.splice(0)) done(news.how)
        break
      case 'released':
        this.#released?.()
        break
      case 'trimmed':
        this.#trimmings.shift()?.(news)
        break
      case 'renewed':
        if (this.#mode === 'async' && !this.#lease.isCutOff) this.#waiting.releaseAll()
        break
      case 'trouble':
        this.#trouble(news.reason)
        break
      default:
        this.#follow(news).catch(this.#options.fail)
    }
  }

  async #follow(news: FollowNews): Promise<void> {
    const follower = this.#follower
    if (follower === undefined || this.#isClosing) return
    switch (news.kind) {
      case 'end':
        follower.heard({ end: news.sequence, failure: undefined })
        break
      case 'silent':
        follower.heard({ end: undefined, failure: news.message })
        break
      case 'lines': {
        // Bytes cross threads as plain arrays.
        const rows = news.rows.map(row => ({ ...row, hash: Buffer.from(row.hash) }))
        await follower.follow(rows)
        const { sequence } = rows.at(-1) as JournalRow
        this.#held = sequence
        this.#applied = sequence
        this.#order({ kind: 'followed', sequence })
        break
      }
      case 'free':
        await follower.lead(row => {
          this.#order({ kind: 'epoch', row })
          return new Promise(resolve => {
            this.#begun = resolve
          })
        })
        break
      case 'leads':
        this.#mode = news.mode
        this.#applied = news.sequence
        this.#heldNow(news.sequence)
        this.#begun?.()
        break
    }
  }

  #trouble(message: string | undefined): void {
    this.#failure = message === undefined ? undefined : { at: this.#options.now(), message }
    this.#options.troubled?.(message)
  }

  #order(order: ReplicaOrder): void {
    this.#thread.postMessage(order)
  }

  #heldNow(sequence: Sequence): void {
    this.#held = sequence
    this.#waiting.releaseThrough(sequence)
  }
}
