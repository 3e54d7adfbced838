import type { Command } from '../core/command.js'
import type { MarketCode } from '../core/units.js'
import { Turn } from '../store/turn.js'
import type { ShardPlace } from './batch-runner.js'
import { openInlineExecutor } from './inline-executor.js'
import type { BatchExecutor, ShardOptions } from './shard.js'
import { Shard } from './shard.js'
import { openThreadedExecutor } from './threaded-executor.js'

/** How many shards, and whether each has a thread of its own or all share the caller's. */
export interface ShardPoolOptions extends ShardOptions {
  readonly shardCount: number
  readonly threads: boolean
}

/** All shards. A market's commands all go to the shard `code mod count`, so its book has one owner. */
export class ShardPool {
  readonly #shards: readonly Shard[]

  private constructor(shards: readonly Shard[]) {
    this.#shards = shards
  }

  /** Starts the shards; answers when every book is rebuilt. */
  static async open(file: string, options: ShardPoolOptions): Promise<ShardPool> {
    const turn = new Turn()
    const places = Array.from({ length: options.shardCount }, (_, index) => ({
      index,
      count: options.shardCount,
    }))
    const open = (place: ShardPlace): BatchExecutor | Promise<BatchExecutor> =>
      options.threads
        ? openThreadedExecutor(file, place, turn.memory, options.fail)
        : openInlineExecutor(file, place, turn)
    const executors = await Promise.all(places.map(open))
    return new ShardPool(executors.map(executor => new Shard(executor, options)))
  }

  /** Whether the market's shard has no room for another command. */
  isFull(market: MarketCode): boolean {
    return this.#shardOf(market).isFull
  }

  /** Queues a command at the market's shard; answers when it is on disk and settled. */
  submit(market: MarketCode, command: Command): Promise<void> {
    return this.#shardOf(market).submit(command)
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

  #shardOf(market: MarketCode): Shard {
    return this.#shards[market % this.#shards.length] as Shard
  }
}
