import type { BatchKey, BatchPart } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { MarketCode, OrderNumber } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { Lookups } from '../reads/lookups.js'
import type { Sources } from '../sources.js'
import { KeyedMutex } from './keyed-mutex.js'

/** A named batch while it runs. What it knows holds once `ready` is settled. */
export interface RunningBatch {
  readonly key: BatchKey
  readonly ready: Promise<void>
  /** Why none of it may run. */
  refusal: 'key_used' | CapacityRefusal | undefined
  /** The orders that it has already, by their places in it. */
  readonly orders: Map<number, readonly [MarketCode, OrderNumber]>
}

/** One order of a named batch on its way. */
export interface RunningPart {
  readonly batch: RunningBatch
  readonly index: number
}

/** An order to place, alone or as part of a named batch. */
export interface Placement extends OrderRequest {
  readonly batch?: RunningPart
}

/** Returns what the journal keeps of an order's place in a named batch. */
export function partOf({ batch, index }: RunningPart): BatchPart {
  return { ...batch.key, index }
}

/**
 * Batches that have a name. Sent again in the same words a batch answers with the orders that it has, and
 * places those that it lacks because a crash cut it short; in others it is refused. The name is kept with the
 * batch and with each of its orders, so whichever of them a crash has left says what the whole was.
 */
export class NamedBatches {
  readonly #lookups: Lookups
  readonly #shards: ShardPool
  readonly #sources: Sources
  /** Batches of one name come one after the other. */
  readonly #inTurn = new KeyedMutex()

  constructor(lookups: Lookups, shards: ShardPool, sources: Sources) {
    this.#lookups = lookups
    this.#shards = shards
    this.#sources = sources
  }

  /**
   * Runs a batch; answers once its name is on disk. What `run` places before its first `await` has the place
   * of this call among all orders, and is decided when the batch is ready.
   */
  once<T>(
    key: BatchKey,
    run: (batch: RunningBatch) => Promise<T>,
  ): Promise<T | 'key_used' | CapacityRefusal> {
    return this.#inTurn.run(key.name, async () => {
      let kept: Promise<void> | undefined
      const ready = this.#lookups.ask('findBatch', key.name).then(known => {
        if (known === undefined) kept = this.#keep(batch)
        else if (known.fingerprint !== key.fingerprint) batch.refusal = 'key_used'
        else for (const [index, market, number] of known.orders) batch.orders.set(index, [market, number])
      })
      const batch: RunningBatch = { key, ready, refusal: undefined, orders: new Map() }
      const done = await run(batch)
      await ready
      await kept
      return batch.refusal ?? done
    })
  }

  #keep(batch: RunningBatch): Promise<void> | undefined {
    if (this.#shards.isFull(EXTERNAL)) {
      batch.refusal = 'queue_full'
      return undefined
    }
    const id = this.#sources.messageId()
    return this.#shards.submit(EXTERNAL, { type: 'KEEP_BATCH', id, ...batch.key })
  }
}
