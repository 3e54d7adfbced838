import { assert } from '../../core/assert.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import { unfilledOf } from '../../core/order-record.js'
import { PlainOrders } from '../../store/rows/plain-orders.js'
import type { Ladder } from '../markets/ladder.js'
import type { OpenOrders, Unmade } from './open-orders.js'

/** Users with more orders get their records at start: later they would hold up the orders of others. */
const ROWS_MAX = 4096

/** The rows of a market. */
interface Range {
  readonly code: MarketCode
  readonly from: number
  readonly to: number
  readonly orders: OpenOrders
}

/**
 * The orders that rested before the start, as they came, and have no record yet: of most users until they do
 * something, or an order of theirs is filled. Then all of the user's orders get theirs, so that each user has
 * one list. A million records took as much time as all else of a start, and most of its memory.
 */
export class RestedOrders {
  readonly plain = new PlainOrders()
  readonly #ownerOf: (account: AccountNumber) => string | undefined
  /** Makes a user's records and lists them. */
  list: (account: AccountNumber) => void = account => {
    this.make(account)
  }
  /** In the order of their rows. */
  #ranges: Range[] = []
  /** The rows by account, those of an account in order, and where each account's begin. */
  #rows = new Int32Array(0)
  #begins = new Int32Array(0)
  /** The rows of each account that have no record. */
  #counts = new Int32Array(0)
  #length = 0

  /** @param ownerOf returns the id of an account's user */
  constructor(ownerOf: (account: AccountNumber) => string | undefined) {
    this.#ownerOf = ownerOf
  }

  /** The number of orders without a record. */
  get length(): number {
    return this.#length
  }

  /** Counts the rows since another one among a market's orders. */
  addMarket(code: MarketCode, orders: OpenOrders, ladder: Ladder, from: number): void {
    const { plain } = this
    const to = plain.length
    if (from === to) return
    const range = { code, from, to, orders }
    this.#ranges.push(range)
    for (let row = from; row < to; row++) {
      const holding = plain.holdingAt(row)
      ladder.add(holding.side === 'yes', holding.price, unfilledOf(holding))
    }
    orders.keepUnmade(this.#unmadeOf(range), to - from)
  }

  /** Finds the rows of each account, once all are there, and passes each of these accounts to a check. */
  begin(check: (account: AccountNumber) => void): void {
    const { plain } = this
    const { length } = plain
    if (length === 0) return
    let last = 0
    for (let row = 0; row < length; row++) last = Math.max(last, plain.accountAt(row))
    // Before arrays are made that are as long as this number is high.
    check(last as AccountNumber)
    const counts = new Int32Array(last + 1)
    for (let row = 0; row < length; row++) bump(counts, plain.accountAt(row))
    const begins = new Int32Array(last + 1)
    for (let account = 1, begin = 0; account <= last; account++) {
      begin += counts[account - 1] as number
      begins[account] = begin
    }
    const next = begins.slice()
    this.#rows = new Int32Array(length)
    for (let row = 0; row < length; row++) this.#rows[bump(next, plain.accountAt(row))] = row
    this.#begins = begins
    this.#counts = counts
    this.#length = length
    for (const account of this.accounts()) {
      check(account)
      if (this.countOf(account) > ROWS_MAX) this.list(account)
    }
  }

  /** Yields the accounts that have orders without a record. */
  *accounts(): Generator<AccountNumber> {
    for (let account = 0; account < this.#counts.length; account++) {
      if ((this.#counts[account] as number) > 0) yield account as AccountNumber
    }
  }

  /** Returns the number of an account's orders without a record. */
  countOf(account: AccountNumber): number {
    return this.#counts[account] ?? 0
  }

  /** Makes the records of an account's orders, which are then among those of their markets. */
  make(account: AccountNumber): OrderRecord[] {
    const count = this.countOf(account)
    if (count === 0) return []
    const begin = this.#begins[account] as number
    const userId = this.#ownerOf(account)
    assert(userId !== undefined, 'an open order is of a user')
    const records: OrderRecord[] = []
    for (let at = begin; at < begin + count; at++) {
      const row = this.#rows[at] as number
      const { code, orders } = this.#rangeOf(row)
      const record = this.plain.record(row, code, userId)
      orders.made(record)
      records.push(record)
    }
    this.#counts[account] = 0
    this.#length -= count
    if (this.#length === 0) this.#clear()
    return records
  }

  #unmadeOf({ from, to }: Range): Unmade {
    const { plain } = this
    const isUnmade = (row: number) => this.countOf(plain.accountAt(row)) > 0
    const listAt = (row: number) => {
      if (isUnmade(row)) this.list(plain.accountAt(row))
    }
    return {
      make: number => {
        const row = this.#find(number, from, to)
        if (row < to && plain.numberAt(row) === number) listAt(row)
      },
      makeAll: () => {
        for (let row = from; row < to && this.#length > 0; row++) listAt(row)
      },
      *holdings() {
        for (let row = from; row < to; row++) if (isUnmade(row)) yield plain.holdingAt(row)
      },
    }
  }

  /** Returns the first of some rows whose order has this number or a later one. */
  #find(number: OrderNumber, begin: number, end: number): number {
    let [from, to] = [begin, end]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.plain.numberAt(middle) < number) from = middle + 1
      else to = middle
    }
    return from
  }

  #rangeOf(row: number): Range {
    let [from, to] = [0, this.#ranges.length - 1]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#ranges[middle] as Range).to <= row) from = middle + 1
      else to = middle
    }
    return this.#ranges[from] as Range
  }

  #clear(): void {
    this.plain.clear()
    this.#ranges = []
    this.#rows = new Int32Array(0)
    this.#begins = new Int32Array(0)
    this.#counts = new Int32Array(0)
  }
}

/** Adds 1 to a count. Returns it as it was. */
function bump(counts: Int32Array, index: number): number {
  const count = counts[index] as number
  counts[index] = count + 1
  return count
}
