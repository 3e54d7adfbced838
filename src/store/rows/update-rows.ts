import { assert } from '../../core/assert.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  QuantityLots,
  Sequence,
  TimeMs,
} from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { StoredProgress } from './order-columns.js'

/** An order after a batch: market, number, state, reason, quantity, filled, filled value, fees if paid. */
export type OrderUpdate = readonly [
  MarketCode,
  OrderNumber,
  StoredProgress['state'],
  StoredProgress['reason'],
  StoredProgress['quantity'],
  StoredProgress['filled'],
  StoredProgress['filledValue'],
  StoredProgress['feePaid']?,
]

/** A position after a batch: market, YES, NO, and the locked part of each. */
export type PositionUpdate = readonly [
  MarketCode,
  yes: QuantityLots,
  no: QuantityLots,
  yesLocked: QuantityLots,
  noLocked: QuantityLots,
]

/** One batch's messages to one user. */
export interface UpdateRow {
  /** The number of the last message. */
  readonly userSeq: number
  readonly previous: number | null
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly fills: number | null
  /** The user's last statement line at that time, if there were fills. */
  readonly entry: number | null
  readonly orders: string | null
  readonly positions: string | null
  readonly cash: Amount | null
  readonly held: Amount | null
}

/** Readers start at a mark and walk back: at most this many messages plus those of one batch. */
const MARK_EVERY = 64

/** The table of private-channel messages; each user's rows are chained. */
export class UpdateRows {
  readonly #selectMark: Statement<number>
  readonly #selectLast: Statement<number | null>
  readonly #selectOne: Statement<UpdateRow>

  constructor(database: Database) {
    this.#selectMark = database
      .prepare<unknown[], number>(
        'SELECT id FROM update_marks WHERE account = ? AND user_seq >= ? ORDER BY user_seq LIMIT 1',
      )
      .pluck()
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT last_update FROM accounts WHERE number = ?')
      .pluck()
    this.#selectOne = database.prepare(
      `SELECT user_seq AS userSeq, previous, sequence, at, fills, entry, orders, positions, cash, held
       FROM whole_updates WHERE id = ?`,
    )
  }

  /**
   * Returns the next rows with messages above a number, in order: at least one if there is any, and no more
   * than a few marks cover.
   */
  after(account: AccountNumber, userSeq: number): UpdateRow[] {
    const rows: UpdateRow[] = []
    const mark = this.#selectMark.get(account, userSeq + MARK_EVERY)
    let id: number | null | undefined = mark ?? this.#selectLast.get(account)
    while (id !== null && id !== undefined) {
      const row = this.#selectOne.get(id)
      assert(row !== undefined, 'the rows of a user are chained')
      if (row.userSeq <= userSeq) break
      rows.push(row)
      id = row.previous
    }
    return rows.reverse()
  }
}

/** Returns true if a row with `count` messages up to `userSeq` gets a mark. */
export function isMarked(userSeq: number, count: number): boolean {
  return Math.floor(userSeq / MARK_EVERY) > Math.floor((userSeq - count) / MARK_EVERY)
}
