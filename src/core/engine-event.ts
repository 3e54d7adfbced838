import type { Level } from './book/order-book.js'
import type { ConversionOutcome } from './conversion.js'
import type { GroupProgress } from './group.js'
import type { MarketProgress, MarketStatus, Outcome } from './market.js'
import type { EditOutcome } from './market-edit.js'
import type { CancelReason, OrderState, Refusal, Side } from './order.js'
import type { AccountPosting, CashEntry, PositionPosting } from './postings.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber, PriceTicks, QuantityLots } from './units.js'

/** One trade: the taker met one maker at the maker's YES price. */
export interface Fill {
  /** 1, 2, 3, … within the market; `tradeId` derives the public id from it. */
  readonly trade: number
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly maker: OrderNumber
  readonly makerOwner: AccountNumber
}

interface OnChannel {
  readonly market: MarketCode
  /** The message's number on the market's channel. */
  readonly seq: number
}

/** A message of a market's public channel, in the order of `seq` (specification 12). */
export type EngineEvent = OnChannel &
  (
    | {
        readonly type: 'order_placed'
        readonly order: OrderNumber
        readonly executed: QuantityLots
        readonly fills: readonly Fill[]
      }
    | {
        readonly type: 'traded'
        readonly taker: OrderNumber
        readonly takerOwner: AccountNumber
        readonly takerSide: Side
        readonly fills: readonly Fill[]
      }
    | {
        readonly type: 'order_cancelled'
        readonly order: OrderNumber
        readonly remaining: QuantityLots
        readonly reason: CancelReason
      }
    | {
        readonly type: 'order_rejected'
        readonly order: OrderNumber
        readonly reason: Refusal
      }
    | { readonly type: 'market_moved'; readonly status: MarketStatus; readonly outcome: Outcome | undefined }
    | {
        readonly type: 'book_changed'
        readonly bids: readonly Level[]
        readonly asks: readonly Level[]
      }
  )

/** How one order changed in a batch: the fills of the batch, and the order's state after it. */
export interface OrderChange {
  readonly market: MarketCode
  readonly number: OrderNumber
  /** The order's owner. */
  readonly account: AccountNumber
  filled: QuantityLots
  /** Σ YES price × quantity of the batch's fills. */
  filledValue: Amount
  /** The quantity taken off by reduce commands. */
  reduced: QuantityLots
  /** The open covered part while the order rests. */
  covered: QuantityLots
  /** The fees of the batch's fills. */
  fee: Amount
  /** The order's credit while it rests (fees.ts). */
  feeCredit: number
  /** The new state; undefined if unchanged. */
  state: OrderState | undefined
  reason: CancelReason | Refusal | undefined
}

export interface MarketChange extends MarketProgress {
  readonly code: MarketCode
}

export interface GroupChange extends GroupProgress {
  readonly code: MarketCode
}

/** The payout of one user's position in a market. */
export interface Settlement {
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly outcome: Outcome
  /** The contracts that were paid or expired worthless. */
  readonly yes: QuantityLots
  readonly no: QuantityLots
  /** The net cash the user had put in; negative if they had taken more out. */
  readonly paid: number
  /** The amount the user received; negative if a voided market took money back. */
  readonly payment: number
}

/** Everything a batch did: the messages to publish, and the changes for the tables and the ledger. */
export interface BatchOutcome {
  readonly events: readonly EngineEvent[]
  readonly orders: readonly OrderChange[]
  readonly markets: readonly MarketChange[]
  readonly edits: readonly EditOutcome[]
  readonly groups: readonly GroupChange[]
  readonly conversions: readonly ConversionOutcome[]
  readonly accounts: readonly AccountPosting[]
  readonly positions: readonly PositionPosting[]
  /** Statement lines; only the tables need them. */
  readonly entries: readonly CashEntry[]
  readonly settlements: readonly Settlement[]
  /** The accounts of the house in the markets that changed: they have no private channel. */
  readonly makers: readonly AccountNumber[]
}
