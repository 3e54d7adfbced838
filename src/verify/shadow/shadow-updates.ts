import type { BatchOutcome, OrderChange } from '../../core/engine-event.js'
import type { PositionPosting } from '../../core/postings.js'
import type { AccountNumber } from '../../core/units.js'
import { updatesCount, updatesOf } from '../../core/user-updates.js'
import { isMarked } from '../../store/rows/update-rows.js'
import type { ExpectedLine } from '../stored/expected-line.js'
import type { ExpectedRows } from '../stored/expected-rows.js'
import type { ShadowPosition } from './shadow-market.js'
import type { ShadowOrder } from './shadow-order.js'

interface Told {
  userSeq: number
  /** Id of the user's last row. */
  last: number | undefined
}

/** State after a batch, as the replay knows it. */
export interface StandsAfter {
  order(change: OrderChange): ShadowOrder
  position(posting: PositionPosting): ShadowPosition
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
      const { fills, orders, positions, balance } = updates
      const count = updatesCount(updates)
      const { id, userSeq, previous } = this.#next(account, count)
      const line = this.#rows.begin('updates', id).cell(account).cell(userSeq).optional(previous)
      line.cell(sequence).cell(at).optional(fills)
      line.optional(fills > 0 ? after.entry(account) : undefined)
      writeList(line, orders, change => writeOrder(line, change, after.order(change)))
      writeList(line, positions, posting => writePosition(line, posting.market, after.position(posting)))
      const money = balance === undefined ? undefined : after.money(account)
      line.optional(money?.cash).optional(money?.held)
      this.#rows.update(id, line)
      if (isMarked(userSeq, count)) this.#rows.keyed('update_marks', `${account} ${userSeq}`, [id])
    }
  }

  #next(account: number, count: number) {
    this.#lastId++
    const id = this.#lastId
    const told = this.#told.get(account)
    if (told === undefined) {
      this.#told.set(account, { userSeq: count, last: id })
      return { id, userSeq: count, previous: undefined }
    }
    const previous = told.last
    told.userSeq += count
    told.last = id
    return { id, userSeq: told.userSeq, previous }
  }
}

/** Writes a list of lists as JSON, or that it is empty. */
function writeList<Item>(line: ExpectedLine, items: readonly Item[], write: (item: Item) => void): void {
  if (items.length === 0) {
    line.optional(null)
    return
  }
  line.cell('=')
  let separator = '[['
  for (const item of items) {
    line.more(separator)
    write(item)
    separator = '],['
  }
  line.more(']]')
}

/** The states and reasons of orders are plain words: as JSON they are in quotes, and no more. */
function writeOrder(line: ExpectedLine, { market, number }: OrderChange, order: ShadowOrder): void {
  const { state, reason, quantity, filled, filledValue, feePaid } = order
  line.more(market).more(',').more(number).more(',"').more(state)
  if (reason === undefined) line.more('",null,')
  else line.more('","').more(reason).more('",')
  line.more(quantity).more(',').more(filled).more(',').more(filledValue)
  if (feePaid !== 0) line.more(',').more(feePaid)
}

function writePosition(line: ExpectedLine, market: number, position: ShadowPosition): void {
  const { yes, no, yesLocked, noLocked } = position
  line.more(market).more(',').more(yes).more(',').more(no).more(',').more(yesLocked).more(',').more(noLocked)
}
