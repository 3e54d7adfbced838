import type { QuotedTerms, TableRefusal } from '../../core/house/quote-table.js'
import type { Amount } from '../../core/units.js'
import type { CapacityRefusal } from '../capacity.js'
import type { DeskMarket } from '../markets/desk-market.js'

/** The money of the house, by the settings. */
export interface HouseBudgets {
  /** The most that all house quotes together have been given and not paid back; unlimited by default. */
  readonly budgetMax?: Amount | undefined
  /** The budget of each new market that is in no group, and of each new group; none by default. */
  readonly ofNew?: Amount | undefined
  /** Called when a new market or group gets no quotes for it. */
  readonly onRefused?: ((refused: FundingRefused, outcomesCount: number) => void) | undefined
}

/** House quotes to fund. */
export interface FundingRequest extends Omit<QuotedTerms, 'payout'> {
  readonly market: DeskMarket
}

/** Why house quotes are not funded. */
export type FundingRefusal =
  | TableRefusal
  | { readonly refusal: 'quotes_running' | 'market_over' | 'rounds_full' }
  | { readonly refusal: 'above_ceiling'; readonly left: Amount; readonly most: Amount }
  | { readonly refusal: 'accounts_full' | CapacityRefusal }

/** The request that is refused, with the reason. */
export type FundingRefused = FundingRefusal & { readonly request: FundingRequest }
