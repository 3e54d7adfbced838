import type { Connection } from './link.js'
import type { ListOptions, TimeOptions } from './lists.js'
import { listRows } from './lists.js'
import type { TradeOptions } from './market-channel.js'
import { Operator } from './operator.js'
import type { ClientOptions } from './options.js'
import { settingsOf } from './options.js'
import type { Amendment } from './orders.js'
import { Orders } from './orders.js'
import { RaayError } from './raay-error.js'
import { Rest } from './rest.js'
import type * as Shapes from './shapes.js'
import type { Listener, Watch } from './watch.js'
import { Watches } from './watches.js'

export type { Connection } from './link.js'
export type { ListOptions, TimeOptions } from './lists.js'
export type { TradeOptions } from './market-channel.js'
export type { MarketEdit, MarketRequest, Operator, Resolution, Transfer } from './operator.js'
export type { ClientOptions } from './options.js'
export type { Amendment } from './orders.js'
export type { FetchAnswer, FetchRequest, SocketLike } from './platform.js'
export { RaayError } from './raay-error.js'
export type * from './shapes.js'
export type { Listener, Watch } from './watch.js'

/** Whose it is, where not the client's own user's. */
interface OfUser {
  readonly userid?: string | undefined
}

/** Which events are listed. */
interface MarketQuery extends ListOptions {
  readonly status?: Shapes.MarketStatus
  readonly sot?: string
  readonly q?: string
}

/**
 * A program's side of an exchange: asks over HTTP, watches over one WebSocket. Prices and money are rupees,
 * quantities are contracts. Every method that asks rejects with RaayError.
 */
export class RaayClient {
  /** What is the operator's: events and their outcome, deposits, the ledger. */
  readonly operator: Operator
  readonly #userid: string | undefined
  readonly #rest: Rest
  readonly #orders: Orders
  readonly #watches: Watches

  /** Throws RaayError where the address is none. Nothing is sent before the first call. */
  constructor(options: ClientOptions) {
    const { rest, link, around } = settingsOf(options)
    this.#userid = options.userid
    this.#rest = new Rest(rest, around)
    this.#orders = new Orders(this.#rest, () => around.newOrderKey())
    this.#watches = new Watches(link, around, {
      fetchTrades: (code, limit, isLast) => listRows(this.#rest, { ...tradesOf(code), limit, isLast }),
      fetchUserSeq: userid => this.#userSeq(userid),
      fetchOpenOrders: userid => this.fetchOpenOrders({ userid }),
    })
    this.operator = new Operator(this.#rest, options.adminToken, () => around.newOrderKey())
  }

  /** How far what is watched can be trusted: `live`, `catching_up` or `offline`. */
  get connection(): Connection {
    return this.#watches.connection
  }

  /** Hears of each change of `connection`; answers how to stop that. */
  onConnection(tell: (connection: Connection) => void): () => void {
    return this.#watches.onConnection(tell)
  }

