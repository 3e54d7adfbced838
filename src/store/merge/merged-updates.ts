import type { UserUpdates } from '../../core/user-updates.js'
import { updatesCount } from '../../core/user-updates.js'
import type { Database } from '../database.js'
import { isMarked, UpdateRows } from '../rows/update-rows.js'
import type { BatchPlace } from '../tables.js'
import type { MergedAccount } from './merged-accounts.js'
import type { MergedOrders } from './merged-orders.js'
import type { MergedPositions } from './merged-positions.js'
import { RowBuffer } from './row-buffer.js'

/** The messages of users' private channels: one row per batch and user, with the state after that batch. */
export class MergedUpdates {
  readonly #orders: MergedOrders
  readonly #positions: MergedPositions
  readonly #rows: RowBuffer
  readonly #marks: RowBuffer
  #lastId: number

  constructor(database: Database, orders: MergedOrders, positions: MergedPositions) {
    this.#orders = orders
    this.#positions = positions
    this.#rows = new RowBuffer(database, 'updates', 12)
    this.#marks = new RowBuffer(database, 'update_marks', 3)
    this.#lastId = new UpdateRows(database).lastId()
  }

  /** Adds a batch's messages to a user, after everything the batch changed. */
  add(account: MergedAccount, updates: UserUpdates, { sequence, at }: BatchPlace): void {
    const { fills, balance } = updates
    const count = updatesCount(updates)
    const { number, lastUpdate: previous, lastEntry } = account
    this.#lastId++
    account.lastUpdate = this.#lastId
    account.userSeq += count
    const { userSeq } = account
    this.#rows.add(
      this.#lastId,
      number,
      userSeq,
      previous,
      sequence,
      at,
      fills,
      fills > 0 ? lastEntry : null,
      this.#ordersText(updates),
      this.#positionsText(updates),
      balance === undefined ? null : account.cash,
      balance === undefined ? null : account.held,
    )
    if (isMarked(userSeq, count)) this.#marks.add(number, userSeq, this.#lastId)
  }

  flush(): void {
    this.#rows.flush()
    this.#marks.flush()
  }

  /** Returns the list as `UpdateRows` writes it; states and reasons need no escapes. */
  #ordersText({ orders }: UserUpdates): string | null {
    let text = ''
    for (const { market, number } of orders) {
      const { state, reason, quantity, filled, filledValue } = this.#orders.find(market, number)
      const why = reason === null ? 'null' : `"${reason}"`
      text += `${text === '' ? '[' : ','}[${market},${number},"${state}",${why},${quantity},${filled},${filledValue}]`
    }
    return text === '' ? null : `${text}]`
  }

  #positionsText({ positions }: UserUpdates): string | null {
    let text = ''
    for (const posting of positions) {
      const { market, yes, no, yesLocked, noLocked } = this.#positions.find(posting)
      text += `${text === '' ? '[' : ','}[${market},${yes},${no},${yesLocked},${noLocked}]`
    }
    return text === '' ? null : `${text}]`
  }
}
