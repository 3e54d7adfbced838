import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'

const NO_QUOTES: readonly OrderRecord[] = []

/**
 * The quotes of each user's sets that are open or queued, and that no command on its way ends: what a command
 * that is queued next finds of a set. A set is gone with its last quote.
 */
export class QuoteSets {
  readonly #byName = new Map<string, Set<OrderRecord>>()

  /** Returns the quotes of a set, the oldest first. */
  of(account: AccountNumber, market: MarketCode, name: string): readonly OrderRecord[] {
    const quotes = this.#byName.get(nameOf(account, market, name))
    return quotes === undefined ? NO_QUOTES : [...quotes]
  }

  /** Adds an order that is admitted to a set. */
  add(order: OrderRecord): void {
    const { account, market, quoteSet, price } = order
    if (quoteSet === undefined || price === 0) return
    const name = nameOf(account, market, quoteSet)
    const quotes = this.#byName.get(name)
    if (quotes === undefined) this.#byName.set(name, new Set([order]))
    else quotes.add(order)
  }

  /** Forgets an order that has ended, or is about to. */
  delete(order: OrderRecord): void {
    const { account, market, quoteSet } = order
    if (quoteSet === undefined) return
    const name = nameOf(account, market, quoteSet)
    const quotes = this.#byName.get(name)
    if (quotes?.delete(order) && quotes.size === 0) this.#byName.delete(name)
  }
}

const nameOf = (account: AccountNumber, market: MarketCode, name: string) => `${account} ${market} ${name}`
