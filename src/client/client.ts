import { Accounts } from './accounts-client.js'
import type { ClientOptions } from './client-options.js'
import { settingsOf } from './client-options.js'
import type { ListOptions, MarketQuery, PastQuery, TimeOptions } from './lists.js'
import { listRows, tradesOf } from './lists.js'
import { Groups } from './groups-client.js'
import { Maker } from './maker-client.js'
import type { TradeOptions } from './market-channel.js'
import { Operator } from './operator-client.js'
import type { Amendment } from './orders.js'
import { Orders, openOrders } from './orders.js'
import type { RaayError } from './raay-error.js'
import { Rest } from './rest.js'
import type * as Shapes from './shapes.js'
import { Seasons } from './seasons-client.js'
import { Site } from './site/site-client.js'
import type { Connection } from './socket/link.js'
import { OrderSocket } from './socket/order-socket.js'
import { Trading } from './trading-client.js'
import { fetchUserSeq } from './user-seq.js'
import type { Listener, Watch } from './watch.js'
import { Watches } from './watches.js'
import type { OfUser } from './which-user.js'
import { WhichUser } from './which-user.js'

export type * from './client-types.js'
export { RaayError } from './raay-error.js'

/**
 * Connects a program to an exchange: requests over HTTP, watches over one WebSocket. Prices and money are in
 * rupees, quantities in contracts. Every method that sends a request rejects with RaayError.
 */
export class RaayClient {
  /** Calls reserved for the operator: events and their outcomes, deposits, the ledger. */
  readonly operator: Operator
  /** Calls about accounts and API keys, and about what people put on the site. */
  readonly accounts: Accounts
  readonly site: Site
  /** Calls about groups of events, and about seasons. */
  readonly groups: Groups
  readonly seasons: Seasons
  /** Calls for programs that quote prices. */
  readonly maker: Maker
  /** Orders over a WebSocket, or over HTTP while it is not connected. */
  readonly trading: Trading
  readonly #users: WhichUser
  readonly #rest: Rest
  readonly #orders: Orders
  readonly #watches: Watches

