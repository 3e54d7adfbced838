import type { EditedGroup, GroupListing, GroupTerms } from './group.js'
import type { MarketListing, MarketStatus, MarketTerms, Outcome } from './market.js'
import type { Signed } from './signed.js'
import type { AccountNumber, MarketCode, QuantityLots } from './units.js'

/** A market that a command creates. */
export interface CreatedMarket {
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly status: MarketStatus
}

/** Creates a group with all its markets. */
export interface CreateGroup extends Signed {
  readonly type: 'CREATE_GROUP'
  readonly id: string
  readonly terms: GroupTerms
  readonly listing: GroupListing
  /** In the order of their codes. */
  readonly markets: readonly CreatedMarket[]
}

export interface EditGroup extends Signed {
  readonly type: 'EDIT_GROUP'
  readonly id: string
  readonly group: MarketCode
  readonly listing: EditedGroup
}

/** `release` turns contracts into money, `build` does the reverse. */
export type ConversionDirection = 'release' | 'build'

/**
 * Converts a user's contracts in an exclusive group. The desk has locked the contracts it gives up, and held
 * the money.
 */
export interface Convert {
  readonly type: 'CONVERT'
  readonly id: string
  readonly group: MarketCode
  readonly account: AccountNumber
  readonly direction: ConversionDirection
  readonly lots: QuantityLots
  /** The outcomes whose NO contracts are converted; none for a complete set of YES contracts. */
  readonly markets: readonly MarketCode[]
  /** All other outcomes without a result. */
  readonly others: readonly MarketCode[]
  /** The client's name for the conversion, and a fingerprint of the request. */
  readonly key?: { readonly name: string; readonly fingerprint: string }
}

/**
 * Sets the outcomes of several markets of a group at once. In an exclusive group these are all without a
 * result: one wins, or all are void.
 */
export interface ResolveGroup extends Signed {
  readonly type: 'RESOLVE_GROUP'
  readonly id: string
  readonly group: MarketCode
  readonly outcomes: readonly (readonly [MarketCode, Outcome])[]
  readonly sourceUrl?: string
  readonly note?: string
}

/** Commands on a group, decided by the shard that has all its markets. */
export type GroupCommand = CreateGroup | EditGroup | Convert | ResolveGroup
