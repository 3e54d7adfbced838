import { RaayError } from './raay-error.js'
import type { Rest } from './rest.js'
import type { CancelledOrders, Order, OrderRequest, OrderState } from './shapes.js'

/** Changes to an open order: at least one of the two. */
export interface Amendment {
  /** Price of the outcome that the order names. */
  readonly price?: number
  /** Total, including contracts already filled. A smaller quantity keeps the order's place in the queue. */
  readonly quantity?: number
  /**
   * Your own name for it, 1 to 64 characters: repeated under that name, it has no further effect. By default
   * a random one, so that it is repeated safely when its answer is lost.
   */
  readonly idempotencyKey?: string
}

/** The body of `POST /order/initiate`, in the API's words. */
type OrderBody = Readonly<Record<string, unknown>> & { readonly client_order_id: string }

export interface BatchResult {
  readonly status: boolean
  readonly code: number
  readonly name?: string
  readonly message: string
  readonly reason?: string
  readonly additional?: Order
}

/** Places, amends and cancels orders. Each has its own name, so that none is placed twice. */
export class Orders {
  readonly #rest: Rest
  readonly #newKey: () => string

  constructor(rest: Rest, newKey: () => string) {
    this.#rest = rest
    this.#newKey = newKey
  }

  create(request: OrderRequest, userid: string | undefined): Promise<Order> {
    const body = this.bodyOf(request, userid)
    const headers = { Prefer: 'wait' }
    return this.#rest.call({ method: 'POST', path: '/order/initiate', body, headers, repeat: 'always' })
  }

  /** Returns one result per order, in order. Orders refused for lack of room are sent again. */
  async createAll(
    requests: readonly OrderRequest[],
    userid: string | undefined,
    idempotencyKey?: string,
  ): Promise<(Order | RaayError)[]> {
    if (idempotencyKey !== undefined) return this.#createNamed(requests, userid, idempotencyKey)
    const bodies = requests.map(request => this.bodyOf(request, userid))
    const results: (Order | RaayError)[] = []
    let left = bodies.map((_, index) => index)
    const send = async () => {
      const orders = left.map(index => bodies[index])
      for (const [n, result] of (await this.#batch({ orders })).entries()) results[left[n] ?? 0] = result
      left = left.filter(index => isRetryable(results[index]))
      if (left.length > 0) throw results[left[0] ?? 0]
    }
    return this.#repeated(send, () => results)
  }

  fetchNamed(key: string, userid: string | undefined): Promise<Order> {
    return this.#rest.call({ method: 'GET', path: pathOf(key), query: { userid } })
  }

  cancelNamed(key: string, userid: string | undefined): Promise<Order> {
    return this.#rest.call({ method: 'DELETE', path: pathOf(key), query: { userid } })
  }

  amend(id: string, amendment: Amendment): Promise<Order> {
    const { price, quantity, idempotencyKey } = this.namedAmendment(amendment)
    return this.#rest.call({
      method: 'POST',
      path: `/order/${encodeURIComponent(id)}/amend`,
      body: { price: exact(price), quantity: exact(quantity) },
      headers: { 'Idempotency-Key': idempotencyKey },
      repeat: 'always',
    })
  }

  /** Returns an amendment with a name: its own, or a new one. */
  namedAmendment(amendment: Amendment): Amendment & { readonly idempotencyKey: string } {
    return { ...amendment, idempotencyKey: amendment.idempotencyKey ?? this.#newKey() }
  }

  cancel(id: string): Promise<Order> {
    return this.#rest.call({ method: 'DELETE', path: `/order/${encodeURIComponent(id)}` })
  }

  /** Cancels 1 to 100 orders; returns their final states, or why they are not cancelled. */
  cancelMany(cancels: readonly string[]): Promise<(Order | RaayError)[]> {
    return this.#batch({ cancels })
  }

  cancelAll(userid: string | undefined, eventId: string | undefined): Promise<CancelledOrders> {
    return this.#rest.call({ method: 'DELETE', path: '/order', query: { userid, event_id: eventId } })
  }

  /** Sends a named batch. Its body is the same each time, so its orders need no names of their own. */
  async #createNamed(
    requests: readonly OrderRequest[],
    userid: string | undefined,
    key: string,
  ): Promise<(Order | RaayError)[]> {
    const orders = requests.map(request => {
      const { client_order_id: _, ...body } = this.bodyOf(request, userid)
      const { client_order_id } = request
      return client_order_id === undefined ? body : { ...body, client_order_id }
    })
    let results: (Order | RaayError)[] = []
    const send = async () => {
      results = await this.#batch({ orders }, { 'Idempotency-Key': key })
      const busy = results.find(isRetryable)
      if (busy !== undefined) throw busy
    }
    return this.#repeated(send, () => results)
  }

