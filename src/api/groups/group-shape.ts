import type { ConversionRefusal } from '../../core/conversion.js'
import type { GroupKind } from '../../core/group.js'
import type { Market, MarketStatus, QuotedByHouse } from '../events/event-shape.js'
import type { PreviewedSettlement, PreviewTotals } from '../operator/operator-shape.js'

/** An event of a group. */
export interface GroupOutcome
  extends Pick<
    Market,
    | 'event_id'
    | 'image'
    | 'status'
    | 'outcome'
    | 'last_price'
    | 'best_bid'
    | 'best_ask'
    | 'volume'
    | 'volume_24h'
    | 'change_24h'
  > {
  /** The outcome's own title. */
  readonly label: string
}

/** A question with several outcomes, each an event to trade on. */
export interface EventGroup {
  readonly code: string
  readonly title: string
  readonly description: string
  readonly kind: GroupKind
  readonly payout: number
  readonly createdAt: string
  readonly end_date: string
  readonly category: string | null
  readonly none_of_these: boolean
  readonly status: MarketStatus
  readonly winner: string | null
  readonly outcomes: readonly GroupOutcome[]
  /** Of the outcomes that the house quotes; absent where it quotes none, and in lists. */
  readonly house_quotes?: Pick<QuotedByHouse, 'max_loss'> | undefined
}

/** The money of a group: what its contracts pay at a result, and its fees. */
export interface GroupMoney {
  readonly code: string
  readonly escrow: number
  /** The payout of the winning contracts, the same whichever outcomes win. */
  readonly payout: number
  /** Charged so far; the exchange keeps them after a result, and a void gives them back. */
  readonly fees: number
  readonly outcomes: readonly { readonly event_id: string; readonly fees: number }[]
}

/** One user's payment; `paid` is less what conversions and earlier results have paid them. */
export type PreviewedGroupSettlement = Omit<PreviewedSettlement, 'yes' | 'no'>

/** Preview of a result: one part of the rows, and where the next part begins. */
export interface GroupSettlementPreview {
  readonly code: string
  /** The code of an event, or `void`. */
  readonly winner: string
  /** On the first part only. */
  readonly totals: Omit<PreviewTotals, 'yes' | 'no'> | null
  readonly settlements: readonly PreviewedGroupSettlement[]
  readonly next_cursor: string | null
}

/** The state and prices of an outcome now. */
export type OutcomePrices = Pick<
  GroupOutcome,
  'event_id' | 'status' | 'outcome' | 'best_bid' | 'best_ask' | 'last_price'
>

/** The prices of all outcomes of a group, as of message `seq` of its channel. */
export interface GroupPrices {
  readonly code: string
  readonly seq: number
  /** In the order of their codes. */
  readonly outcomes: readonly OutcomePrices[]
}

/** A user's contracts of one outcome, and the payout of all their contracts in the group if it wins. */
export interface HeldOutcome {
  readonly event_id: string
  readonly label: string
  readonly yes: number
  readonly no: number
  readonly yes_locked: number
  readonly no_locked: number
  readonly pays: number
}

export interface GroupPosition {
  readonly code: string
  readonly userid: string
  readonly paid: number
  readonly releasable: number
  readonly outcomes: readonly HeldOutcome[]
}

export interface Conversion {
  readonly amount: number
  readonly reason: ConversionRefusal | null
  readonly position: GroupPosition
}
