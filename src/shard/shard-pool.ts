import type { Command } from '../core/command.js'
import type { AccountNumber, MarketCode, Sequence } from '../core/units.js'
import { WriteLock } from '../store/write-lock.js'
import type { ShardPlace } from './batch-runner.js'
import { openInlineExecutor } from './inline-executor.js'
import { JournalOrder } from './journal-order.js'
import type { BatchExecutor, ShardLoad, ShardOptions } from './shard.js'
import { Shard } from './shard.js'
import { openThreadedExecutor } from './threaded-executor.js'

/** How many shards, and whether each has a thread of its own or all share the caller's. */
export interface ShardPoolOptions extends Omit<ShardOptions, 'order'> {
  readonly shardCount: number
  readonly threads: boolean
  /** The last batch in the file. */
  readonly lastSequence: Sequence
}

/**
 * All shards. A market's commands all go to the shard `code mod count`, so its book has one owner; money that
 * moves without a market goes by the number of an account.
 */
export class ShardPool {
  /** The last batch that was in the file at the start. */
  readonly lastSequence: Sequence
  readonly #shards: readonly Shard[]

  private constructor(shards: readonly Shard[], lastSequence: Sequence) {
    this.#shards = shards
    this.lastSequence = lastSequence
  }

  /** Starts the shards; answers when every book is rebuilt. */
  static async open(file: string, options: ShardPoolOptions): Promise<ShardPool> {
    const turn = new WriteLock()
    const places = Array.from({ length: options.shardCount }, (_, index) => ({
      index,
      count: options.shardCount,
    }))
    const open = (place: ShardPlace): BatchExecutor | Promise<BatchExecutor> =>
      options.threads
        ? openThreadedExecutor(file, place, turn.memory, options.fail)
        : openInlineExecutor(file, place, turn)
    const executors = await Promise.all(places.map(open))
    const order = new JournalOrder(options.lastSequence)
    const shards = executors.map(executor => new Shard(executor, { ...options, order }))
    return new ShardPool(shards, options.lastSequence)
  }

  /** Whether the shard of a market, or of an account, has no room for another command. */
  isFull(key: MarketCode | AccountNumber): boolean {
    return this.#shardOf(key).isFull()
  }

  /** The same for a command that ends an order, or makes it smaller. */
  isFullForEnding(key: MarketCode): boolean {
    return this.#shardOf(key).isFull(true)
  }

  /** Whether two markets or accounts have one shard: what is queued for them is decided in one order. */
  isSameShard(one: MarketCode | AccountNumber, other: MarketCode | AccountNumber): boolean {
    return this.#shardOf(one) === this.#shardOf(other)
  }

  /** What each shard has to do, by its number. */
  loads(): ShardLoad[] {
    return this.#shards.map(({ load }) => load)
  }

  /** Queues a command at the shard of its market or account; answers when it is on disk and settled. */
  submit(key: MarketCode | AccountNumber, command: Command): Promise<void> {
    return this.#shardOf(key).submit(command)
  }

  async drain(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.drain()))
  }

  /** The fingerprints of the books, shard by shard. */
  stateHashes(): Promise<string[]> {
    return Promise.all(this.#shards.map(shard => shard.stateHash()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.close()))
  }

  #shardOf(key: MarketCode | AccountNumber): Shard {
    return this.#shards[key % this.#shards.length] as Shard
  }
}
