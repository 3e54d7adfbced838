import type { FeeRates } from './fees.js'
import type { GroupCommand } from './group-command.js'
import type { HouseMoneyCommand } from './house/house-command.js'
import type { MarketListing, MarketStatus, MarketTerms, Outcome } from './market.js'
import type { MarketEdit } from './market-edit.js'
import type { CancelReason, OrderType, Refusal, SelfTradePrevention, Side } from './order.js'
import type { Note } from './note.js'
import type { BatchKey, BatchPart, OrderKey } from './order-names.js'
import type { OrderOptions } from './order-options.js'
import type { QuoteChanges } from './quote-changes.js'
import type { Signed } from './signed.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  PriceTicks,
  QuantityLots,
  TimeMs,
} from './units.js'

export type { By } from './signed.js'

/** The desk's decision on an order before it was queued: the funds it may use, or why it is refused. */
export type Admission =
  | {
      /** The YES price; 0 for a market order whose indicative price is not a valid price of the market. */
      readonly price: PriceTicks
      readonly quantity: QuantityLots
      /** Lots that sell contracts the user holds; locked by the desk. */
      readonly covered: QuantityLots
      /** Money the desk has held for the rest. */
      readonly hold: Amount
      /** Set when the hold of a market order was cut to the event's `max_bet`, not to the user's funds. */
      readonly cappedByBet?: true
      /** The most resting orders it may fill or cancel; without a bound in older journals. */
      readonly makersMax?: number
      /** The fee rates in force on admission; `hold` has room for them. */
      readonly fees?: FeeRates
      /** The most that a market order with fees may cost without them. */
      readonly costMax?: Amount
    }
  | { readonly refusal: Refusal }

/** Price and quantity as the client sent them, kept where they do not fit the market's grid. */
export interface RequestedTerms {
  readonly price: number
  readonly quantity: number
}

/**
 * The queue message of specification 2.6, exactly as specified in `type`, `id` and `data`; the other fields
 * let the engine decide without looking anything up. Prices here are YES prices.
 */
export interface CreateOrder extends OrderOptions {
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
  /** The client's idempotency key: the same name with the same body is one order. */
  readonly key?: OrderKey
  /** The client's name for the order that this one replaces; unless refused, this one goes by it. */
  readonly name?: string
  /** Its place in a named batch; of the order that a named amendment places, that name. */
  readonly batch?: BatchPart
  /** The outcome whose price the client named; it decides how the order is shown. */
  readonly outcome: Side
  readonly asked: RequestedTerms | undefined
  readonly admission: Admission
}

/** Reduces a resting order, which keeps its place in the queue. */
export interface ReduceOrder {
  readonly type: 'REDUCE_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  /** The lots to subtract; fills that happened meanwhile stand. */
  readonly lots: QuantityLots
  /** The client's name for the amendment. */
  readonly amendment?: BatchKey
}

/** Replaces a resting order by a new one if the resting quantity is still the one the client saw. */
export interface ReplaceOrder {
  readonly type: 'REPLACE_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  /** The quantity of the old order that must still rest; otherwise nothing is replaced. */
  readonly remaining: QuantityLots
  readonly order: CreateOrder
  /** Set if the desk has compared the new order with `min_bet`; in older journals the engine does. */
  readonly isMinChecked?: true
  /** Money and contracts that the desk holds and locks beyond those of the old order. */
  readonly extraHold: Amount
  readonly extraCovered: QuantityLots
}

/** Replaces quotes by others, in one step. */
export interface ReplaceQuotes extends QuoteChanges {
  readonly type: 'REPLACE_QUOTES'
  readonly id: string
  readonly market: MarketCode
  /** The quotes to place, all post-only; those of the house are not. */
  readonly orders: readonly CreateOrder[]
}

/**
 * Brings what rests of the house to what its table says. Each order is decided by what the house has sold
 * until then: one that would rest beyond the table, or beside another at its price, is rejected.
 */
export interface RequoteHouse extends Omit<ReplaceQuotes, 'type'> {
  readonly type: 'REQUOTE_HOUSE'
  /** The market's last trade that the desk knew when it computed this. */
  readonly trades: number
}

/** Commands on house quotes. */
export type HouseCommand = HouseMoneyCommand | RequoteHouse

