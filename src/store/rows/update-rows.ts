import { assert } from '../../core/assert.js'
import type { OrderChange } from '../../core/engine-event.js'
import type { PositionPosting } from '../../core/postings.js'
import type { HeldContracts } from '../../core/records/position-record.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  QuantityLots,
  Sequence,
  TimeMs,
} from '../../core/units.js'
import type { UserUpdates } from '../../core/user-updates.js'
import { updatesCount } from '../../core/user-updates.js'
import type { Database, Statement } from '../database.js'
import type { AccountEnds, StoredMoney } from './account-rows.js'
import type { StoredProgress } from './order-rows.js'

/** An element of a JSON list in a row. */
export type Cells = readonly (number | string | null)[]

/** An order after a batch: market, number, state, reason, quantity, filled, filled value. */
export type OrderUpdate = readonly [
  MarketCode,
  OrderNumber,
  StoredProgress['state'],
  StoredProgress['reason'],
  StoredProgress['quantity'],
  StoredProgress['filled'],
  StoredProgress['filledValue'],
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

/** The stored state of everything a batch changed. */
export interface AfterBatch {
  readonly orders: ReadonlyMap<OrderChange, StoredProgress>
  readonly positions: ReadonlyMap<PositionPosting, HeldContracts>
}

/** Readers start at a mark and walk back: at most this many messages plus those of one batch. */
const MARK_EVERY = 64

/** The table of private-channel messages; each user's rows are chained. */
export class UpdateRows {
  readonly #insert: Statement
  readonly #mark: Statement
  readonly #selectLastId: Statement<number>
  readonly #selectMark: Statement<number>
  readonly #selectLast: Statement<number | null>
  readonly #selectOne: Statement<UpdateRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO updates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#mark = database.prepare('INSERT INTO update_marks VALUES (?, ?, ?)')
    this.#selectLastId = database.prepare<unknown[], number>('SELECT ifnull(max(id), 0) FROM updates').pluck()
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
       FROM updates WHERE id = ?`,
    )
  }

  /** Returns the id of the last row in the table; ids are consecutive. */
  lastId(): number {
    return this.#selectLastId.get() ?? 0
  }

  /**
   * Writes a batch's messages to a user, after their money has been posted.
   *
   * @param ends the user's newest rows, including this one
   * @param previous the id of the user's previous row
   */
  insert(
    account: AccountNumber,
    ends: AccountEnds,
    previous: number | null,
    updates: UserUpdates,
    after: AfterBatch,
    money: StoredMoney,
    { sequence, at }: { readonly sequence: Sequence; readonly at: TimeMs },
  ): void {
    const { fills, orders, positions, balance } = updates
    const { userSeq, lastUpdate: id, lastEntry } = ends
    const { cash, held } = balance === undefined ? UNCHANGED : money
    const entry = fills > 0 ? lastEntry : null
    const ordersText = listText(orders.map(change => orderUpdate(change, after.orders.get(change))))
    const positionsText = listText(positions.map(posting => positionUpdate(after.positions.get(posting))))
    const row = [
      account,
      userSeq,
      previous,
      sequence,
      at,
      fills,
      entry,
      ordersText,
      positionsText,
      cash,
      held,
    ]
    this.#insert.run(id, ...row)
    if (isMarked(userSeq, updatesCount(updates))) this.#mark.run(account, userSeq, id)
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

const UNCHANGED = { cash: null, held: null }

/** Returns true if a row with `count` messages up to `userSeq` gets a mark. */
export function isMarked(userSeq: number, count: number): boolean {
  return Math.floor(userSeq / MARK_EVERY) > Math.floor((userSeq - count) / MARK_EVERY)
}

/** Returns a list as JSON; null if it is empty. */
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
