import type { MarketCode, OrderNumber } from './units.js'

/** A client's name for an order, and a fingerprint of the request sent under that name. */
export interface OrderKey {
  readonly name: string
  readonly fingerprint: string
}

/** A client's name for a batch or an amendment, and a fingerprint of the whole request. */
export interface BatchKey {
  /** Its owner and the client's name, joined into one string; of an amendment, its order too. */
  readonly name: string
  readonly fingerprint: string
}

/** One order of a named batch. */
export interface BatchPart extends BatchKey {
  /** The zero-based index in the batch. */
  readonly index: number
}

/** Records the name of a batch, even if none of its orders is queued. Changes nothing else. */
export interface KeepBatch extends BatchKey {
  readonly type: 'KEEP_BATCH'
  readonly id: string
}

/** Records the name of an amendment that left its order as it was. Changes nothing else. */
export interface KeepAmendment {
  readonly type: 'KEEP_AMENDMENT'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly amendment: BatchKey
}
