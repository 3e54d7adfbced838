import { assert } from '../core/assert.js'
import type { Command } from '../core/command.js'
import type { AccountNumber, MarketCode, Sequence } from '../core/units.js'
import type { BookAnswer, BookQuestion } from '../engine/book-questions.js'
import type { JournalRow } from '../store/journal.js'
import { WriteLock } from '../store/write-lock.js'
import { Balances } from './balances.js'
import type { BatchResult, ShardPlace, SharedState } from './batch-runner.js'
import { openInlineExecutor } from './inline-executor.js'
import { JournalOrder } from './journal-order.js'
import { NotLeaderError } from './not-leader-error.js'
import { openAll } from './open-all.js'
import type { BatchExecutor, ShardLoad, ShardOptions } from './shard.js'
import { Shard } from './shard.js'
import type { ShardPorts } from './shard-worker.js'
import type { Telling } from './telling.js'
import { openThreadedExecutor } from './threaded-executor.js'

/** After this many looks without a command the log is emptied; a look is taken every second. */
const QUIET_LOOKS = 10

/** The options of all shards, and whether each runs in its own thread or in the caller's. */
export interface ShardPoolOptions extends Omit<ShardOptions, 'order'> {
  readonly shardCount: number
  readonly threads: boolean
  /** True if another exchange decides, until `lead`; one shard decides the rows of all of its shards then. */
  readonly follows?: boolean
  /** The way of batches to the follower. */
  readonly telling: Telling
  /** The last batch in the file. */
  readonly lastSequence: Sequence
}

interface PoolParts {
  readonly shards: readonly Shard[]
  readonly balances: Balances
  readonly order: JournalOrder
  /** Opens the shards that an exchange has when it leads; undefined if it has them. */
  readonly openOthers: OpenShards | undefined
}

/**
 * All shards. A market's commands all go to shard `shardKey mod count`, so its book has one owner; commands
 * on an account are routed by account number.
 */
export class ShardPool {
  /** The last batch that was in the file at the start. */
  readonly lastSequence: Sequence
  /** The money of all accounts, which shards check each batch against; to be set before the first command. */
  readonly balances: Balances
  #shards: readonly Shard[]
  readonly #fail: (error: Error) => void
  readonly #order: JournalOrder
  readonly #openOthers: OpenShards | undefined
  /** True while another exchange decides: no command is taken. */
  #isFollowing: boolean
  #keyOf = (code: number): number => code
  /** Looks since the last command. */
  #quietLooks = 0

  private constructor(
    { shards, balances, order, openOthers }: PoolParts,
    { lastSequence, fail, follows = false }: ShardPoolOptions,
  ) {
    this.#order = order
    this.#openOthers = openOthers
    this.#isFollowing = follows
    this.#shards = shards
    this.balances = balances
    this.#fail = fail
    this.lastSequence = lastSequence
  }

  /** Starts the shards; resolves when every book is rebuilt. */
  static async open(file: string, options: ShardPoolOptions): Promise<ShardPool> {
    const { shardCount, follows = false } = options
    const shared = { writeLock: new WriteLock(), balances: new Balances() }
    const order = new JournalOrder(options.lastSequence)
    // The channels of those that open later are there before the follower gets its ends of them.
    const prepare = (count: number) => {
      const opening = Array.from({ length: count }, (_, index) =>
        prepareExecutor(file, { index, count }, shared, options),
      )
      return async () => {
        const executors = await openAll(opening.map(open => open()))
        return executors.map(executor => new Shard(executor, { ...options, order }))
      }
    }
    const openFirst = prepare(follows ? 1 : shardCount)
    const openOthers = follows && shardCount > 1 ? prepare(shardCount) : undefined
    const { balances } = shared
    return new ShardPool({ shards: await openFirst(), balances, order, openOthers }, options)
  }

  /** Sets how a code becomes the number that decides on its shard: that of a market's group, for instance. */
  routeBy(keyOf: (code: number) => number): void {
    this.#keyOf = keyOf
  }