export interface CancelOrder {
  readonly type: 'CANCEL_ORDER'
  readonly id: string
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly reason: CancelReason
  /** The client's name for the amendment that cancels the rest. */
  readonly amendment?: BatchKey
}

export interface CreateMarket extends Signed {
  readonly type: 'CREATE_MARKET'
  readonly id: string
  readonly terms: MarketTerms
  readonly listing: MarketListing
  readonly status: MarketStatus
}

/** Changes all fields named in the edit or, if one of them cannot change, none. */
export interface EditMarket extends MarketEdit, Signed {
  readonly type: 'EDIT_MARKET'
  readonly id: string
  readonly market: MarketCode
}

/** Moves a market to another status: its start or end time came, an operator did it, or all is paid out. */
export interface MoveMarket extends Signed {
  readonly type: 'MOVE_MARKET'
  readonly id: string
  readonly market: MarketCode
  readonly to: MarketStatus
  /** The most orders that closing the market cancels at once; `CLEAR_LENGTH_MAX` if not given. */
  readonly clear?: number
}

/** The most resting orders cancelled per batch when markets close; the others follow in later batches. */
export const CLEAR_LENGTH_MAX = 256

/**
 * Cancels some resting orders of a closed market, best price first, then oldest; repeated until none rest.
 */
export interface ClearBook {
  readonly type: 'CLEAR_BOOK'
  readonly id: string
  readonly market: MarketCode
  /** The most orders to cancel. */
  readonly length: number
}

/** An outcome, its source, and the operator's note. */
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

/** A user's position at settlement, the net cash they put in, and the money held for a debt in a void. */
export type SettledPosition = readonly [
  account: AccountNumber,
  yes: QuantityLots,
  no: QuantityLots,
  paid: number,
  held: Amount,
]

/** Pays out some positions of a resolved or voided market; each position exactly once. */
export interface SettlePositions {
  readonly type: 'SETTLE_POSITIONS'
  readonly id: string
  /** The market; or a void group, whose users' net payments are reversed. */
  readonly market: MarketCode
  readonly positions: readonly SettledPosition[]
}

/** Deposits or withdraws money; `amount` is positive either way. */
export interface TransferMoney extends Signed {
  readonly type: 'TRANSFER_MONEY'
  readonly id: string
  /** The operator's transaction id; applied once in the life of the exchange. */
  readonly txnId: string
  readonly direction: TransferDirection
  readonly account: AccountNumber
  readonly amount: Amount
}

export type TransferDirection = 'deposit' | 'withdrawal'

/** Opens a new user's account with its starting play money. */
export interface OpenAccount {
  readonly type: 'OPEN_ACCOUNT'
  readonly id: string
  readonly account: AccountNumber
  readonly userId: string
  readonly amount: Amount
}

/** Redeems pairs of a user's free YES and NO contracts in one market for cash. */
export interface MergePairs {
  readonly type: 'MERGE_PAIRS'
  readonly id: string
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly quantity: QuantityLots
}

/** Everything that changes the exchange: self-contained, a replay of the journal rebuilds all state. */
export type Command = MarketCommand | GroupCommand | MoneyCommand | Note

/** Commands on one market, decided by its shard. */
export type MarketCommand =
  | CreateOrder
  | CancelOrder
  | ReduceOrder
  | ReplaceOrder
  | ReplaceQuotes
  | CreateMarket
  | EditMarket
  | MoveMarket
  | ClearBook
  | ResolveMarket
  | SettlePositions
  | MergePairs
  | HouseCommand

/** Commands on an account, without a market. */
export type MoneyCommand = OpenAccount | TransferMoney

const NO_ORDERS: readonly CreateOrder[] = []

/** Returns the new orders in a command. */
export function newOrdersOf(command: Command): readonly CreateOrder[] {
  if (command.type === 'CREATE_ORDER') return [command]
  if (command.type === 'REPLACE_QUOTES' || command.type === 'REQUOTE_HOUSE') return command.orders
  return command.type === 'REPLACE_ORDER' ? [command.order] : NO_ORDERS
}

/** All commands waiting when the shard became free. `at` is the only clock the engine knows. */
export interface CommandBatch {
  readonly at: TimeMs
  readonly commands: readonly Command[]
}
