import type { AccountNumber, Amount, OrderNumber, QuantityLots } from './units.js'

/** A quote, and the lots to take off it; without lots, it ends. Fills that happened meanwhile stand. */
type QuoteCut = readonly [number: OrderNumber, lots?: QuantityLots]

/** The changes of a user's quotes before others are placed. Those that are not named stay as they are. */
export interface QuoteChanges {
  readonly account: AccountNumber
  /** A quote that becomes smaller keeps its place in the queue. */
  readonly cuts: readonly QuoteCut[]
  /** Money that the desk holds for the new quotes beyond what the cuts were to release. */
  readonly extraHold: Amount
  /** Contracts that the desk locks in the same way. */
  readonly extraYes: QuantityLots
  readonly extraNo: QuantityLots
}
