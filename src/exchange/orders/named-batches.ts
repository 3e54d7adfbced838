import { EXTERNAL } from '../../core/ledger.js'
import type { BatchKey, BatchPart } from '../../core/order-names.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { MarketCode, OrderNumber } from '../../core/units.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Lookups } from '../reads/lookups.js'
import { KeyedMutex } from './keyed-mutex.js'

/** A running named batch. Its other fields are valid once `ready` has resolved. */
export interface RunningBatch {
  readonly key: BatchKey
  readonly ready: Promise<void>
  /** Why the batch is refused. */
  refusal: 'key_used' | CapacityRefusal | undefined
  /** The orders it already has, by index. */
  readonly orders: Map<number, readonly [MarketCode, OrderNumber]>
}

/** One order of a running named batch. */
export interface RunningPart {
  readonly batch: RunningBatch
  readonly index: number
}

/** An order to place, alone or as part of a named batch. */
export interface Placement extends OrderRequest {
  readonly batch?: RunningPart
}

/** Returns the journal's record of an order's place in a named batch. */
export function partOf({ batch, index }: RunningPart): BatchPart {
  return { ...batch.key, index }
}

/**
 * Idempotent batches. A repeated batch with the same body returns its orders, and places those that are
 * missing because a crash cut it short; with a different body it is refused. The name is stored with the
 * batch and with each order, so whichever of them a crash leaves identifies the whole.
 */
export class NamedBatches {
  readonly #parts: CommandParts
  readonly #lookups: Lookups
  /** Serialises batches with the same name. */
  readonly #inTurn = new KeyedMutex()

  constructor(parts: CommandParts, lookups: Lookups) {
    this.#parts = parts
    this.#lookups = lookups
  }

  /**
   * Runs a batch; resolves once its name is committed. Orders that `run` places before its first `await`
   * arrive with this call, and are decided when the batch is ready.
   */
  once<T>(
    key: BatchKey,
    run: (batch: RunningBatch) => Promise<T>,
  ): Promise<T | 'key_used' | CapacityRefusal> {
    return this.#inTurn.run(key.name, async () => {
      let kept: Promise<void> | undefined
      const ready = this.#lookups.batch(key.name).then(known => {
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
    const { desk, shards, sources } = this.#parts
    if (!desk.mayDecide || shards.isFull(EXTERNAL)) {
      batch.refusal = desk.mayDecide ? 'queue_full' : 'not_leader'
      return undefined
    }
    return shards.submit(EXTERNAL, { type: 'KEEP_BATCH', id: sources.messageId(), ...batch.key })
  }
}
