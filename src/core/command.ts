import type { MarketListing, MarketStatus, MarketTerms, Outcome } from './market.js'
import type { MarketEdit } from './market-edit.js'
import type { CancelReason, OrderType, Refusal, SelfTradePrevention, Side, TimeInForce } from './order.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  PriceTicks,
  QuantityLots,
  Sequence,
  TimeMs,
} from './units.js'

/** What the desk decided about an order before it was queued: what it may use, or why it may not trade. */
export type Admission =
  | {
      /** The YES price; 0 for a market order whose indicative price is no price of the market. */
      readonly price: PriceTicks
      readonly quantity: QuantityLots
      /** Lots that sell contracts the user holds; locked by the desk. */
      readonly covered: QuantityLots
      /** Money the desk has held for the rest. */
      readonly hold: Amount
      /** Set when the hold of a market order was cut to the event's `max_bet`, not to the user's funds. */
      readonly cappedByBet?: true
    }
  | { readonly refusal: Refusal }

/** Price and quantity in the client's own numbers, kept where they do not fit the market's grid. */
export interface Asked {
  readonly price: number
  readonly quantity: number
}

/**
 * The queue message: `type`, `id` and `data` are exactly those of specification 2.6, and the rest is what the
 * engine needs to decide alone. Prices here are YES prices.
 */
export interface CreateOrder {
  readonly type: 'CREATE_ORDER'
  readonly id: string
  readonly data: {
    readonly market: string
    readonly price: number
    readonly quantity: number
    readonly side: Side
    readonly userId: string
  }
  readonly market: MarketCode
  readonly number: OrderNumber
  /** The random end of the public order id. */
  readonly suffix: string
  readonly account: AccountNumber
  readonly orderType: OrderType
  readonly selfTrade: SelfTradePrevention
  readonly timeInForce?: TimeInForce
  /** When what still rests of it ends (GTD); absent where only a cancel or the market's end does that. */
  readonly expiresAt?: TimeMs
  /** It is refused where the engine reaches it later. */
  readonly validUntil?: TimeMs
  /** It is refused where it would not rest whole. */
  readonly postOnly?: true
  /** It only sells what its user holds. */
  readonly reduceOnly?: true
  /** The client's own name for it: the same name and the same body are one order. */
  readonly key?: OrderKey
  /** Its place in a batch that has a name. */
  readonly batch?: BatchPart
  /** The outcome whose price the client named; it decides how the order is shown. */
  readonly outcome: Side
  readonly asked: Asked | undefined
  readonly admission: Admission
}

/** What a client calls an order, and a fingerprint of what it asked for under that name. */
export interface OrderKey {
  readonly name: string
  readonly fingerprint: string
}

/** A batch of orders or cancels by the name that its client gave it, and a fingerprint of its whole body. */
export interface BatchKey {
  /** Whose it is and what they call it, as one text. */
  readonly name: string
  readonly fingerprint: string
}

/** One order of a named batch. */
export interface BatchPart extends BatchKey {
  /** 0, 1, 2, … in the batch. */
  readonly index: number
}

/** A named batch has come. Nothing changes by it: its name is kept, also where none of it is queued. */
export interface KeepBatch extends BatchKey {
  readonly type: 'KEEP_BATCH'
  readonly id: string
}

/** A resting order becomes smaller and keeps its place in the queue. */
export interface ReduceOrder {
  readonly type: 'REDUCE_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  /** So many lots less; what has been filled meanwhile stays. */
  readonly lots: QuantityLots
}

/** A new order takes the place of a resting one, where that still is what its client has seen. */
export interface ReplaceOrder {
  readonly type: 'REPLACE_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  /** What must still rest of the old order; else nothing is replaced. */
  readonly remaining: QuantityLots
  readonly order: CreateOrder
  /** What the desk holds and locks beyond what the old order does. */
  readonly extraHold: Amount
  readonly extraCovered: QuantityLots
}

export interface CancelOrder {
  readonly type: 'CANCEL_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly reason: CancelReason
}

/** Who sent a command that is the operator's, kept with it for ever. */
export interface By {
  /** How they were let in: with the admin token, as a program on this machine, or by a door open to all. */
  readonly who: 'token' | 'loopback' | 'open'
  /** Where their connection came from. */
  readonly address: string
  /** What their request said, in the client's own names and numbers. */
  readonly fields: Readonly<Record<string, string | number | undefined>>
}

