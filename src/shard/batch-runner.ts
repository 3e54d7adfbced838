import type { Command, TransferDirection } from '../core/command.js'
import { resultsOf } from '../core/command-effects.js'
import type { BatchOutcome } from '../core/engine-event.js'
import { unknownRulesIn } from '../core/epoch.js'
import type { MarketTerms } from '../core/market.js'
import { shardKey } from '../core/market.js'
import type { CashEntry } from '../core/postings.js'
import type { AccountNumber, Amount, Sequence, TimeMs } from '../core/units.js'
import { amount } from '../core/units.js'
import { updatesCount, updatesOf } from '../core/user-updates.js'
import type { BookAnswer, BookQuestion } from '../engine/book-questions.js'
import { Engine } from '../engine/engine.js'
import { stateHash } from '../engine/state-hash.js'
import { readCommands, UnreadableBatchError } from '../store/command-text.js'
import type { Database } from '../store/database.js'
import { assertDurable, openReadOnly, openServed, truncateIdleLog } from '../store/database.js'
import { journalPath } from '../store/files/journal-path.js'
import type { JournalRow } from '../store/journal.js'
import { Journal, linkFault } from '../store/journal.js'
import { takenBatch } from '../store/merge/taken-batch.js'
import type { WriteLock } from '../store/write-lock.js'
import type { Balances } from './balances.js'
import type { FlatBatch } from './flat-batch.js'
import { FlatWriter } from './flat-batch.js'
import { PositionsGuard } from './positions-guard.js'
import { StoredMarkets } from './stored-markets.js'

/** A committed batch: its sequence in the journal, its time, and its outcome. */
export interface BatchResult {
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly outcome: Omit<BatchOutcome, 'entries' | 'settlements' | 'makers'>
  /** The users with new private messages, and how many each has. */
  readonly updatedUsers: readonly UpdatedUser[]
  /** The deposits and withdrawals. */
  readonly transfers: readonly CommittedTransfer[]
}

/** A user with new private messages, and how many. */
export type UpdatedUser = readonly [AccountNumber, messagesCount: number]

/** A deposit or withdrawal in a batch. */
export interface CommittedTransfer {
  readonly txnId: string
  readonly account: AccountNumber
  readonly direction: TransferDirection
  readonly amount: Amount
  /** The change of the account's cash by what the batch did after it. */
  readonly changedLater: number
}

/** Memory that all shards share. */
export interface SharedState {
  readonly writeLock: WriteLock
  readonly balances: Balances
  /** Called with each row before its commit, so that another log takes it while this disk does. */
  readonly decided?: ((row: JournalRow) => void) | undefined
}

/** A shard's index and the number of shards; a market belongs to shard `shardKey mod count`. */
export interface ShardPlace {
  readonly index: number
  readonly count: number
}

/** Takes each committed batch to the follower. */
export type Tell = (batch: FlatBatch) => void

interface RunnerParts {
  /** A writing connection. */
  readonly journal: Database
  /** A reading connection; the tables have reached the journal's end. */
  readonly tables: Database
  /** Called with each batch once it is committed, before `run` returns. */
  readonly tell?: Tell | undefined
}

/**
 * Runs one shard: takes the write lock, decides a batch in memory, commits it to the journal and tells it to
 * the follower, which writes the tables. Any failure here is fatal for the process, because the books may
 * then be ahead of the disk.
 */
export class BatchRunner {
  readonly #engine = new Engine()
  readonly #database: Database
  readonly #writeLock: WriteLock
  readonly #journal: Journal
  readonly #balances: Balances
  readonly #positions: PositionsGuard
  readonly #stored: StoredMarkets
  readonly #tell: Tell | undefined
  readonly #writer = new FlatWriter()
  readonly #decided: SharedState['decided']
  #isDurable = false

