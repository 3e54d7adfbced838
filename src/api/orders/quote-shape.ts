import type { OfferType, Order, Side } from './order-shape.js'

/** A quote, in the words in which orders are shown. */
export interface Quote {
  readonly offer_type: OfferType
  /** `yes` by default. */
  readonly outcome?: Side
  /** Price of the outcome. */
  readonly price: number
  /** Contracts that are to be open. */
  readonly quantity: number
}

/** The results of the quotes of a request, in its order. */
export interface ReplacedQuotes {
  readonly results: readonly {
    /** A quote that was kept or reduced has its place in the queue. */
    readonly result: 'kept' | 'reduced' | 'placed' | 'rejected'
    readonly order: Order
  }[]
  /** The number of quotes of the set that ended. */
  readonly ended: number
}
