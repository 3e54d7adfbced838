import type { RemainingLimit } from './remaining-limits.js'
import type { Rest } from './rest.js'
import { bodyOf, exact } from './orders.js'
import type { CancelTimer, OrderPreview, OrderRequest, QueuedOrder, Quote, ReplacedQuotes } from './shapes.js'
import type { OfUser, WhichUser } from './which-user.js'

/** Calls for programs that quote prices. */
export class Maker {
  readonly #rest: Rest
  readonly #users: WhichUser

  constructor(rest: Rest, users: WhichUser) {
    this.#rest = rest
    this.#users = users
  }

  /** The rest of the exchange's limits, such as `orders`, by the last answer over HTTP for each. */
  get remainingLimits(): ReadonlyMap<string, RemainingLimit> {
    return this.#rest.limits.all
  }

  /**
   * Sets the user's timer: unless this is called again within `timeoutS` seconds, 5 to 300, their orders are
   * cancelled, of some events or of all. 0 switches it off. Returns the timer that is now set.
   */
  async cancelAfter(
    timeoutS: number,
    which: OfUser & { readonly events?: readonly string[] } = {},
  ): Promise<CancelTimer> {
    const body = { userid: this.#users.sent(which), timeout_s: timeoutS, events: which.events }
    return this.#rest.call({ method: 'POST', path: '/order/cancel-after', body, repeat: 'always' })
  }

  /**
   * Replaces the user's quotes in an event, in one step: those that are unchanged or smaller keep their place
   * in the queue, the others end, and new ones are placed post-only. An empty list ends the set.
   */
  async replaceQuotes(
    event_id: string,
    quotes: readonly Quote[],
    which: OfUser & { readonly quoteSet?: string } = {},
  ): Promise<ReplacedQuotes> {
    const body = quotesBody(event_id, quotes, which.quoteSet, this.#users.sent(which))
    return this.#rest.call({ method: 'PUT', path: '/order/quotes', body, repeat: 'always' })
  }

  /** Returns what an order would do now. Places nothing. */
  async previewOrder(order: OrderRequest): Promise<OrderPreview> {
    const body = bodyOf(order, this.#users.sent(order))
    return this.#rest.call({ method: 'POST', path: '/order/preview', body, repeat: 'always' })
  }

  /** Returns what fills before each open order of the user in an event. */
  async fetchQueue(event_id: string, which: OfUser = {}): Promise<readonly QueuedOrder[]> {
    const query = { userid: this.#users.sent(which), event_id }
    const queue = await this.#rest.call<{ readonly orders: readonly QueuedOrder[] }>({
      method: 'GET',
      path: '/order/queue',
      query,
    })
    return queue.orders
  }
}

/** Returns quotes in the words of the API. */
export function quotesBody(
  event_id: string,
  quotes: readonly Quote[],
  quote_set: string | undefined,
  userid: string | undefined,
): object {
  const exactly = quotes.map(quote => ({
    ...quote,
    price: exact(quote.price),
    quantity: exact(quote.quantity),
  }))
  return { event_id, quote_set, quotes: exactly, userid }
}
