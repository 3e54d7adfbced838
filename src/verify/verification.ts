import { stateHash } from '../engine/state-hash.js'
import type { Database } from '../store/database.js'
import { Reached } from '../store/reached.js'
import { compareBooks } from './book-states.js'
import type { Report } from './checks.js'
import { Checks } from './checks.js'
import { FINDINGS_MAX } from './findings.js'
import type { ReplayedJournal } from './shadow/journal-replay.js'
import { replayJournal, replayTail } from './shadow/journal-replay.js'
import { countAgain } from './shadow/recount-money.js'
import type { Difference } from './stored/comparison.js'
import { compareRows } from './stored/comparison.js'
import { explain } from './stored/explanation.js'
import type { RowHashes } from './stored/row-hashes.js'
import type { StoredPart } from './stored/stored-part.js'
import type { TableName } from './stored/table-shapes.js'
import { TABLE_SHAPES } from './stored/table-shapes.js'

/** Progress in batches of the journal, or in rows of the tables, whose total is unknown beforehand. */
export type Progress =
  | { readonly stage: 'journal'; readonly done: number; readonly total: number; readonly orders: number }
  | { readonly stage: 'tables'; readonly done: number }

const TABLES = Object.keys(TABLE_SHAPES) as TableName[]

/**
 * Checks a whole exchange at one moment: plays its journal into an empty state, compares every row of every
 * table with the result, and plays on what the tables do not include yet. The two halves are independent
 * until the comparison, so that two threads can share the work.
 */
export class Verification {
  readonly #database: Database
  readonly #checks = new Checks()
  #replayed: ReplayedJournal | undefined

  /** Expects the caller to have begun a read transaction that lasts until the report is made. */
  constructor(database: Database) {
    this.#database = database
  }

  /** Plays the journal: the first half. */
  play(told: (progress: Progress) => void): void {
    const checks = this.#checks
    this.#replayed = checks.guard('replay', () => {
      const total = new Reached(this.#database).read().sequence
      return replayJournal(this.#database, checks.replayFindings, (done, orders) => {
        told({ stage: 'journal', done, total, orders })
      })
    })
    const stopped = this.#replayed?.stopped
    if (stopped !== undefined) checks.add('replay', () => stopped)
  }

  /** Compares the halves and returns the report. */
  conclude({ found, hashes, books, audit, journalSequence }: StoredPart): Report {
    const checks = this.#checks
    checks.take(found)
    const replayed = this.#replayed
    const whole = replayed?.stopped === undefined ? replayed : undefined
    const states = new Map<number, string>()
    const state = whole && stateHash(whole.replay.engine, (market, of) => states.set(market, of))
    if (whole === undefined) checks.skip('money', 'books', ...TABLES)
    else {
      countAgain(whole.replay, checks.of('money'))
      if (books === undefined) checks.skip('books')
      else compareBooks(states, books, checks.of('books'))
      if (hashes === undefined) checks.skip(...TABLES)
      else this.#compareTables(whole, hashes)
    }
    const sizes = {
      sequence: replayed?.sequence ?? 0,
      journalSequence: journalSequence ?? replayed?.sequence ?? 0,
      orders: replayed?.replay.ordersCount ?? 0,
      commands: replayed?.commandsCount ?? 0,
      accounts: audit?.accounts ?? 0,
      markets: audit?.markets ?? 0,
      openOrders: audit?.openOrders ?? 0,
      stateHash: state,
    }
    // Last, because it moves the replay on beyond the tables.
    const undecided = checks.guard('replay', () => whole && replayTail(this.#database, whole))
    if (undecided !== undefined) checks.add('replay', () => undecided)
    return checks.report(sizes)
  }

  /**
   * Compares all rows by their hashes. If some differ, the journal is played once more to recover the
   * expected lines of the first ones of each table.
   */
  #compareTables(replayed: ReplayedJournal, stored: RowHashes): void {
    const watched = new Map<TableName, Map<string, Difference>>()
    for (const difference of compareRows(replayed.rows.hashes, stored)) {
      const ofTable = watched.get(difference.table) ?? new Map<string, Difference>()
      watched.set(difference.table, ofTable)
      if (ofTable.size < FINDINGS_MAX) ofTable.set(difference.key, difference)
      else this.#checks.add(difference.table, () => `row ${difference.key} ${difference.kind}`)
    }
    if (watched.size === 0) return
    const { rows } = replayJournal(this.#database, new Checks().replayFindings, () => undefined, watched)
    for (const [table, differences] of watched) {
      for (const difference of differences.values()) {
        const text = explain(this.#database, rows.lines, difference)
        this.#checks.add(table, () => text)
      }
    }
  }
}
