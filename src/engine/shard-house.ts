import { assert } from '../core/assert.js'
import type { Taker } from '../core/book/matching.js'
import type { OrderBook } from '../core/book/order-book.js'
import { NO_SLOT } from '../core/book/order-book.js'
import type { QuoteTable, Rest } from '../core/house/quote-table.js'
import { desiredAt } from '../core/house/quote-table.js'
import type { Refusal, Side } from '../core/order.js'
import type { AccountNumber, OrderNumber, PriceTicks } from '../core/units.js'

interface Resting {
  readonly number: OrderNumber
  readonly side: Side
  readonly price: PriceTicks
}

/** The house quotes of a market as its shard keeps them. */
interface Running {
  readonly account: AccountNumber
  readonly table: QuoteTable
  /** YES that the house has sold, net. */
  sold: number
  /** The last order that came to rest at each side and price; it may have ended. */
  readonly rests: Map<string, Resting>
}

/** House quotes as the tables have them. */
export interface RestoredQuotes {
  readonly account: AccountNumber
  readonly table: QuoteTable
  readonly sold: number
  readonly isRunning: boolean
}

/**
 * The house in one market: what it has sold, and what rests of its quotes. Knows its table as integers alone,
 * and lets nothing rest beyond it, whatever the desk asks for.
 */
export class ShardHouse {
  /** All accounts that the house has ever had in the market. */
  accounts: readonly AccountNumber[] = []
  #running: Running | undefined
  #isChanged = false

  restore(quotes: readonly RestoredQuotes[], book: OrderBook): void {
    for (const { account, table, sold, isRunning } of quotes) {
      this.accounts = [...this.accounts, account]
      if (isRunning) this.#running = { account, table, sold, rests: new Map() }
    }
    if (this.#running === undefined) return
    for (const { number, owner, side, price } of book.orders()) this.rested(number, owner, side, price)
    this.#isChanged = true
    this.assertRests(book)
  }

  start(account: AccountNumber, table: QuoteTable): void {
    assert(this.#running === undefined, 'a market has the quotes of one funding at a time')
    this.accounts = [...this.accounts, account]
    this.#running = { account, table, sold: 0, rests: new Map() }
  }

  /** Stops the quotes of an account; returns those that rest, oldest first, for the caller to cancel. */
  stop(account: AccountNumber, book: OrderBook): OrderNumber[] {
    if (this.#running?.account !== account) return []
    // A restored market has noted its rests in the order of its book.
    const numbers = Array.from(this.#resting(book), ({ number }) => number).sort((a, b) => a - b)
    this.#running = undefined
    return numbers
  }

  owns(account: AccountNumber): boolean {
    return this.accounts.length > 0 && this.accounts.includes(account)
  }

  /** Returns why an order of the house must not rest: beyond its table, or beside another at its price. */
  refusalOf(account: AccountNumber, { side, price, lots }: Rest, book: OrderBook): Refusal | undefined {
    const running = this.#running
    if (running?.account !== account) return 'order_changed'
    const before = running.rests.get(keyOf(side, price))
    if (before !== undefined && book.find(before.number) !== NO_SLOT) return 'order_changed'
    return lots > desiredAt(running.table, running.sold, { side, price }) ? 'order_changed' : undefined
  }

  /** Takes note of an order of a market that has come to rest. */
  rested(number: OrderNumber, owner: AccountNumber, side: Side, price: PriceTicks): void {
    if (this.#running?.account !== owner) return
    this.#running.rests.set(keyOf(side, price), { number, side, price })
  }

  /** Counts a fill in which the house took part. */
  filled({ owner, side }: Pick<Taker, 'owner' | 'side'>, makerOwner: AccountNumber, lots: number): void {
    const running = this.#running
    if (running === undefined || (owner !== running.account && makerOwner !== running.account)) return
    assert(owner !== makerOwner, 'the house never trades with itself')
    running.sold += (owner === running.account) === (side === 'no') ? lots : -lots
    this.#isChanged = true
  }

  /** Asserts, after a batch in which the house traded, that no order rests beyond its table. */
  assertRests(book: OrderBook): void {
    const running = this.#running
    if (!this.#isChanged || running === undefined) return
    this.#isChanged = false
    for (const { number, side, price } of this.#resting(book)) {
      const lots = book.lotsAt(book.find(number))
      const most = desiredAt(running.table, running.sold, { side, price })
      assert(lots <= most, () => `the house rests ${lots} of ${most} at ${price}`)
    }
  }

  *#resting(book: OrderBook) {
    for (const rest of this.#running?.rests.values() ?? []) {
      if (book.find(rest.number) !== NO_SLOT) yield rest
    }
  }
}

/** Of markets that the house has never quoted; never changed. */
export const NO_HOUSE = new ShardHouse()

/** Returns the house of a restored market, with what of its quotes rests. */
export function restoredHouse(quotes: readonly RestoredQuotes[], book: OrderBook): ShardHouse {
  if (quotes.length === 0) return NO_HOUSE
  const house = new ShardHouse()
  house.restore(quotes, book)
  return house
}

const keyOf = (side: Side, price: PriceTicks) => `${side} ${price}`
