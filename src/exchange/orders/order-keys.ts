import { assert } from '../../core/assert.js'
import type { OrderKey } from '../../core/order-names.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Lookups } from '../reads/lookups.js'
import type { ReadBusy } from '../reads/read-lane.js'

/** The most pending requests under one name of one user. */
const NAME_LENGTH_MAX = 100

/** A request under a name. */
export interface NamedRequest {
  readonly userId: string
  readonly key: OrderKey
  /** Undefined for a user without a stored account, who has no stored names either. */
  readonly account: AccountNumber | undefined
  /** Enters the request into the arrival lane; it is decided once `known` has resolved. */
  readonly enter: (decide: () => Decided, known: Promise<void> | undefined) => Decided
  /** Places the order if its name is new. */
  readonly place: () => Promise<OrderRecord> | CapacityRefusal
  /** Reads the order with the name. */
  readonly read: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | ReadBusy | undefined>
}

/** The result of a request. */
export type Decided = Promise<OrderRecord | CapacityRefusal | 'key_used'>

/** A name with pending requests. */
interface NameInUse {
  /** Resolves when `row` has been looked up; absent if nothing can be stored. */
  readonly known: Promise<void> | undefined
  row: OrderKeyRow | undefined
  /** The order placed since. */
  placed: { readonly fingerprint: string; readonly order: Promise<OrderRecord> } | undefined
  requestCount: number
}

/**
 * Idempotency keys of orders: repeated with the same body, a key returns its order; with another body, a
 * refusal. All pending requests under a name share one look-up, started by the first, and the order placed
 * since. So each is decided in order of arrival, and none blocks others until an order is committed.
 */
export class OrderKeys {
  readonly #lookups: Lookups
  readonly #inUse = new Map<string, NameInUse>()

  constructor(lookups: Lookups) {
    this.#lookups = lookups
  }

  /** Places an order if its name is new; otherwise resolves to the order with that name. */
  async once(request: NamedRequest): Decided {
    const { userId, key, account, enter } = request
    const name = JSON.stringify([userId, key.name])
    const inUse = this.#inUse.get(name) ?? this.#lookUp(account, key.name)
    if (inUse.requestCount >= NAME_LENGTH_MAX) return 'queue_full'
    this.#inUse.set(name, inUse)
    inUse.requestCount++
    try {
      return await enter(() => decide(inUse, request), inUse.known)
    } finally {
      inUse.requestCount--
      if (inUse.requestCount === 0) this.#inUse.delete(name)
    }
  }

  #lookUp(account: AccountNumber | undefined, name: string): NameInUse {
    const found = account && this.#lookups.usedOrderKey(account, name)
    const known = found?.then(row => {
      inUse.row = row
    })
    const inUse: NameInUse = { known, row: undefined, placed: undefined, requestCount: 0 }
    return inUse
  }
}

/** Decides one request; synchronously up to its first `await`, as the arrival lane requires. */
async function decide(inUse: NameInUse, { key, place, read }: NamedRequest): Decided {
  const { row, placed } = inUse
  if (row !== undefined) {
    if (row.fingerprint !== key.fingerprint) return 'key_used'
    const order = await read(row.market, row.number)
    assert(order !== undefined, 'a stored name has a stored order')
    return order
  }
  if (placed !== undefined) {
    // Wait until that order is committed: until then the name may still go to another order.
    const order = await placed.order
    return placed.fingerprint === key.fingerprint ? order : 'key_used'
  }
  const order = place()
  if (typeof order !== 'string') inUse.placed = { fingerprint: key.fingerprint, order }
  return order
}
