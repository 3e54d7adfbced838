import type { NewMarket } from './market.js'
import type { AccountNumber, MarketCode, PriceTicks, TimeMs } from './units.js'

/**
 * How the outcomes of a group relate. `exclusive`: exactly one comes true, so the group is one pool and its
 * contracts can be converted. `independent`: each has an escrow and a result of its own.
 */
export type GroupKind = 'exclusive' | 'independent'

/** The title of the last outcome of a group in which none of the others may come true. */
export const NONE_LABEL = 'None of these'

/** The terms of a group. They never change, nor does the list of its markets, which is in their terms. */
export interface GroupTerms {
  readonly code: MarketCode
  readonly kind: GroupKind
  readonly payout: PriceTicks
  /** Holds the money of all outcomes of an exclusive group; markets of an independent one have their own. */
  readonly escrow?: AccountNumber
}

/** The descriptive part of a group. */
export interface GroupListing {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Set if the last outcome is "None of these". */
  readonly hasNone?: true
  readonly createdAt: TimeMs
}

/** The listing fields that can be edited. */
export type EditedGroup = Partial<Pick<GroupListing, 'title' | 'description'>>

/** A group to create; the exchange gives it its codes and accounts. */
export interface NewGroup {
  readonly kind: GroupKind
  readonly listing: Pick<GroupListing, 'title' | 'description' | 'hasNone'>
  readonly markets: readonly NewMarket[]
}

/** The part of a group that changes as it trades. */
export interface GroupProgress {
  /**
   * Lots of YES sets that conversions have completed, less those they have used: each outcome has this many
   * more YES than NO contracts. Once there is a winner: its YES contracts not yet paid.
   */
  readonly sets: number
  /** The number of conversions so far. */
  readonly conversions: number
}

export const NEW_GROUP: GroupProgress = { sets: 0, conversions: 0 }
