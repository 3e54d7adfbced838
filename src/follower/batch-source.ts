import { assert } from '../core/assert.js'
import { unknownRulesIn } from '../core/epoch.js'
import { isOver } from '../core/market.js'
import type { MarketCode, Sequence } from '../core/units.js'
import { Engine } from '../engine/engine.js'
import type { FlatBatch } from '../shard/flat-batch.js'
import { FlatWriter, readBatch } from '../shard/flat-batch.js'
import { StoredMarkets } from '../shard/stored-markets.js'
import type { Database, Statement } from '../store/database.js'
import { readCommands } from '../store/command-text.js'
import type { JournalRow } from '../store/journal.js'
import type { TakenBatch } from '../store/merge/taken-batch.js'
import { takenBatch } from '../store/merge/taken-batch.js'

/** A committed batch, and its hash in the journal. */
export interface CommittedBatch {
  readonly batch: TakenBatch
  readonly hash: Buffer
}

/** A follower's batches: decided by a replay of the journal, or by the shards. */
export interface BatchSource {
  /** Yields the batches after one and up to another, in journal order. */
  batches(after: Sequence, upTo: Sequence): Iterable<CommittedBatch>
  /** Notes that the tables include all batches that were yielded. */
  written(): void
}

/** Returns a shard's next batch, in that shard's order; undefined if none waits. */
export type NextTold = () => FlatBatch | undefined

/** How a follower takes batches: as their shards told them, or deciding each a second time, too. */
export type FollowerMode = 'told' | 'verify'

/** Returns the batches of a running exchange. */
export function sourceOf(mode: FollowerMode, database: Database, next: NextTold): BatchSource {
  return mode === 'verify' ? new SecondOpinion(database, next) : new ToldBatches(next)
}

/** Replays the journal: decides each batch a second time. */
export class Replay implements BatchSource {
  readonly #engine = new Engine()
  readonly #stored: StoredMarkets
  readonly #select: Statement<JournalRow>
  /** Markets that ended in batches that are not written yet. */
  readonly #over = new Set<MarketCode>()

  constructor(database: Database) {
    this.#stored = new StoredMarkets(this.#engine, database)
    this.#select = database.prepare(
      `SELECT sequence, shard, at, commands, hash FROM whole_journal
       WHERE sequence > ? AND sequence <= ? ORDER BY sequence`,
    )
  }

  *batches(after: Sequence, upTo: Sequence): Generator<CommittedBatch> {
    for (const { sequence, at, hash, commands: text } of this.#select.iterate(after, upTo)) {
      const commands = readCommands(text, sequence)
      const unknown = unknownRulesIn(commands)
      if (unknown !== undefined) throw new Error(`batch ${sequence}: ${unknown}`)
      this.#stored.restoreFor(commands)
      const outcome = this.#engine.apply({ at, commands })
      for (const { code, status } of outcome.markets) if (isOver(status)) this.#over.add(code)
      yield { batch: takenBatch(commands, outcome, { sequence, at }), hash }
    }
  }

  written(): void {
    for (const code of this.#over) this.#forget(code)
    this.#over.clear()
  }

  /**
   * Forgets a market that is over, a group once all its markets are: the few commands that still come restore
   * it.
   */
  #forget(code: MarketCode): void {
    const group = this.#engine.groupOf(code)
    const markets = group?.markets ?? []
    if (markets.some(({ progress }) => !isOver(progress.status))) return
    this.#engine.forget(group?.terms.code ?? code)
  }
}

/** Takes what the shards told: they decide each batch once, for the tables as for the desk. */
export class ToldBatches implements BatchSource {
  readonly #next: NextTold
  /** Batches that came before one that precedes them in the journal: shards tell side by side. */
  readonly #early = new Map<number, FlatBatch>()

  constructor(next: NextTold) {
    this.#next = next
  }

  *batches(after: Sequence, upTo: Sequence): Generator<CommittedBatch> {
    for (let sequence = after + 1; sequence <= upTo; sequence++) {
      const flat = this.take(sequence)
      yield { batch: readBatch(flat), hash: Buffer.from(flat.hash) }
    }
  }

  /** Returns a batch as its shard tells it, which it does before anyone hears that it is committed. */
  take(sequence: number): FlatBatch {
    for (;;) {
      const flat = this.#early.get(sequence) ?? this.#next()
      assert(flat !== undefined, 'a shard tells the follower each batch that it commits')
      const told = flat.cells[0] as number
      this.#early.delete(told)
      if (told === sequence) return flat
      this.#early.set(told, flat)
    }
  }

  written(): void {}
}

/** Decides each batch a second time, and compares that with what its shard told: bit by bit. */
export class SecondOpinion implements BatchSource {
  readonly #replay: Replay
  readonly #told: ToldBatches
  readonly #writer = new FlatWriter()

  constructor(database: Database, next: NextTold) {
    this.#replay = new Replay(database)
    this.#told = new ToldBatches(next)
  }

  *batches(after: Sequence, upTo: Sequence): Generator<CommittedBatch> {
    for (const decided of this.#replay.batches(after, upTo)) {
      const { sequence } = decided.batch.place
      const flat = this.#writer.write(decided.batch, decided.hash)
      const isSame = isSameBatch(flat, this.#told.take(sequence))
      assert(isSame, `a replay of the journal decides batch ${sequence} as its shard did`)
      yield decided
    }
  }

  written(): void {
    this.#replay.written()
  }
}

function isSameBatch(one: FlatBatch, other: FlatBatch): boolean {
  return (
    one.rare === other.rare &&
    isSameList(one.words, other.words) &&
    isSameList(one.cells, other.cells) &&
    isSameList(one.hash, other.hash)
  )
}

function isSameList<T>(one: ArrayLike<T>, other: ArrayLike<T>): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) return false
  return true
}
