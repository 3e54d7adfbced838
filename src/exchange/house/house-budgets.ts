import type { TableRefusal } from '../../core/house/quote-table.js'
import type { Amount } from '../../core/units.js'
import type { CapacityRefusal } from '../capacity.js'
import type { DeskMarket } from '../markets/desk-market.js'

/** The money of the house, by the settings. */
export interface HouseBudgets {
  /** The most that all house quotes together have been given and not paid back; unlimited by default. */
  readonly budgetMax?: Amount | undefined
  /** The budget of each new market that is in no group, and of each new group; none by default. */
  readonly ofNew?: Amount | undefined
  /** Called for a new market that is given none of it, with the reason. */
  readonly onRefused?: ((refused: FundingRefused) => void) | undefined
}

/** Why house quotes are not funded. */
export type FundingRefusal =
  | TableRefusal
  | { readonly refusal: 'quotes_running' | 'market_over' | 'rounds_full' }
  | { readonly refusal: 'above_ceiling'; readonly left: Amount; readonly most: Amount }
  | { readonly refusal: 'accounts_full' | CapacityRefusal }

/** The market whose quotes are refused, with the reason. */
export type FundingRefused = FundingRefusal & { readonly market: DeskMarket }