/** A command that the operator may send; without it, the exchange itself has sent it. */
interface Signed {
  readonly by?: By
}

export interface CreateMarket extends Signed {
  readonly type: 'CREATE_MARKET'
  readonly id: string
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly status: MarketStatus
}

/** Something of a market changes: all that is named or, where that cannot be, nothing. */
export interface EditMarket extends MarketEdit, Signed {
  readonly type: 'EDIT_MARKET'
  readonly id: string
  readonly market: MarketCode
}

/** The clock reached a market's start or end, the operator wants it so, or the last contract is paid. */
export interface MoveMarket extends Signed {
  readonly type: 'MOVE_MARKET'
  readonly id: string
  readonly market: MarketCode
  readonly to: MarketStatus
}

/** The oldest orders of a market that takes no more leave its book, best prices first: a part at a time. */
export interface ClearBook {
  readonly type: 'CLEAR_BOOK'
  readonly id: string
  readonly market: MarketCode
  /** At most so many. */
  readonly length: number
}

/** Where an outcome was read, and what the operator has to say about it. */
export interface Resolution {
  readonly outcome: Outcome
  readonly sourceUrl?: string
  readonly note?: string
}

export interface ResolveMarket extends Resolution, Signed {
  readonly type: 'RESOLVE_MARKET'
  readonly id: string
  readonly market: MarketCode
}

/**
 * What one user has in a market when it is settled: contracts, the net cash they put in (negative for one who
 * is ahead), and what of that debt the desk holds of their money (only where the market is voided).
 */
export type SettledPosition = readonly [
  account: AccountNumber,
  yes: QuantityLots,
  no: QuantityLots,
  paid: number,
  held: Amount,
]

/** Some positions of a resolved or voided market turn into cash; each exactly once. */
export interface SettlePositions {
  readonly type: 'SETTLE_POSITIONS'
  readonly id: string
  readonly market: MarketCode
  readonly positions: readonly SettledPosition[]
}

/** Money comes in or goes out; `amount` is positive either way. */
export interface TransferMoney extends Signed {
  readonly type: 'TRANSFER_MONEY'
  readonly id: string
  /** The operator's own name for it, once in the life of the exchange. */
  readonly txnId: string
  readonly direction: TransferDirection
  readonly account: AccountNumber
  readonly amount: Amount
}

export type TransferDirection = 'deposit' | 'withdrawal'

/** A new user's account, with the play money it starts with. */
export interface OpenAccount {
  readonly type: 'OPEN_ACCOUNT'
  readonly id: string
  readonly account: AccountNumber
  readonly userId: string
  readonly amount: Amount
}

/** A user's free YES and NO contracts of one market become cash. */
export interface MergePairs {
  readonly type: 'MERGE_PAIRS'
  readonly id: string
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly quantity: QuantityLots
}

/** The exchange's file was copied. Nothing changes by it: it is for the audit log. */
export interface NoteBackup extends Signed {
  readonly type: 'NOTE_BACKUP'
  readonly id: string
  readonly file: string
  readonly bytes: number
  /** The last batch in the copy. */
  readonly sequence: Sequence
}

/**
 * Everything that changes the exchange; self-contained, so that the journal alone tells the whole history.
 */
export type Command = MarketCommand | MoneyCommand | KeepBatch | NoteBackup

/** What concerns one market, and is decided by its shard. */
export type MarketCommand =
  | CreateOrder
  | CancelOrder
  | ReduceOrder
  | ReplaceOrder
  | CreateMarket
  | EditMarket
  | MoveMarket
  | ClearBook
  | ResolveMarket
  | SettlePositions
  | MergePairs

/** What concerns an account and no market. */
export type MoneyCommand = OpenAccount | TransferMoney

/** The order that a command brings, if it brings one. */
export function arrivalOf(command: Command): CreateOrder | undefined {
  if (command.type === 'CREATE_ORDER') return command
  return command.type === 'REPLACE_ORDER' ? command.order : undefined
}

/** All that waited when the shard became free. `at` is the only clock the engine knows. */
export interface CommandBatch {
  readonly at: TimeMs
  readonly commands: readonly Command[]
}