  /** Returns true if the shard of a market or account has no room for another command. */
  isFull(key: MarketCode | AccountNumber): boolean {
    return this.#shardOf(key).isFull()
  }

  /** Returns true if it has no room even for a command that cancels or reduces an order. */
  isFullForEnding(key: MarketCode | AccountNumber): boolean {
    return this.#shardOf(key).isFull(true)
  }

  /** Returns true if two markets or accounts share a shard: their commands are decided in queue order. */
  isSameShard(one: MarketCode | AccountNumber, other: MarketCode | AccountNumber): boolean {
    return this.#shardOf(one) === this.#shardOf(other)
  }

  /** Returns the load of each shard, by index. */
  loads(): ShardLoad[] {
    return this.#shards.map(({ load }) => load)
  }

  /** Returns true if at least a share of the queue's bound waits at the shard of a market. */
  isFilled(key: MarketCode, share: number): boolean {
    return this.#shardOf(key).isFilled(share)
  }

  /** Queues a command at the shard of its market or account; resolves when it is committed and applied. */
  submit(key: MarketCode | AccountNumber, command: Command): Promise<void> {
    if (this.#isFollowing) return Promise.reject(new NotLeaderError())
    this.#quietLooks = 0
    return this.#shardOf(key).submit(command)
  }

  /**
   * Decides rows of another exchange, and commits them as they are, in one transaction. Resolves to their
   * results, which the caller applies, or to why they do not follow from the last row.
   */
  async follow(rows: readonly JournalRow[]): Promise<readonly BatchResult[] | string> {
    assert(this.#isFollowing && this.#shards.length === 1, 'one shard follows')
    this.#quietLooks = 0
    const results = await (this.#shards[0] as Shard).follow(rows)
    const last = typeof results === 'string' ? undefined : results.at(-1)
    if (last !== undefined) this.#order.moveTo(last.sequence)
    return results
  }

  /**
   * Takes commands from now on, behind the last row that was followed: with as many shards as were asked for,
   * which rebuild their books from the tables. These must have reached that row.
   */
  async lead(): Promise<void> {
    if (this.#openOthers !== undefined) {
      const before = this.#shards
      this.#shards = await this.#openOthers()
      for (const shard of before) await shard.close()
    }
    this.#isFollowing = false
  }

  /** Answers a question about a book, as its shard has it; undefined if too many questions wait there. */
  look(question: BookQuestion): Promise<BookAnswer | undefined> {
    return this.#shardOf(question.market).look(question)
  }

  /**
   * Empties the write-ahead logs, of the journal and by `truncateOther`, when no command has come for a
   * while. To be called every second.
   */
  truncateQuietLog(truncateOther: () => Promise<void>): void {
    this.#quietLooks++
    if (this.#quietLooks % QUIET_LOOKS !== 0) return
    this.#shards[0]?.truncateLog().catch(this.#fail)
    truncateOther().catch(this.#fail)
  }

  async drain(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.drain()))
  }

  /** Returns the state fingerprint of each shard. */
  stateHashes(): Promise<string[]> {
    return Promise.all(this.#shards.map(shard => shard.stateHash()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map(shard => shard.close()))
  }

  #shardOf(key: MarketCode | AccountNumber): Shard {
    return this.#shards[this.#keyOf(key) % this.#shards.length] as Shard
  }
}

type OpenShards = () => Promise<Shard[]>

/** Opens the channels of one shard to what takes its batches; returns what then starts it. */
function prepareExecutor(
  file: string,
  place: ShardPlace,
  shared: SharedState,
  { threads, telling, replica, fail }: ShardPoolOptions,
): () => Promise<BatchExecutor> {
  if (!threads) return async () => openInlineExecutor(file, place, shared, telling.tell)
  const told = telling.openPort()
  const ports: ShardPorts = replica === undefined ? { told } : { told, rows: replica.rowsPort() }
  return () => openThreadedExecutor(file, place, shared, ports, fail)
}
