import { assert } from '../core/assert.js'
import type { OrderChange } from '../core/engine-event.js'
import type { PositionPosting } from '../core/postings.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  QuantityLots,
  Sequence,
  TimeMs,
} from '../core/units.js'
import type { UserUpdates } from '../core/user-updates.js'
import { updatesCount } from '../core/user-updates.js'
import type { Database, Statement } from './database.js'
import type { StoredProgress } from './order-rows.js'
import type { HeldContracts } from './position-rows.js'

/** One of a list in a row, as JSON writes it. */
export type Cells = readonly (number | string | null)[]

/** How an order stood after a batch: market, number, state, reason, quantity, filled, filled value. */
export type OrderUpdate = readonly [
  MarketCode,
  OrderNumber,
  StoredProgress['state'],
  StoredProgress['reason'],
  StoredProgress['quantity'],
  StoredProgress['filled'],
  StoredProgress['filledValue'],
]

/** How a position stood after a batch: market, YES, NO, and the locked ones of both. */
export type PositionUpdate = readonly [
  MarketCode,
  yes: QuantityLots,
  no: QuantityLots,
  yesLocked: QuantityLots,
  noLocked: QuantityLots,
]

/** What one batch had to tell one user. */
export interface UpdateRow {
  /** The number of the last message. */
  readonly userSeq: number
  readonly previous: number | null
  readonly sequence: Sequence
  readonly at: TimeMs
  readonly fills: number | null
  readonly orders: string | null
  readonly positions: string | null
  readonly cash: Amount | null
  readonly held: Amount | null
}

/** How what a batch changed stands after it, as the tables have it. */
export interface AfterBatch {
  readonly orders: ReadonlyMap<OrderChange, StoredProgress>
  readonly positions: ReadonlyMap<PositionPosting, HeldContracts>
}

/** A reader begins at a mark and goes back: so many messages at most, and those of one batch. */
const MARK_EVERY = 64

/** The table of what users were told on their private channels, each user's rows chained. */
export class UpdateRows {
  readonly #insert: Statement
  readonly #count: Statement<{ readonly userSeq: number }>
  readonly #mark: Statement
  readonly #selectMark: Statement<number>
  readonly #selectLast: Statement<number | null>
  readonly #selectOne: Statement<UpdateRow>

  constructor(database: Database) {
    // To be written before the account's count goes on, and after its money has moved.
    this.#insert = database.prepare(
      `INSERT INTO updates SELECT NULL, number, user_seq + @count, last_update, @sequence, @at, @fills,
       @orders, @positions, iif(@balance, cash, NULL), iif(@balance, held, NULL)
       FROM accounts WHERE number = @account`,
    )
    this.#count = database.prepare(
      `UPDATE accounts SET user_seq = user_seq + ?, last_update = ? WHERE number = ?
       RETURNING user_seq AS userSeq`,
    )
    this.#mark = database.prepare('INSERT INTO update_marks VALUES (?, ?, ?)')
    this.#selectMark = database
      .prepare<unknown[], number>(
        'SELECT id FROM update_marks WHERE account = ? AND user_seq >= ? ORDER BY user_seq LIMIT 1',
      )
      .pluck()
    this.#selectLast = database
      .prepare<unknown[], number | null>('SELECT last_update FROM accounts WHERE number = ?')
      .pluck()
    this.#selectOne = database.prepare(
      `SELECT user_seq AS userSeq, previous, sequence, at, fills, orders, positions, cash, held
       FROM updates WHERE id = ?`,
    )
  }

  /** Writes what a batch tells a user, once their money has been posted; answers their last number. */
  insert(
    account: AccountNumber,
    updates: UserUpdates,
    after: AfterBatch,
    place: { readonly sequence: Sequence; readonly at: TimeMs },
  ): number {
    const { fills, orders, positions, balance } = updates
    const count = updatesCount(updates)
    const { lastInsertRowid: id } = this.#insert.run({
      ...place,
      account,
      count,
      fills,
      orders: listText(orders.map(change => orderUpdate(change, after.orders.get(change)))),
      positions: listText(positions.map(posting => positionUpdate(after.positions.get(posting)))),
      balance: balance === undefined ? 0 : 1,
    })
    const row = this.#count.get(count, id, account)
    assert(row !== undefined, 'a user who is told something has an account')
    const { userSeq } = row
    if (isMarked(userSeq, count)) this.#mark.run(account, userSeq, id)
    return userSeq
  }

  /**
   * The next rows with messages above a number, in their order: at least one where there is any, and no more
   * than a few marks hold.
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

/** Whether a row whose last message has this number, of so many, has a mark. */
export function isMarked(userSeq: number, count: number): boolean {
  return Math.floor(userSeq / MARK_EVERY) > Math.floor((userSeq - count) / MARK_EVERY)
}

/** The text of a list, none where there is nothing in it. */
export function listText(list: readonly Cells[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

function orderUpdate({ market, number }: OrderChange, after: StoredProgress | undefined): OrderUpdate {
  assert(after !== undefined, 'an order that changed was written')
  const { state, reason, quantity, filled, filledValue } = after
  return [market, number, state, reason, quantity, filled, filledValue]
}

function positionUpdate(after: HeldContracts | undefined): PositionUpdate {
  assert(after !== undefined, 'a position that changed was written')
  const { market, yes, no, yesLocked, noLocked } = after
  return [market, yes, no, yesLocked, noLocked]
}
