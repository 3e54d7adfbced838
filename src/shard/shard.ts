import { assert } from '../core/assert.js'
import type { Command } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import type { BookAnswer, BookQuestion } from '../engine/book-questions.js'
import type { JournalRow } from '../store/journal.js'
import type { BatchResult } from './batch-runner.js'
import type { CommandGroup } from './command-group.js'
import { GROUP_LENGTH_MAX, groupOf } from './command-group.js'
import type { JournalOrder } from './journal-order.js'
import type { ReplicaLink } from './replica-link.js'
import { turnEnd } from './turn-end.js'

/** The most commands under way to the disk: two batches, so that the next one is there when one is done. */
const SENT_MAX = 1024
/** The most questions that may wait: each delays the next batch by at most a few milliseconds. */
const LOOKS_MAX = 64
/** The queue's extra room for cancels and reductions, as a share of its bound for orders. */
const ENDING_SHARE = 0.25

/** Receives the results of the commands that were sent, in their order. */
export interface BatchListener {
  /** Called when a batch of the oldest commands has committed. */
  readonly committed: (commandsCount: number, result: BatchResult) => void
  /** Called if a batch could not be committed; no other commits after it. */
  readonly failed: (error: unknown) => void
}

/** Decides and commits batches: in a worker thread, or in this thread in tests. */
export interface BatchExecutor {
  /** Sets where results go; to be called once, before the first command. */
  listen(listener: BatchListener): void
  /** Queues commands; all that wait when a batch is done become the next one. */
  send(group: CommandGroup): void
  /** Decides rows of another exchange and commits them as they are; resolves to why they are refused. */
  follow(rows: readonly JournalRow[]): Promise<readonly BatchResult[] | string>
  /** Moves the write-ahead log into the file and empties it, unless a reader is using it. */
  truncateLog(): Promise<void>
  /** Answers a question about a book. */
  look(question: BookQuestion): Promise<BookAnswer>
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
  /** Another log, which must hold a batch before it is applied. */
  readonly replica?: ReplicaLink | undefined
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
 * The queue in front of one executor. Commands are decided in the order in which they were queued. They are
 * sent ahead, so that the executor has its next batch without waiting for this thread.
 */
export class Shard {
  readonly #executor: BatchExecutor
  readonly #options: ShardOptions
  #waiting: Waiting[] = []
  /** Commands that the executor has, oldest first. */
  #sent: Waiting[] = []
  /** Commands without an answer. */
  #openCount = 0
  #lookingCount = 0
  #isSending = false
  #hasFailed = false
  #drained: (() => void)[] = []

  constructor(executor: BatchExecutor, options: ShardOptions) {
    this.#executor = executor
    this.#options = options
    executor.listen({
      committed: (commandsCount, result) => void this.#apply(commandsCount, result),
      failed: error => this.#fail(error),
    })
  }

  /** The number of waiting commands, not counting those in flight. */
  get queueLength(): number {
    return this.#waiting.length
  }

  get load(): ShardLoad {
    return { queueLength: this.queueLength, batchesInFlight: this.#sent.length > 0 ? 1 : 0 }
  }

  /** Returns true if there is no room for another order; cancels and reductions have extra room. */
  isFull(isEnding = false): boolean {
    const { queueLengthMax } = this.#options
    const reserve = isEnding ? Math.ceil(queueLengthMax * ENDING_SHARE) : 0
    return this.#waiting.length >= queueLengthMax + reserve
  }

  /** Returns true if at least a share of the queue's bound waits. */
  isFilled(share: number): boolean {
    return this.#waiting.length >= Math.ceil(this.#options.queueLengthMax * share)
  }

  /**
   * Queues a command; resolves when it is committed and applied. Never resolves once the shard has failed.
   */
  submit(command: Command): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ command, done: resolve })
      this.#openCount++
      this.#scheduleSending()
    })
  }

  /** Waits until nothing is queued or in flight, nor queued at once by those who got an answer. */
  async drain(): Promise<void> {
    while (this.#openCount > 0 && !this.#hasFailed) {
      await new Promise<void>(resolve => this.#drained.push(resolve))
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }

  /** Commits rows of another exchange, while no command is queued; the exchange must stop if that fails. */
  async follow(rows: readonly JournalRow[]): Promise<readonly BatchResult[] | string> {
    try {
      return await this.#executor.follow(rows)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  truncateLog(): Promise<void> {
    return this.#executor.truncateLog()
  }

  /** Answers a question about a book, between two batches; undefined if too many wait for an answer. */
  async look(question: BookQuestion): Promise<BookAnswer | undefined> {
    if (this.#lookingCount >= LOOKS_MAX) return undefined
    this.#lookingCount++
    try {
      return await this.#executor.look(question)
    } finally {
      this.#lookingCount--
    }
  }

  stateHash(): Promise<string> {
    return this.#executor.stateHash()
  }

  close(): Promise<void> {
    return this.#executor.close()
  }

  /** Sends once everything ready in the event loop is queued: one message and one wake-up for all of it. */
  #scheduleSending(): void {
    if (this.#isSending || this.#hasFailed) return
    this.#isSending = true
    turnEnd.schedule(() => void this.#send())
  }

  async #send(): Promise<void> {
    await this.#options.whenRoom()
    const room = this.#options.replica?.whenRoom()
    if (room !== undefined) await room
    this.#isSending = false
    while (this.#waiting.length > 0 && this.#sent.length < SENT_MAX && !this.#hasFailed) {
      const first = this.#waiting.slice(0, GROUP_LENGTH_MAX).map(({ command }) => command)
      const group = groupOf(this.#options.now(), first)
      for (const sent of this.#waiting.splice(0, group.count)) this.#sent.push(sent)
      this.#executor.send(group)
    }
  }

  async #apply(commandsCount: number, result: BatchResult): Promise<void> {
    try {
      const batch = this.#sent.splice(0, commandsCount)
      assert(batch.length === commandsCount, 'a batch has commands that were sent')
      const commands = batch.map(({ command }) => command)
      const holding = this.#options.replica?.whenHeld(result.sequence)
      if (holding !== undefined) await holding
      await this.#options.order.inOrder(result.sequence, () => this.#options.applyCommitted(commands, result))
      for (const { done } of batch) done()
      this.#openCount -= commandsCount
    } catch (error) {
      this.#fail(error)
    }
    if (this.#waiting.length > 0) this.#scheduleSending()
    else if (this.#openCount === 0) this.#release()
  }

  #fail(error: unknown): void {
    this.#hasFailed = true
    this.#options.fail(error instanceof Error ? error : new Error(String(error)))
    this.#release()
  }

  #release(): void {
    for (const resolve of this.#drained.splice(0)) resolve()
  }
}
