import type { GroupListing, GroupTerms } from '../../core/group.js'
import type { QuantityLots } from '../../core/units.js'
import type { ShownMarket } from '../events/shown-market.js'

/** A group with everything that clients see of it. */
export interface ShownGroup {
  readonly terms: GroupTerms
  readonly listing: GroupListing
  /** In the order of their codes. */
  readonly markets: readonly ShownMarket[]
  readonly isExclusive: boolean
  readonly isVoid: boolean
}

/** A user in an exclusive group; money in units of ₹0.0001. */
export interface ShownHolding {
  /** The outcomes without a result. */
  readonly outcomes: ReadonlyMap<ShownMarket, ShownContracts>
  /** The net cash that the user has put into the group. */
  readonly paid: number
  /** The payout of free contracts, whichever outcome wins. */
  readonly releasable: number
}

interface ShownContracts {
  readonly yes: QuantityLots
  readonly no: QuantityLots
  readonly yesLocked: QuantityLots
  readonly noLocked: QuantityLots
  /** The payout of all contracts in the group if this outcome wins. */
  readonly pays: number
}

/** The money of a group, in units of ₹0.0001. */
export interface ShownMoney {
  readonly escrow: number
  /** The payout of the winning contracts, whichever outcomes win. */
  readonly payout: number
  /** The fees that each outcome has charged. */
  readonly fees: ReadonlyMap<ShownMarket, number>
}