  /**
   * Rebuilds the shard's books from the open orders, in order of arrival. A market that is over is read when
   * something still asks for it: it is in the tables as it will stay.
   *
   * @param place which of the shards it is
   */
  constructor({ journal, tables, tell }: RunnerParts, shared: SharedState, place: ShardPlace) {
    const { writeLock, balances, decided } = shared
    this.#decided = decided
    this.#tell = tell
    this.#database = journal
    this.#writeLock = writeLock
    this.#balances = balances
    this.#positions = new PositionsGuard(tables)
    this.#journal = new Journal(journal, place.index)
    const isOwn = (terms: Pick<MarketTerms, 'code' | 'group'>) =>
      shardKey(terms) % place.count === place.index
    this.#stored = new StoredMarkets(this.#engine, tables, isOwn)
    this.#stored.restoreLive()
    for (const market of this.#engine.markets()) market.book.assertInvariants()
  }

  /**
   * Decides and commits one batch. Takes the commands as the text that the journal stores, so that the
   * engine decides exactly what a replay will read.
   */
  run(at: TimeMs, commands: string): BatchResult {
    this.#writeLock.acquire()
    let mayOthers = this.#decided === undefined
    try {
      const { result, flat } = this.#database.transaction(() => this.#applyAndWrite(at, commands)).immediate()
      if (!this.#isDurable) assertDurable(this.#database)
      this.#isDurable = true
      if (flat !== undefined) this.#tell?.(flat)
      mayOthers = true
      return result
    } finally {
      // A log elsewhere may have this batch although it is not committed: no other shard may put another one
      // in its place before the process ends.
      if (mayOthers) this.#writeLock.release()
    }
  }

  /**
   * Decides rows that another exchange has committed, and commits them as they are, in one transaction.
   * Returns why they do not follow from the last row, or cannot be decided: nothing has changed then.
   */
  follow(rows: readonly JournalRow[]): BatchResult[] | string {
    this.#writeLock.acquire()
    try {
      const followed = this.#database.transaction(() => this.#followRows(rows)).immediate()
      if (typeof followed === 'string') return followed
      if (!this.#isDurable) assertDurable(this.#database)
      this.#isDurable = true
      for (const { flat } of followed) if (flat !== undefined) this.#tell?.(flat)
      return followed.map(({ result }) => result)
    } finally {
      this.#writeLock.release()
    }
  }

  /** Empties the write-ahead log; no shard writes meanwhile. */
  truncateLog(): void {
    this.#writeLock.acquire()
    try {
      truncateIdleLog(this.#database)
    } finally {
      this.#writeLock.release()
    }
  }

  /** The number of positions in memory: those with contracts that this shard has changed. */
  get positionsCount(): number {
    return this.#positions.size
  }

  /** Answers a question about a book, as of the last batch. */
  look(question: BookQuestion): BookAnswer {
    this.#stored.restore(question.market)
    return this.#engine.look(question)
  }

  /** Returns the fingerprint of the shard's state, for which all of its markets are read. */
  stateHash(): string {
    this.#stored.restoreAll()
    return stateHash(this.#engine)
  }

  #applyAndWrite(askedAt: TimeMs, text: string) {
    const end = this.#journal.end()
    const at = Math.max(askedAt, end.at) as TimeMs
    const commands = readCommands(text, end.sequence + 1)
    return this.#apply(at, commands, () => {
      const row = this.#journal.append(end, at, text)
      this.#decided?.(row)
      return row
    })
  }

  #followRows(rows: readonly JournalRow[]) {
    let end = this.#journal.end()
    const batches: { readonly row: JournalRow; readonly commands: Command[] }[] = []
    for (const row of rows) {
      const fault = linkFault(end, row)
      if (fault !== undefined) return fault
      const commands = readOrFault(row)
      if (typeof commands === 'string') return commands
      const unknown = unknownRulesIn(commands)
      if (unknown !== undefined) return unknown
      batches.push({ row, commands })
      end = row
    }
    return batches.map(({ row, commands }) =>
      this.#apply(row.at, commands, () => {
        this.#journal.add(row)
        return row
      }),
    )
  }

  /** Decides a batch, and checks it before it is written. */
  #apply(at: TimeMs, commands: readonly Command[], write: () => JournalRow) {
    this.#stored.restoreFor(commands)
    const outcome = this.#engine.apply({ at, commands })
    this.#balances.post(commands, outcome)
    this.#positions.post(outcome.positions)
    this.#positions.forget(outcome.settlements)
    for (const command of commands) {
      for (const { market } of resultsOf(command)) this.#positions.forgetEmpty(market)
    }
    const { sequence, hash } = write()
    const updatedUsers = Array.from(updatesOf(outcome), ([account, updates]): UpdatedUser => {
      return [account, updatesCount(updates)]
    })
    const { entries, settlements, makers: _, ...forDesk } = outcome
    const result = { sequence, at, outcome: forDesk, updatedUsers, transfers: transfersOf(entries) }
    if (this.#tell === undefined) return { result, flat: undefined }
    return { result, flat: this.#writer.write(takenBatch(commands, outcome, { sequence, at }), hash) }
  }
}

/** A shard, and its connections. */
export interface OpenRunner {
  readonly runner: BatchRunner
  readonly close: () => void
}

/** Opens a shard that commits to the journal beside a file of tables, with the books from the tables. */
export function openRunner(file: string, shared: SharedState, place: ShardPlace, tell?: Tell): OpenRunner {
  const journal = openServed(journalPath(file))
  const tables = openReadOnly(file)
  return {
    runner: new BatchRunner({ journal, tables, tell }, shared, place),
    close: () => {
      tables.close()
      journal.close()
    },
  }
}

/** Reads the commands of another exchange's row, or says why that cannot be. */
function readOrFault({ commands, sequence }: JournalRow): Command[] | string {
  try {
    return readCommands(commands, sequence)
  } catch (error) {
    if (error instanceof UnreadableBatchError) return error.message
    throw error
  }
}

/** Returns the deposits and withdrawals among a batch's statement lines, in their order. */
function transfersOf(entries: readonly CashEntry[]): CommittedTransfer[] {
  const transfers: CommittedTransfer[] = []
  if (!entries.some(({ txnId }) => txnId !== undefined)) return transfers
  const later = new Map<AccountNumber, number>()
  for (const { account, kind, change, txnId } of entries.toReversed()) {
    const changedLater = later.get(account) ?? 0
    later.set(account, changedLater + change)
    if (txnId === undefined) continue
    const direction = kind as TransferDirection
    transfers.unshift({ txnId, account, direction, amount: amount(Math.abs(change)), changedLater })
  }
  return transfers
}
