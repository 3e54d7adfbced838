import type { Level } from './book/order-book.js'
import type { MarketProgress, MarketStatus, Outcome } from './market.js'
import type { EditOutcome } from './market-edit.js'
import type { CancelReason, OrderState, Refusal, Side } from './order.js'
import type { AccountPosting, CashEntry, PositionPosting } from './postings.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber, PriceTicks, QuantityLots } from './units.js'

/** One trade: the taker met one maker at the maker's YES price. */
export interface Fill {
  /** 1, 2, 3, … within the market; `tradeId` makes the public id of it. */
  readonly trade: number
  readonly price: PriceTicks
  readonly quantity: QuantityLots
  readonly maker: OrderNumber
  readonly makerOwner: AccountNumber
}

interface OnChannel {
  readonly market: MarketCode
  /** The message's place in the market's one numbering. */
  readonly seq: number
}

/** What a market's channel tells the world, in the order of `seq` (specification 12). */
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

/** How one order changed in a batch: what it filled in the batch, and how it stands after it. */
export interface OrderChange {
  readonly market: MarketCode
  readonly number: OrderNumber
  /** Whose order it is. */
  readonly account: AccountNumber
  filled: QuantityLots
  /** Σ YES price × quantity of the batch's fills. */
  filledValue: Amount
  /** By how much the order was made smaller. */
  reduced: QuantityLots
  /** What is left of the covered part while the order rests. */
  covered: QuantityLots
  /** Absent where it stays as it was. */
  state: OrderState | undefined
  reason: CancelReason | Refusal | undefined
}

export interface MarketChange extends MarketProgress {
  readonly code: MarketCode
}

/** How one user's part in a market ended. */
export interface Settlement {
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly outcome: Outcome
  /** The contracts that were paid, or that came to nothing. */
  readonly yes: QuantityLots
  readonly no: QuantityLots
  /** The net cash the user had put in; negative for one who had taken more out. */
  readonly paid: number
  /** What the user got; negative where a voided market took it back. */
  readonly payment: number
}

/** Everything a batch did: what is told, and what the tables and the ledger take over. */
export interface BatchOutcome {
  readonly events: readonly EngineEvent[]
  readonly orders: readonly OrderChange[]
  readonly markets: readonly MarketChange[]
  readonly edits: readonly EditOutcome[]
  readonly accounts: readonly AccountPosting[]
  readonly positions: readonly PositionPosting[]
  /** For the tables alone. */
  readonly entries: readonly CashEntry[]
  readonly settlements: readonly Settlement[]
}
