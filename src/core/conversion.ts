import { assert } from './assert.js'
import type { ConversionDirection, Convert } from './group-command.js'
import type { Side } from './order.js'
import type { MarketCode, PriceTicks, QuantityLots } from './units.js'

/** Why a conversion is not made. A refused conversion changes nothing. */
export type ConversionRefusal =
  | 'group_resolved'
  | 'group_not_open'
  | 'outcome_resolved'
  | 'contracts_insufficient'
  | 'funds_insufficient'
  | 'capacity_used'

/** The outcome of a conversion: made, or refused. */
export interface ConversionOutcome {
  readonly id: string
  readonly group: MarketCode
  readonly account: Convert['account']
  /** Its number in the group; 0 for a refused one. */
  readonly number: number
  /** The change of the user's cash. */
  readonly cash: number
  readonly refusal: ConversionRefusal | undefined
}

/** Contracts of one outcome that a conversion takes or gives: the same quantity in each of the markets. */
export interface ConvertedSide {
  readonly side: Side
  readonly markets: readonly MarketCode[]
}

/** The contracts, cash and sets that a conversion moves. */
export interface ConversionEffect {
  readonly takes: ConvertedSide
  readonly gives: ConvertedSide
  /** The change of the user's cash; negative where the user pays. */
  readonly cash: number
  /** The change of the group's complete sets. */
  readonly sets: number
}

interface Converted {
  readonly direction: ConversionDirection
  readonly lots: QuantityLots
  readonly markets: readonly MarketCode[]
  readonly others: readonly MarketCode[]
}

const NONE: ConvertedSide = { side: 'yes', markets: [] }

/**
 * Returns what a conversion does. Exactly one outcome comes true, so NO contracts in k outcomes pay at least
 * k − 1 times the payout: `release` gives that much now, and YES contracts of all others. Without NO
 * contracts, it pays for a complete set of YES contracts. `build` does the reverse.
 */
export function conversionEffect(conversion: Converted, payout: PriceTicks): ConversionEffect {
  const { direction, lots, markets, others } = conversion
  assert(lots > 0 && markets.length + others.length > 0, 'a conversion converts contracts')
  const isRelease = direction === 'release'
  const no: ConvertedSide = { side: 'no', markets }
  const yes: ConvertedSide = { side: 'yes', markets: others }
  const sign = isRelease ? 1 : -1
  if (markets.length === 0) {
    const [takes, gives] = isRelease ? [yes, NONE] : [NONE, yes]
    return { takes, gives, cash: sign * payout * lots, sets: -sign * lots }
  }
  const [takes, gives] = isRelease ? [no, yes] : [yes, no]
  return { takes, gives, cash: sign * payout * (markets.length - 1) * lots, sets: sign * lots }
}

/**
 * Returns whether a build makes more contracts of a side than an outcome's capacity. An outcome has as many
 * NO contracts as pairs, and as many YES as pairs and sets; a build makes NO of some, or else YES of all.
 *
 * @param sets of the group before the build
 */
export function buildExceedsCapacity(
  { lots, gives }: Pick<Converted, 'lots'> & Pick<ConversionEffect, 'gives'>,
  sets: number,
  markets: readonly { readonly code: MarketCode; readonly openPairs: number; readonly capacity: number }[],
): boolean {
  const others = gives.side === 'yes' ? sets : 0
  return markets.some(
    ({ code, openPairs, capacity }) => gives.markets.includes(code) && openPairs + others + lots > capacity,
  )
}
