import type { MarketStatus } from '../../core/market.js'
import { keepsOrders } from '../../core/market.js'
import { folded } from '../../store/folded.js'

interface Category {
  readonly spelling: string
  events: number
  /** The events among them to which orders can be sent, now or later. */
  trading: number
}

/** The categories of all markets; each has the spelling that was used first, whatever its case. */
export class Categories {
  readonly #known = new Map<string, Category>()

  get size(): number {
    return this.#known.size
  }

  /** Returns the categories, each with the number of its markets. */
  all(): Iterable<Readonly<Category>> {
    return this.#known.values()
  }

  /** Counts a market in; its spelling counts if it is the first. */
  add(category: string | undefined, status: MarketStatus): void {
    if (category === undefined) return
    const key = folded(category)
    let known = this.#known.get(key)
    if (known === undefined) {
      known = { spelling: category, events: 0, trading: 0 }
      this.#known.set(key, known)
    }
    known.events++
    if (keepsOrders(status)) known.trading++
  }

  /** Counts a market out; a category without markets is forgotten. */
  remove(category: string | undefined, status: MarketStatus): void {
    const known = category === undefined ? undefined : this.#known.get(folded(category))
    if (category === undefined || known === undefined) return
    known.events--
    if (keepsOrders(status)) known.trading--
    if (known.events === 0) this.#known.delete(folded(category))
  }

  /** Returns the spelling in use; undefined for a new category. */
  spellingOf(category: string): string | undefined {
    return this.#known.get(folded(category))?.spelling
  }
}
