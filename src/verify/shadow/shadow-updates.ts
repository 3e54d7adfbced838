import type { BatchOutcome, OrderChange } from '../../core/engine-event.js'
import type { PositionPosting } from '../../core/postings.js'
import type { AccountNumber } from '../../core/units.js'
import { updatesCount, updatesOf } from '../../core/user-updates.js'
import { isMarked } from '../../store/rows/update-rows.js'
import type { ExpectedRows } from '../stored/expected-rows.js'

/** An element of a JSON list in a row. */
export type Cells = readonly (number | string | null)[]

interface Told {
  userSeq: number
  /** Id of the user's last row. */
  last: number | undefined
}

/** State after a batch, as the replay knows it. */
export interface StandsAfter {
  order(change: OrderChange): Cells
  position(posting: PositionPosting): Cells
  money(account: AccountNumber): { readonly cash: number; readonly held: number }
  /** Returns the id of the account's last line. */
  entry(account: AccountNumber): number | undefined
}

/** Messages on users' private channels, row by row, as the tables should hold them. */
export class ShadowUpdates {
  readonly #rows: ExpectedRows
  readonly #told = new Map<number, Told>()
  #lastId = 0

  constructor(rows: ExpectedRows) {
    this.#rows = rows
  }

  of(account: number): Readonly<Told> {
    return this.#told.get(account) ?? { userSeq: 0, last: undefined }
  }

  take(sequence: number, at: number, outcome: BatchOutcome, after: StandsAfter): void {
    for (const [account, updates] of updatesOf(outcome)) {
      const orders = listText(updates.orders.map(change => after.order(change)))
      const positions = listText(updates.positions.map(posting => after.position(posting)))
      const { cash, held } = updates.balance === undefined ? NONE : after.money(account)
      const entry = updates.fills > 0 ? (after.entry(account) ?? null) : null
      const cells = [sequence, at, updates.fills, entry, orders, positions, cash, held]
      this.#add(account, updatesCount(updates), cells)
    }
  }

  #add(account: number, count: number, cells: Cells): void {
    const before = this.of(account)
    const id = this.#lastId + 1
    this.#lastId = id
    const userSeq = before.userSeq + count
    this.#told.set(account, { userSeq, last: id })
    this.#rows.update(id, account, userSeq, before.last, cells)
    if (isMarked(userSeq, count)) {
      this.#rows.keyed('update_marks', `${account} ${userSeq}`, [id])
    }
  }
}

const NONE = { cash: null, held: null }

/** Returns a list as JSON; null if it is empty. */
function listText(list: readonly Cells[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}
