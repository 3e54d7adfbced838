import type { Maker } from './maker-client.js'
import { quotesBody } from './maker-client.js'
import type { Amendment, BatchResult, Orders } from './orders.js'
import { exact, resultsOf } from './orders.js'
import { closedError, RaayError } from './raay-error.js'
import type { CancelledOrders, Order, OrderRequest, Quote, ReplacedQuotes } from './shapes.js'
import type { OrderSocket } from './socket/order-socket.js'
import type { OfUser, WhichUser } from './which-user.js'

/** The results of a batch as the socket has them, or as HTTP had them. */
type Cancelled = { readonly results: readonly BatchResult[] } | (Order | RaayError)[]

/**
 * Orders over a WebSocket of their own, several times faster than over HTTP. While there is no connection,
 * and for what the exchange has no room for, requests go over HTTP, which retries them. An order whose answer
 * is lost is looked up by its name before it is sent again, so it is placed once.
 */
export class Trading {
  readonly #socket: OrderSocket
  readonly #orders: Orders
  readonly #maker: Maker
  readonly #users: WhichUser
  #isClosed = false

  constructor(socket: OrderSocket, orders: Orders, maker: Maker, users: WhichUser) {
    this.#socket = socket
    this.#orders = orders
    this.#maker = maker
    this.#users = users
  }

  /** True while requests go over the WebSocket. */
  get isOnSocket(): boolean {
    return this.#socket.isReady
  }

  /** Places an order, as `createOrder` of the client does. */
  async createOrder(request: OrderRequest): Promise<Order> {
    const userid = this.#users.sent(request)
    const order = this.#orders.named(request)
    return this.#ask('place_order', this.#orders.bodyOf(order, userid), async isLost => {
      const found = isLost ? await this.#find(order) : undefined
      return found ?? this.#orders.create(order, userid)
    })
  }

  /** Replaces the user's quotes in an event, as `maker.replaceQuotes` does. */
  async replaceQuotes(
    event_id: string,
    quotes: readonly Quote[],
    which: OfUser & { readonly quoteSet?: string } = {},
  ): Promise<ReplacedQuotes> {
    const body = quotesBody(event_id, quotes, which.quoteSet, this.#users.sent(which))
    return this.#ask('replace_quotes', body, () => this.#maker.replaceQuotes(event_id, quotes, which))
  }

  /** Amends an order, once also where it is sent again because its answer was lost. */
  async amendOrder(id: string, amendment: Amendment): Promise<Order> {
    const named = this.#orders.namedAmendment(amendment)
    const { price, quantity, idempotencyKey: idempotency_key } = named
    const data = { id, price: exact(price), quantity: exact(quantity), idempotency_key }
    return this.#ask('amend_order', data, () => this.#orders.amend(id, named))
  }

  /** Cancels an order and returns its final state. */
  async cancelOrder(id: string): Promise<Order> {
    return this.#ask('cancel_order', { id }, () => this.#orders.cancel(id))
  }

  /** Cancels 1 to 100 orders; returns their final states, or why they are not cancelled. */
  async cancelOrders(ids: readonly string[]): Promise<(Order | RaayError)[]> {
    const cancelled = this.#ask<Cancelled>('cancel_orders', { ids }, async () => this.#orders.cancelMany(ids))
    const results = await cancelled
    return 'results' in results ? resultsOf(results.results) : results
  }

  /** Cancels open orders, of one event or of all. Repeat it while `still_open` is not 0. */
  async cancelAllOrders(which: OfUser & { event_id?: string } = {}): Promise<CancelledOrders> {
    const { event_id } = which
    const userid = this.#users.sent(which)
    return this.#ask('cancel_all', { userid, event_id }, () => this.#orders.cancelAll(userid, event_id))
  }

  /**
   * Has the user's orders cancelled, of some events or of all, whenever the connection ends: also those that
   * went over HTTP. Holds for this connection and each that follows.
   */
  cancelOnDisconnect(which: OfUser & { readonly events?: readonly string[] } = {}): void {
    const data = { userid: this.#users.sent(which), events: which.events }
    this.#socket.openWith({ event: 'cancel_on_disconnect', data })
  }

  /** Ends the connection; what is not answered yet rejects. */
  close(): void {
    this.#isClosed = true
    this.#socket.close()
  }

  /** @param overHttp sends the request again, after its answer was lost or before it was ever sent */
  async #ask<T>(event: string, data: unknown, overHttp: (isLost: boolean) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedError('the client')
    const answer = await this.#socket.ask(event, data)
    if (this.#isClosed) throw closedError('the client')
    if (answer === 'unsent' || answer === 'lost') return overHttp(answer === 'lost')
    if ('additional' in answer) return answer.additional as T
    // The exchange has not begun with it.
    if (answer.error.code === 429 || answer.error.code === 503) return overHttp(false)
    throw answer.error
  }

  async #find(order: OrderRequest & { readonly client_order_id: string }): Promise<Order | undefined> {
    try {
      return await this.#orders.fetchNamed(order.client_order_id, this.#users.sent(order))
    } catch (error) {
      if (error instanceof RaayError && error.code === 404) return undefined
      throw error
    }
  }
}
