import { assert } from '../../core/assert.js'
import type { OrderKey } from '../../core/command.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Lookups } from '../reads/lookups.js'
import type { ReadBusy } from '../reads/read-lane.js'

/** How many requests under one name of one user may await their answers. */
const NAME_LENGTH_MAX = 100

/** How a request under a name is decided. */
export interface NamedRequest {
  readonly userId: string
  readonly key: OrderKey
  /** What older versions would have kept for the same request. */
  readonly olderFingerprint?: string | undefined
  /** Undefined for a user who has no account on disk: then the disk knows none of their names. */
  readonly account: AccountNumber | undefined
  /** Takes the request to its turn, once `known` is settled. */
  readonly enter: (turn: () => Decided, known: Promise<void> | undefined) => Decided
  /** Places the order where its name is new. */
  readonly place: () => Promise<OrderRecord> | CapacityRefusal
  /** Reads the order that has the name. */
  readonly read: (market: MarketCode, number: OrderNumber) => Promise<OrderRecord | ReadBusy | undefined>
}

/** What becomes of a request. */
export type Decided = Promise<OrderRecord | CapacityRefusal | 'key_used'>

/** A name that is asked for at this moment. */
interface NameInUse {
  /** Fulfilled when `row` is what the disk knows of the name; absent where it knows nothing. */
  readonly known: Promise<void> | undefined
  row: OrderKeyRow | undefined
  /** The order that has been placed since. */
  placed: { readonly fingerprint: string; readonly order: Promise<OrderRecord> } | undefined
  requestCount: number
}

/**
 * The names that clients give their orders: asked again in the same words a name answers its order, in others
 * a refusal. All requests under one name share one look-up, made when the first of them arrives, and what was
 * placed since: so each is decided in its own turn, and none holds up others until an order is on disk.
 */
export class OrderKeys {
  readonly #lookups: Lookups
  readonly #inUse = new Map<string, NameInUse>()

  constructor(lookups: Lookups) {
    this.#lookups = lookups
  }

  /** Places an order where its name is new, else answers the order that has it. */
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
    const found = account && this.#lookups.ask('findOrderKey', account, name)
    const known = found?.then(row => {
      inUse.row = row
    })
    const inUse: NameInUse = { known, row: undefined, placed: undefined, requestCount: 0 }
    return inUse
  }
}

/** Decides one request in its turn. Up to its first `await` it is synchronous, as a turn must be. */
async function decide(inUse: NameInUse, { key, olderFingerprint, place, read }: NamedRequest): Decided {
  const { row, placed } = inUse
  if (row !== undefined) {
    if (row.fingerprint !== key.fingerprint && row.fingerprint !== olderFingerprint) return 'key_used'
    const order = await read(row.market, row.number)
    assert(order !== undefined, 'a name on disk stands for an order on disk')
    return order
  }
  if (placed !== undefined) {
    // Not before that order is on disk: until then the name may still become another's.
    const order = await placed.order
    return placed.fingerprint === key.fingerprint ? order : 'key_used'
  }
  const order = place()
  if (typeof order !== 'string') inUse.placed = { fingerprint: key.fingerprint, order }
  return order
}
