import type { Command } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import type { BatchResult } from './batch-runner.js'
import type { JournalOrder } from './journal-order.js'

const BATCH_LENGTH_MAX = 512
/** How much longer the queue may get for cancels, as a share of its bound for orders. */
const ENDING_SHARE = 0.25

/** Where batches are decided and written: a worker thread, or this thread in tests. */
export interface BatchExecutor {
  /** Takes commands as JSON, the text that the journal keeps; answers a `BatchResult` as JSON. */
  execute(at: TimeMs, commands: string): Promise<string>
  stateHash(): Promise<string>
  close(): Promise<void>
}

export interface ShardOptions {
  /** How many commands may wait. */
  readonly queueLengthMax: number
  /** The clock. */
  readonly now: () => TimeMs
  /** In which order the batches of all shards are taken over. */
  readonly order: JournalOrder
  /** Takes over a committed batch, before any of its callers is answered. */
  readonly settle: (commands: readonly Command[], result: BatchResult) => void
  /** A batch could not be committed: the exchange must stop. */
  readonly fail: (error: Error) => void
}

/** What a shard has to do at this moment. */
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
 * The queue in front of one executor. A batch is whatever waits when the previous one has been answered; at
 * most one is in flight, so commands are decided in the order in which they were queued.
 */
export class Shard {
  readonly #executor: BatchExecutor
  readonly #options: ShardOptions
  #waiting: Waiting[] = []
  #flying: Promise<void> | undefined
  #failed = false
  #isAtWork = false

  constructor(executor: BatchExecutor, options: ShardOptions) {
    this.#executor = executor
    this.#options = options
  }

  /** How many commands wait; those in flight not counted. */
  get queueLength(): number {
    return this.#waiting.length
  }

  get load(): ShardLoad {
    return { queueLength: this.queueLength, batchesInFlight: this.#isAtWork ? 1 : 0 }
  }

  /** Whether there is no room for another order; what ends or shrinks one has a share of its own behind. */
  isFull(isEnding = false): boolean {
    const { queueLengthMax } = this.#options
    const reserve = isEnding ? Math.ceil(queueLengthMax * ENDING_SHARE) : 0
    return this.#waiting.length >= queueLengthMax + reserve
  }

  /** Queues a command; answers when it is on disk and settled. Never answers once the shard has failed. */
  submit(command: Command): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ command, done: resolve })
      if (this.#flying === undefined && !this.#failed) this.#flying = this.#fly()
    })
  }

  /** Waits until nothing is queued or in flight. */
  async drain(): Promise<void> {
    while (this.#flying !== undefined) await this.#flying
  }

  stateHash(): Promise<string> {
    return this.#executor.stateHash()
  }

  close(): Promise<void> {
    return this.#executor.close()
  }

  async #fly(): Promise<void> {
    try {
      // Let all that the event loop has in hand join the batch: one wake-up and one fsync serve it.
      await new Promise<void>(resolve => setImmediate(resolve))
      while (this.#waiting.length > 0) await this.#runBatch()
    } catch (error) {
      this.#failed = true
      this.#options.fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#flying = undefined
    }
  }

  async #runBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_LENGTH_MAX)
    this.#waiting = this.#waiting.slice(BATCH_LENGTH_MAX)
    const commands = batch.map(({ command }) => command)
    this.#isAtWork = true
    const answer = await this.#executor.execute(this.#options.now(), JSON.stringify(commands))
    const result = JSON.parse(answer) as BatchResult
    await this.#options.order.settle(result.sequence, () => this.#options.settle(commands, result))
    this.#isAtWork = false
    for (const { done } of batch) done()
  }
}
