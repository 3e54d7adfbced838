import { assert } from '../../core/assert.js'
import type { UserMessage } from '../../core/records/user-message.js'
import type { AccountNumber, TimeMs } from '../../core/units.js'
import { NOTHING } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { FillRows } from '../../store/rows/fill-rows.js'
import { OrderRows } from '../../store/rows/order-rows.js'
import type { OrderUpdate, PositionUpdate, UpdateRow } from '../../store/rows/update-rows.js'
import { UpdateRows } from '../../store/rows/update-rows.js'

type Body<T> = T extends unknown ? Omit<T, 'userSeq' | 'at'> : never

/** Reads users' messages back from the tables, whether a second or a year old. */
export class MessageReader {
  readonly #updates: UpdateRows
  readonly #fills: FillRows
  readonly #orders: OrderRows

  constructor(database: Database) {
    this.#updates = new UpdateRows(database)
    this.#fills = new FillRows(database)
    this.#orders = new OrderRows(database)
  }

  /** Returns a bounded number of messages after one number, up to another; at least one if there is any. */
  after(account: AccountNumber, userSeq: number, upTo: number): UserMessage[] {
    const messages: UserMessage[] = []
    for (const row of this.#updates.after(account, userSeq)) {
      if (row.userSeq > upTo) break
      const bodies = this.#bodies(row)
      const before = row.userSeq - bodies.length
      for (const [index, body] of bodies.entries()) {
        const number = before + index + 1
        if (number > userSeq) messages.push({ userSeq: number, at: row.at, ...body })
      }
    }
    return messages
  }

  /** Yields a row's messages in the order of their numbers. */
  #bodies(row: UpdateRow): Body<UserMessage>[] {
    const fills = row.fills && row.entry ? this.#fills.upTo(row.entry, row.fills) : []
    const orders = listOf<OrderUpdate>(row.orders)
    const positions = listOf<PositionUpdate>(row.positions)
    const { cash, held } = row
    return [
      ...fills.map(fill => ({ type: 'fill' as const, fill })),
      ...orders.map(update => this.#order(update, row.at)),
      ...positions.map(([market, yes, no, yesLocked, noLocked]) => {
        return { type: 'position' as const, position: { market, yes, no, yesLocked, noLocked } }
      }),
      ...(cash === null || held === null ? [] : [{ type: 'balance' as const, cash, held }]),
    ]
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

function listOf<Update>(text: string | null): readonly Update[] {
  return text === null ? [] : (JSON.parse(text) as Update[])
}
