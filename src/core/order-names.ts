/** A client's name for an order, and a fingerprint of the request sent under that name. */
export interface OrderKey {
  readonly name: string
  readonly fingerprint: string
}

/** A client's name for a batch of orders or cancels, and a fingerprint of the whole request body. */
export interface BatchKey {
  /** Its owner and the client's name for the batch, joined into one string. */
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
