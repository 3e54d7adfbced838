import type { Command } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import type { BatchResult } from './batch-runner.js'
import type { JournalOrder } from './journal-order.js'

const BATCH_LENGTH_MAX = 512
/** The queue's extra room for cancels and reductions, as a share of its bound for orders. */
const ENDING_SHARE = 0.25

/** Decides and commits batches: in a worker thread, or in this thread in tests. */
export interface BatchExecutor {
  /** Takes commands as JSON, the text that the journal stores. */
  execute(at: TimeMs, commands: string): Promise<BatchResult>
  /** Moves the write-ahead log into the file and empties it, unless a reader is using it. */
  truncateLog(): Promise<void>
  stateHash(): Promise<string>
  close(): Promise<void>
}

export interface ShardOptions {
  /** The most commands that may wait. */
  readonly queueLengthMax: number
  /** The clock. */
  readonly now: () => TimeMs
  /** Applies the batches of all shards in journal order. */
  readonly order: JournalOrder
  /** Applies a committed batch, before any of its callers gets an answer. */
  readonly applyCommitted: (commands: readonly Command[], result: BatchResult) => void
  /** Returns a promise of room for another batch while the tables are too far behind; else undefined. */
  readonly whenRoom: () => Promise<void> | undefined
  /** Called if a batch could not be committed: the exchange must stop. */
  readonly fail: (error: Error) => void
}

/** A shard's current load. */
export interface ShardLoad {
  readonly queueLength: number
  /** 0 or 1. */
  readonly batchesInFlight: number
}

interface Waiting {
  readonly command: Command
  readonly done: () => void
}

/**
 * The queue in front of one executor. A batch is everything that waits when the previous one is done; at most
 * one is in flight, so commands are decided in the order in which they were queued.
 */
export class Shard {
  readonly #executor: BatchExecutor
  readonly #options: ShardOptions
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #failed = false
  #isExecuting = false

  constructor(executor: BatchExecutor, options: ShardOptions) {
    this.#executor = executor
    this.#options = options
  }

  /** The number of waiting commands, not counting those in flight. */
  get queueLength(): number {
    return this.#waiting.length
  }

  get load(): ShardLoad {
    return { queueLength: this.queueLength, batchesInFlight: this.#isExecuting ? 1 : 0 }
  }

  /** Returns true if there is no room for another order; cancels and reductions have extra room. */
  isFull(isEnding = false): boolean {
    const { queueLengthMax } = this.#options
    const reserve = isEnding ? Math.ceil(queueLengthMax * ENDING_SHARE) : 0
    return this.#waiting.length >= queueLengthMax + reserve
  }

  /**
   * Queues a command; resolves when it is committed and applied. Never resolves once the shard has failed.
   */
  submit(command: Command): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ command, done: resolve })
      if (this.#running === undefined && !this.#failed) this.#running = this.#runBatches()
    })
  }

  /** Waits until nothing is queued or in flight. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  truncateLog(): Promise<void> {
    return this.#executor.truncateLog()
  }

  stateHash(): Promise<string> {
    return this.#executor.stateHash()
  }

  close(): Promise<void> {
    return this.#executor.close()
  }

  async #runBatches(): Promise<void> {
    try {
      // Let everything ready in the event loop join the batch: one wake-up and one fsync serve all of it.
      await new Promise<void>(resolve => setImmediate(resolve))
      while (this.#waiting.length > 0) {
        await this.#options.whenRoom()
        await this.#runBatch()
      }
    } catch (error) {
      this.#failed = true
      this.#options.fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#running = undefined
    }
  }

  async #runBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_LENGTH_MAX)
    this.#waiting = this.#waiting.slice(BATCH_LENGTH_MAX)
    const commands = batch.map(({ command }) => command)
    this.#isExecuting = true
    const result = await this.#executor.execute(this.#options.now(), JSON.stringify(commands))
    await this.#options.order.inOrder(result.sequence, () => this.#options.applyCommitted(commands, result))
    this.#isExecuting = false
    for (const { done } of batch) done()
  }
}