  /**
   * Sends a batch until none of its orders was refused for lack of room. Whatever ends that, the results of
   * the other orders are returned: for these stands the error of the repeat, which leaves open whether they
   * were placed. Throws only if no attempt was answered.
   */
  async #repeated(
    send: () => Promise<void>,
    results: () => readonly (Order | RaayError)[],
  ): Promise<(Order | RaayError)[]> {
    const isOfOne = (error: RaayError) => results().includes(error)
    try {
      await this.#rest.repeat(isOfOne, send)
    } catch (error) {
      if (!(error instanceof RaayError) || results().length === 0) throw error
      if (!isOfOne(error)) return results().map(result => (isRetryable(result) ? error : result))
    }
    return [...results()]
  }

  async #batch(
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<(Order | RaayError)[]> {
    const path = '/order/batch'
    const { results } = await this.#rest.call<{ readonly results: readonly BatchResult[] }>({
      method: 'POST',
      path,
      body,
      headers,
      repeat: 'always',
    })
    return resultsOf(results)
  }

  /** Returns an order with a name: its own, or a new one. */
  named(request: OrderRequest): OrderRequest & { readonly client_order_id: string } {
    return { ...request, client_order_id: request.client_order_id ?? this.#newKey() }
  }

  /** Returns the body of a request for an order, with a name. */
  bodyOf(request: OrderRequest, userid: string | undefined): OrderBody {
    const named = this.named(request)
    return { ...bodyOf(named, userid), client_order_id: named.client_order_id }
  }
}

/** Returns the orders of a batch, or why they were refused. */
export function resultsOf(results: readonly BatchResult[]): (Order | RaayError)[] {
  return results.map(
    ({ code, name = 'Error', message, reason, additional }) =>
      additional ?? new RaayError(code, name, message, { reason }),
  )
}

/** Returns an order in the words of the API. */
export function bodyOf(
  { price, quantity, order_type = 'LO', ...rest }: OrderRequest,
  userid: string | undefined,
): Readonly<Record<string, unknown>> {
  return {
    l1_expected_price: exact(price),
    l1_order_quantity: exact(quantity),
    order_type,
    ...rest,
    userid: rest.userid ?? userid,
  }
}

function pathOf(key: string): string {
  return `/order/by-client-id/${encodeURIComponent(key)}`
}

const isRetryable = (result: unknown) => result instanceof RaayError && result.retryable

/** Rounds off binary noise: 5.1 − 0.2 yields 4.8999999999999995, off every tick; it is sent as 4.9. */
export function exact<T extends number | undefined>(value: T): T {
  return (value === undefined || !Number.isFinite(value) ? value : Number(value.toFixed(9))) as T
}

/** Fetches the open orders, newest first, up to a limit; all of them by default. */
export async function openOrders(
  read: (query: { readonly state: OrderState; readonly limit: number }) => Promise<readonly Order[]>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Order[]> {
  // An order partially filled between the two requests appears in the second list, if not in the first.
  const resting = await read({ state: 'resting', limit })
  const partial = await read({ state: 'partially_filled', limit })
  const all = new Map([...resting, ...partial].map(order => [order.id, order]))
  return [...all.values()].sort(byNewest).slice(0, limit)
}

/** Compares as the exchange does: by time, event and number, since orders of one batch have one time. */
function byNewest(a: Order, b: Order): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.event_id !== b.event_id) return a.event_id < b.event_id ? 1 : -1
  return numberOf(b) - numberOf(a)
}

/** Returns the number of an order in its event, which its id contains. */
function numberOf({ id }: Order): number {
  return Number(id.split('-')[1])
}
