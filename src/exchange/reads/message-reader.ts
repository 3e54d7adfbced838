import { assert } from '../../core/assert.js'
import type { UserMessage } from '../../core/records/user-message.js'
import type { AccountNumber, TimeMs } from '../../core/units.js'
import { NOTHING } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { FillRows } from '../../store/rows/fill-rows.js'
import { OrderRows } from '../../store/rows/order-rows.js'
import type { OrderUpdate, PositionUpdate, UpdateRow } from '../../store/rows/update-rows.js'
import { UpdateRows } from '../../store/rows/update-rows.js'

/** The most messages read at once: the main thread writes them all in one turn. */
const MESSAGES_MAX = 4096

/** A row with its lists read. */
type Parts = Omit<UpdateRow, 'orders' | 'positions'> & {
  readonly orders: readonly OrderUpdate[]
  readonly positions: readonly PositionUpdate[]
}

type Body<T> = T extends unknown ? Omit<T, 'userSeq' | 'at'> : never

/** Reads users' messages back from the tables, whether a second or a year old. */
export class MessageReader {
  readonly #updates: UpdateRows
  readonly #fills: FillRows
  readonly #orders: OrderRows
  readonly #messagesMax: number

  constructor(database: Database, messagesMax = MESSAGES_MAX) {
    this.#messagesMax = messagesMax
    this.#updates = new UpdateRows(database)
    this.#fills = new FillRows(database)
    this.#orders = new OrderRows(database)
  }

  /**
   * Returns a bounded number of messages after one number, up to another; at least one if there is any. Of a
   * batch with many fills of one user it returns a part.
   */
  after(account: AccountNumber, userSeq: number, upTo: number): UserMessage[] {
    const messages: UserMessage[] = []
    for (const row of this.#updates.after(account, userSeq)) {
      if (row.userSeq > upTo) break
      const orders = listOf<OrderUpdate>(row.orders)
      const positions = listOf<PositionUpdate>(row.positions)
      const parts = { ...row, orders, positions }
      const before = row.userSeq - countOf(parts)
      let number = Math.max(before, userSeq)
      for (const body of this.#bodies(parts, number - before)) {
        number++
        messages.push({ userSeq: number, at: row.at, ...body })
        if (messages.length >= this.#messagesMax) return messages
      }
    }
    return messages
  }

  /** Yields a row's messages in the order of their numbers, without the first ones. */
  *#bodies(row: Parts, skipped: number): Generator<Body<UserMessage>> {
    const fillCount = fillsOf(row)
    const { entry, orders, positions, cash, held } = row
    if (entry !== null && skipped < fillCount)
      for (const fill of this.#fills.upTo(entry, fillCount - skipped)) yield { type: 'fill', fill }
    let left = Math.max(0, skipped - fillCount)
    for (const update of orders.slice(left)) yield this.#order(update, row.at)
    left = Math.max(0, left - orders.length)
    for (const [market, yes, no, yesLocked, noLocked] of positions.slice(left)) {
      yield { type: 'position', position: { market, yes, no, yesLocked, noLocked } }
    }
    if (cash !== null && held !== null && left <= positions.length) yield { type: 'balance', cash, held }
  }

  /** Returns the order after the update; its constant fields come from its own row. */
  #order([market, number, ...progress]: OrderUpdate, updatedAt: TimeMs): Body<UserMessage> {
    const [state, reason, quantity, filled, filledValue, feePaid = NOTHING] = progress
    const record = this.#orders.find(market, number)
    assert(record !== undefined, 'an order in a message is stored')
    const then = { state, reason: reason ?? undefined, quantity, filled, filledValue, feePaid, updatedAt }
    return { type: 'order', order: { ...record, ...then } }
  }
}

/** Returns how many messages a row has. */
function countOf(row: Parts): number {
  const hasBalance = row.cash !== null && row.held !== null
  return fillsOf(row) + row.orders.length + row.positions.length + (hasBalance ? 1 : 0)
}

const fillsOf = ({ fills, entry }: Parts) => (fills === null || entry === null ? 0 : fills)

function listOf<Update>(text: string | null): readonly Update[] {
  return text === null ? [] : (JSON.parse(text) as Update[])
}
