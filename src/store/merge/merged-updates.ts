import type { UserUpdates } from '../../core/user-updates.js'
import { updatesCount } from '../../core/user-updates.js'
import type { Database } from '../database.js'
import type { BatchPlace } from '../journal.js'
import { lastIdIn } from '../rows/last-id.js'
import { isMarked } from '../rows/update-rows.js'
import type { MergedAccount } from './merged-accounts.js'
import type { MergedOrder, MergedOrders } from './merged-orders.js'
import type { MergedPosition, MergedPositions } from './merged-positions.js'
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
    this.#rows = new RowBuffer(database, 'updates', { width: 12 })
    this.#marks = new RowBuffer(database, 'update_marks', { width: 3 })
    this.#lastId = lastIdIn(database, 'updates')()
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

  #ordersText({ orders }: UserUpdates): string | null {
    return listText(orders.map(({ market, number }) => orderText(this.#orders.find(market, number))))
  }

  #positionsText({ positions }: UserUpdates): string | null {
    return listText(positions.map(posting => positionText(this.#positions.find(posting))))
  }
}

/** Returns an `OrderUpdate` as JSON; no state or reason needs an escape. */
function orderText({ market, number, state, reason, quantity, filled, ...more }: MergedOrder): string {
  const why = reason === null ? 'null' : `"${reason}"`
  const fee = more.feePaid === 0 ? '' : `,${more.feePaid}`
  return `[${market},${number},"${state}",${why},${quantity},${filled},${more.filledValue}${fee}]`
}

function positionText({ market, yes, no, yesLocked, noLocked }: MergedPosition): string {
  return `[${market},${yes},${no},${yesLocked},${noLocked}]`
}

/** Returns the elements as a JSON list; null if there are none. */
function listText(elements: readonly string[]): string | null {
  return elements.length === 0 ? null : `[${elements.join(',')}]`
}