  /**
   * The events by code: with this status, of this kind, whose titles have all words of `q`. With
   * `description: 'no'` they come without their descriptions.
   */
  fetchMarkets(options: MarketQuery & { readonly description: 'no' }): Promise<Shapes.ListedMarket[]>
  fetchMarkets(options?: MarketQuery): Promise<Shapes.Market[]>
  fetchMarkets({ limit, ...query }: MarketQuery & { readonly description?: 'no' } = {}): Promise<unknown[]> {
    return listRows(this.#rest, { path: '/events', field: 'events', query, limit })
  }

  /** Returns the versions of Raay and Node that the exchange runs. */
  fetchVersion(): Promise<Shapes.Version> {
    return this.#get('/version')
  }

  fetchMarket(code: string): Promise<Shapes.Market> {
    return this.#get(`/events/${encodeURIComponent(code)}`)
  }

  /** @param depth levels a side; all by default */
  fetchOrderBook(code: string, depth?: number): Promise<Shapes.OrderBook> {
    return this.#get(`/events/${encodeURIComponent(code)}/orderbook`, { depth })
  }

  /** Newest first. */
  fetchTrades(code: string, { limit, from, to }: ListOptions & TimeOptions = {}): Promise<Shapes.Trade[]> {
    return listRows(this.#rest, { ...tradesOf(code), query: { from, to }, limit })
  }

  /** Oldest first; the last 500 intervals of a minute by default. */
  async fetchCandles(
    code: string,
    query: { interval?: '1m' | '5m' | '15m' | '1h' | '1d'; from?: string; to?: string } = {},
  ): Promise<readonly Shapes.Candle[]> {
    const path = `/events/${encodeURIComponent(code)}/candles`
    return (await this.#get<{ readonly candles: readonly Shapes.Candle[] }>(path, query)).candles
  }

  /**
   * Places an order, and answers how it stands: a market's refusal is no error, but the state `rejected` and
   * a `reason`. It is sent again where no answer came, and counts once: it has a `client_order_id` always.
   */
  async createOrder(order: Shapes.OrderRequest): Promise<Shapes.Order> {
    return this.#orders.create(order, this.#user(order))
  }

  /**
   * Places 1 to 100 orders at once: one result each, in their order, an order or why there is none. Under an
   * `idempotencyKey` the same orders again are the same batch, also in another process.
   */
  async createOrders(
    orders: readonly Shapes.OrderRequest[],
    { idempotencyKey }: { readonly idempotencyKey?: string } = {},
  ): Promise<(Shapes.Order | RaayError)[]> {
    const userid = orders.every(order => order.userid !== undefined) ? '' : this.#user({})
    return this.#orders.createAll(orders, userid, idempotencyKey)
  }

  /**
   * Answers the order as it stands, with another id where it lost its place. Where no answer came it is not
   * sent again, for it may have been done: look at the order. Rejects with 409 where it could not be done.
   */
  amendOrder(id: string, amendment: Amendment): Promise<Shapes.Order> {
    return this.#orders.amend(id, amendment)
  }

  /** Answers how the order ended; doing it again is harmless. */
  cancelOrder(id: string): Promise<Shapes.Order> {
    return this.#orders.cancel(id)
  }

  /** Cancels what is open, of one event or of every one; answers what this call has cancelled. */
  async cancelAllOrders(which: OfUser & { event_id?: string } = {}): Promise<readonly Shapes.Order[]> {
    return this.#orders.cancelAll(this.#user(which), which.event_id)
  }

  /** The order that was placed under a `client_order_id`; one that an amendment put in its stead has none. */
  async fetchOrderByClientId(key: string, which: OfUser = {}): Promise<Shapes.Order> {
    return this.#orders.fetchNamed(key, this.#user(which))
  }

  /** Cancels that order; doing it again is harmless. */
  async cancelOrderByClientId(key: string, which: OfUser = {}): Promise<Shapes.Order> {
    return this.#orders.cancelNamed(key, this.#user(which))
  }

  fetchOrder(id: string): Promise<Shapes.Order> {
    return this.#get(`/order/${encodeURIComponent(id)}`)
  }

  /** Returns the open orders, newest first; all of them by default. */
  async fetchOpenOrders(which: OfUser & ListOptions & { event_id?: string } = {}): Promise<Shapes.Order[]> {
    const { limit = Number.POSITIVE_INFINITY } = which
    // An order that is partially filled between the two requests is in the second list, if not in the first.
    const resting = await this.fetchOrders({ ...which, state: 'resting', limit })
    const partial = await this.fetchOrders({ ...which, state: 'partially_filled', limit })
    const all = new Map([...resting, ...partial].map(order => [order.id, order]))
    return [...all.values()].sort(byNewest).slice(0, limit)
  }

  /** Newest first. */
  async fetchOrders(
    which: OfUser & ListOptions & TimeOptions & { event_id?: string; state?: Shapes.OrderState } = {},
  ): Promise<Shapes.Order[]> {
    const { event_id, state, from, to, limit } = which
    const query = { userid: this.#user(which), event_id, state, from, to }
    return listRows(this.#rest, { path: '/order', field: 'orders', query, limit })
  }

  /** Newest first. */
  async fetchMyTrades(which: OfUser & ListOptions & TimeOptions = {}): Promise<Shapes.Fill[]> {
    const { from, to, limit } = which
    const path = this.#portfolio(which, 'fills')
    return listRows(this.#rest, { path, field: 'fills', query: { from, to }, limit })
  }

  async fetchBalance(which: OfUser = {}): Promise<Shapes.Balance> {
    return this.#get(this.#portfolio(which, 'balance'))
  }

  async fetchPositions(which: OfUser = {}): Promise<readonly Shapes.ValuedPosition[]> {
    const path = this.#portfolio(which, 'positions')
    return listRows(this.#rest, { path, field: 'positions', limit: Number.POSITIVE_INFINITY })
  }

  /** Newest first. */
  async fetchStatement(which: OfUser & ListOptions & TimeOptions = {}): Promise<Shapes.StatementEntry[]> {
    const { from, to, limit } = which
    const path = this.#portfolio(which, 'statement')
    return listRows(this.#rest, { path, field: 'entries', query: { from, to }, limit })
  }

  async fetchSettlements(which: OfUser & ListOptions = {}): Promise<Shapes.Settlement[]> {
    const path = this.#portfolio(which, 'settlements')
    return listRows(this.#rest, { path, field: 'settlements', limit: which.limit })
  }

  /** The book, now and after each change. It equals the exchange's at the same `seq`. */
  watchOrderBook(code: string, listener?: Listener<Shapes.OrderBook>): Watch<Shapes.OrderBook> {
    return this.#watches.ofMarket(code, channel => channel.watchBook(listener))
  }

  /** Each trade once, in order, also those during a disconnection. */
  watchTrades(
    code: string,
    options: TradeOptions = {},
    listener?: Listener<Shapes.Trade>,
  ): Watch<Shapes.Trade, never> {
    return this.#watches.ofMarket(code, channel => channel.watchTrades(options, listener))
  }

  /** How an order stands, after each change. `state` is all open orders, newest first. */
  watchOrders(
    which: OfUser = {},
    listener?: Listener<Shapes.Order>,
  ): Watch<Shapes.Order, readonly Shapes.Order[]> {
    return this.#watches.ofUser(this.#user(which), channel => channel.watchOrders(listener))
  }

  /** Each fill once, in order, also those during a disconnection. */
  watchMyTrades(which: OfUser = {}, listener?: Listener<Shapes.Fill>): Watch<Shapes.Fill, never> {
    return this.#watches.ofUser(this.#user(which), channel => channel.watchFills(listener))
  }

  /** The money, now and after each change. */
  watchBalance(which: OfUser = {}, listener?: Listener<Shapes.Balance>): Watch<Shapes.Balance> {
    return this.#watches.ofUser(this.#user(which), channel => channel.watchBalance(listener))
  }

  /** The contracts of all events, now and after each change. */
  watchPositions(
    which: OfUser = {},
    listener?: Listener<readonly Shapes.Position[]>,
  ): Watch<readonly Shapes.Position[]> {
    return this.#watches.ofUser(this.#user(which), channel => channel.watchPositions(listener))
  }

  /** Ends everything: loops end, what is under way rejects, the connection is closed. */
  close(): void {
    this.#rest.close()
    this.#watches.close()
  }

  #get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    return this.#rest.call({ method: 'GET', path, query })
  }

  async #userSeq(userid: string): Promise<number | undefined> {
    try {
      return (await this.#get<{ readonly user_seq?: number }>(this.#portfolio({ userid }, 'balance')))
        .user_seq
    } catch (error) {
      if (error instanceof RaayError && error.code === 404) return 0
      throw error
    }
  }

  #user({ userid = this.#userid }: OfUser): string {
    if (userid !== undefined) return userid
    throw new RaayError(422, 'Unprocessable entity', 'userid: Required, here or when the client is made')
  }

  #portfolio(which: OfUser, what: string): string {
    return `/portfolio/${encodeURIComponent(this.#user(which))}/${what}`
  }
}

function tradesOf(code: string) {
  return { path: `/events/${encodeURIComponent(code)}/trades`, field: 'trades' }
}

function byNewest(a: Shapes.Order, b: Shapes.Order): number {
  return a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0
}