  /** Throws RaayError if the address is invalid. Sends nothing before the first call. */
  constructor(options: ClientOptions) {
    const { rest, link, watching, around, headers } = settingsOf(options)
    this.#rest = new Rest(rest, around)
    this.#users = new WhichUser(this.#rest, options.userid, options.token !== undefined)
    this.site = new Site(this.#rest, this.#users)
    this.maker = new Maker(this.#rest, this.#users)
    this.#orders = new Orders(this.#rest, () => around.newOrderKey())
    this.trading = new Trading(new OrderSocket(link, this.#rest), this.#orders, this.maker, this.#users)
    this.#watches = new Watches(watching, around, {
      fetchTrades: (code, limit, isLast) => listRows(this.#rest, { ...tradesOf(code), limit, isLast }),
      fetchOwnId: () => this.#users.ofToken(),
      fetchUserSeq: async userid => fetchUserSeq(this.#rest, await this.#portfolio({ userid }, 'balance')),
      fetchOpenOrders: userid => this.fetchOpenOrders({ userid }),
    })
    this.operator = new Operator(this.#rest, headers, () => around.newOrderKey())
    const own = { rest: this.#rest, users: this.#users, watches: this.#watches, headers }
    this.groups = new Groups({ ...own, newKey: () => around.newOrderKey() })
    this.seasons = new Seasons(this.#rest, headers)
    this.accounts = new Accounts(this.#rest, headers)
  }

  /** State of the watched data: `live`, `catching_up` or `offline`. */
  get connection(): Connection {
    return this.#watches.connection
  }

  /** Calls back on each change of `connection`; returns a function that stops it. */
  onConnection(tell: (connection: Connection) => void): () => void {
    return this.#watches.onConnection(tell)
  }

  /**
   * Returns the events by code or sorted, filtered by status, kind and the words of `q` in their titles. With
   * `description: 'no'` they omit their descriptions.
   */
  fetchMarkets(options: MarketQuery & { readonly description: 'no' }): Promise<Shapes.ListedMarket[]>
  fetchMarkets(options?: MarketQuery): Promise<Shapes.Market[]>
  fetchMarkets({ limit, ...query }: MarketQuery & { readonly description?: 'no' } = {}): Promise<unknown[]> {
    return listRows(this.#rest, { path: '/events', field: 'events', query, limit })
  }

  /** Returns a page of such a list, without descriptions and with the prices of the last 24 hours. */
  fetchMarketPage(query: MarketQuery & { readonly cursor?: string }): Promise<Shapes.MarketPage> {
    return this.#get('/events', { ...query, description: 'no', trend: 'yes' })
  }

  /** Returns the categories of the events, those with the most events to trade first. */
  async fetchCategories(): Promise<readonly Shapes.Category[]> {
    return (await this.#get<Shapes.Categories>('/events/categories')).categories
  }

  /** Returns the versions of Raay and Node that the exchange runs. */
  fetchVersion(): Promise<Shapes.Version> {
    return this.#get('/version')
  }

  /** Returns the mode of the exchange, and whose token this is. */
  fetchSession(): Promise<Shapes.SessionStatus> {
    return this.#get('/auth/session')
  }

  fetchMarket(code: string): Promise<Shapes.Market> {
    return this.#get(`/events/${encodeURIComponent(code)}`)
  }

  /** @param depth levels per side; all by default */
  fetchOrderBook(code: string, depth?: number): Promise<Shapes.OrderBook> {
    return this.#get(`/events/${encodeURIComponent(code)}/orderbook`, { depth })
  }

  /** Returns an event's trades, newest first. */
  fetchTrades(code: string, { limit, from, to }: ListOptions & TimeOptions = {}): Promise<Shapes.Trade[]> {
    return listRows(this.#rest, { ...tradesOf(code), query: { from, to }, limit })
  }

  /** Returns candles, oldest first; by default the last 500 one-minute intervals. */
  async fetchCandles(
    code: string,
    query: { interval?: '1m' | '5m' | '15m' | '1h' | '1d'; from?: string; to?: string } = {},
  ): Promise<readonly Shapes.Candle[]> {
    const path = `/events/${encodeURIComponent(code)}/candles`
    return (await this.#get<{ readonly candles: readonly Shapes.Candle[] }>(path, query)).candles
  }

  /**
   * Places an order and returns its state: a refusal by the market is not an error but the state `rejected`
   * with a `reason`. The order is sent again if no answer arrives, and counts once, since it always has a
   * `client_order_id`.
   */
  async createOrder(order: Shapes.OrderRequest): Promise<Shapes.Order> {
    return this.#orders.create(order, this.#users.sent(order))
  }

  /**
   * Places 1 to 100 orders at once and returns one result each, in the same order: an order, or the reason
   * for its refusal. If a repeat fails, the orders sent in it have its error. Under the same `idempotencyKey`
   * the same orders are the same batch, even from another process.
   */
  async createOrders(
    orders: readonly Shapes.OrderRequest[],
    { idempotencyKey }: { readonly idempotencyKey?: string } = {},
  ): Promise<(Shapes.Order | RaayError)[]> {
    const userid = orders.every(order => order.userid !== undefined) ? '' : this.#users.sent({})
    return this.#orders.createAll(orders, userid, idempotencyKey)
  }

  /**
   * Amends an order and returns its state, with a new id if it lost its place. It takes effect once, also
   * where it is sent again because no answer arrived. Rejects with 409 if the order cannot be amended.
   */
  amendOrder(id: string, amendment: Amendment): Promise<Shapes.Order> {
    return this.#orders.amend(id, amendment)
  }

  /** Cancels an order and returns its final state; safe to repeat. */
  cancelOrder(id: string): Promise<Shapes.Order> {
    return this.#orders.cancel(id)
  }

  /** Cancels open orders, of one event or of all. Repeat it while `still_open` is not 0. */
  async cancelAllOrders(which: OfUser & { event_id?: string } = {}): Promise<Shapes.CancelledOrders> {
    return this.#orders.cancelAll(this.#users.sent(which), which.event_id)
  }

  /** Returns the order placed under a `client_order_id`, or the one that replaced it after an amendment. */
  async fetchOrderByClientId(key: string, which: OfUser = {}): Promise<Shapes.Order> {
    return this.#orders.fetchNamed(key, this.#users.sent(which))
  }

  /** Cancels the order that goes by a `client_order_id`, and returns its final state; safe to repeat. */
  async cancelOrderByClientId(key: string, which: OfUser = {}): Promise<Shapes.Order> {
    return this.#orders.cancelNamed(key, this.#users.sent(which))
  }

  fetchOrder(id: string): Promise<Shapes.OrderInQueue> {
    return this.#get(`/order/${encodeURIComponent(id)}`)
  }

  /** Returns the open orders, newest first; all of them by default. */
  async fetchOpenOrders(which: OfUser & ListOptions & { event_id?: string } = {}): Promise<Shapes.Order[]> {
    return openOrders(query => this.fetchOrders({ ...which, ...query }), which.limit)
  }

  /** Returns a user's orders, newest first. */
  async fetchOrders(which: OfUser & PastQuery & { state?: Shapes.OrderState } = {}): Promise<Shapes.Order[]> {
    const { event_id, state, from, to, limit } = which
    const query = { userid: this.#users.sent(which), event_id, state, from, to }
    return listRows(this.#rest, { path: '/order', field: 'orders', query, limit })
  }

  /** Returns a user's fills, newest first. */
  fetchMyTrades(which: OfUser & ListOptions & TimeOptions = {}): Promise<Shapes.Fill[]> {
    return this.#history(which, 'fills', 'fills')
  }

  async fetchBalance(which: OfUser = {}): Promise<Shapes.NumberedBalance> {
    return this.#get(await this.#portfolio(which, 'balance'))
  }

  async fetchPositions(which: OfUser = {}): Promise<readonly Shapes.ValuedPosition[]> {
    return this.#history({ ...which, limit: Number.POSITIVE_INFINITY }, 'positions', 'positions')
  }

  /** Returns a user's worth at moments of a range, 100 by default, and the changes of their cash in sum. */
  async fetchPerformance(
    which: OfUser & TimeOptions & { readonly points?: number } = {},
  ): Promise<Shapes.Performance> {
    const { from, to, points } = which
    return this.#get(await this.#portfolio(which, 'performance'), { from, to, points })
  }

  /** Returns a user's statement, newest line first. */
  async fetchStatement(which: OfUser & ListOptions & TimeOptions = {}): Promise<Shapes.StatementEntry[]> {
    return this.#history(which, 'statement', 'entries')
  }

  /** Returns what a user's settled events paid, newest first; of one event if it is given. */
  async fetchSettlements(which: OfUser & PastQuery = {}): Promise<Shapes.Settlement[]> {
    return this.#history(which, 'settlements', 'settlements')
  }

  /** Watches the book, now and after each change. It equals the exchange's at the same `seq`. */
  watchOrderBook(code: string, listener?: Listener<Shapes.OrderBook>): Watch<Shapes.OrderBook> {
    return this.#watches.ofMarket(code, channel => channel.watchBook(listener))
  }

  /** Watches trades: each one once, in order, including those during a disconnection. */
  watchTrades(
    code: string,
    options: TradeOptions = {},
    listener?: Listener<Shapes.Trade>,
  ): Watch<Shapes.Trade, never> {
    return this.#watches.ofMarket(code, channel => channel.watchTrades(options, listener))
  }

  /** Watches orders after each change. `state` is all open orders, newest first. */
  watchOrders(
    which: OfUser = {},
    listener?: Listener<Shapes.Order>,
  ): Watch<Shapes.Order, readonly Shapes.Order[]> {
    return this.#watches.ofUser(this.#users.sent(which), channel => channel.watchOrders(listener))
  }

  /** Watches fills: each one once, in order, including those during a disconnection. */
  watchMyTrades(which: OfUser = {}, listener?: Listener<Shapes.Fill>): Watch<Shapes.Fill, never> {
    return this.#watches.ofUser(this.#users.sent(which), channel => channel.watchFills(listener))
  }

  /** Watches the messages of the private channel as they are: each one once, in order. */
  watchMessages(
    which: OfUser = {},
    listener?: Listener<Shapes.UserMessage>,
  ): Watch<Shapes.UserMessage, number> {
    return this.#watches.ofUser(this.#users.sent(which), channel => channel.watchMessages(listener))
  }

  /** Watches the balance, now and after each change. */
  watchBalance(which: OfUser = {}, listener?: Listener<Shapes.Balance>): Watch<Shapes.Balance> {
    return this.#watches.ofUser(this.#users.sent(which), channel => channel.watchBalance(listener))
  }

  /** Watches the contracts of all events, now and after each change. */
  watchPositions(
    which: OfUser = {},
    listener?: Listener<readonly Shapes.Position[]>,
  ): Watch<readonly Shapes.Position[]> {
    return this.#watches.ofUser(this.#users.sent(which), channel => channel.watchPositions(listener))
  }

  /** Ends everything: loops end, pending requests reject, the connection is closed. */
  close(): void {
    this.#rest.close()
    this.trading.close()
    this.#watches.close()
  }

  #get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    return this.#rest.call({ method: 'GET', path, query })
  }

  async #history<T>(which: OfUser & PastQuery, what: string, field: string): Promise<T[]> {
    const [{ event_id, from, to, limit }, path] = [which, await this.#portfolio(which, what)]
    return listRows(this.#rest, { path, field, query: { event_id, from, to }, limit })
  }

  async #portfolio(which: OfUser, what: string): Promise<string> {
    return `/portfolio/${encodeURIComponent(await this.#users.named(which))}/${what}`
  }
}
