import type { RequestedTerms, CreateOrder } from './command.js'
import type { OrderChange } from './engine-event.js'
import type {
  CancelReason,
  OrderState,
  OrderType,
  Refusal,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from './order.js'
import { moveOrder } from './order.js'
import type { EveryOption, OrderOptions } from './order-options.js'
import { givenOptions } from './order-options.js'
import type {
  AccountNumber,
  Amount,
  MarketCode,
  OrderNumber,
  PriceTicks,
  QuantityLots,
  TimeMs,
} from './units.js'
import { amount, lots, NO_LOTS, NOTHING, ticks, toContracts } from './units.js'

/** An order as clients see it and the table stores it; the book has its own, leaner form. */
export interface OrderRecord {
  readonly market: MarketCode
  readonly number: OrderNumber
  readonly suffix: string
  readonly account: AccountNumber
  readonly userId: string
  readonly side: Side
  /** The outcome whose price the client named. */
  readonly outcome: Side
  readonly orderType: OrderType
  readonly selfTrade: SelfTradePrevention
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  readonly reduceOnly: boolean
  /** The set of quotes to which it belongs. */
  readonly quoteSet: string | undefined
  /** The client's name for it, its idempotency key; the orders that amendments make keep it. */
  readonly key: string | undefined
  /** The YES price; 0 if the client asked for a price that is not valid in the market. */
  readonly price: PriceTicks
  quantity: QuantityLots
  readonly asked: RequestedTerms | undefined
  /** When the resting rest expires (GTD). */
  readonly expiresAt: TimeMs | undefined
  /** The time of the batch in which the order arrived. */
  createdAt: TimeMs
  /** The number of its request in order of arrival since the start; 0 if read back. Known in memory only. */
  arrival: number
  updatedAt: TimeMs
  state: OrderState
  reason: CancelReason | Refusal | undefined
  /** The open part that sells contracts its owner holds. */
  covered: QuantityLots
  filled: QuantityLots
  /** Σ YES price × quantity of the fills. */
  filledValue: Amount
  /** The fee rates of its admission. */
  readonly feeTaker: number
  readonly feeMaker: number
  feePaid: Amount
  /** Its credit while it rests (fees.ts). */
  feeCredit: number
}

/** Returns the record of an order that has just been queued. */
export function newOrderRecord(command: CreateOrder, at: TimeMs): OrderRecord {
  const { admission } = command
  const refused = 'refusal' in admission
  return {
    market: command.market,
    number: command.number,
    suffix: command.suffix,
    account: command.account,
    userId: command.data.userId,
    side: command.data.side,
    outcome: command.outcome,
    orderType: command.orderType,
    selfTrade: command.selfTrade,
    timeInForce: timeInForceOf(command),
    postOnly: command.postOnly ?? false,
    reduceOnly: command.reduceOnly ?? false,
    quoteSet: command.quoteSet,
    key: command.key?.name ?? command.name,
    price: refused ? ticks(0) : admission.price,
    quantity: refused ? NO_LOTS : admission.quantity,
    asked: command.asked,
    expiresAt: command.expiresAt,
    createdAt: at,
    arrival: 0,
    updatedAt: at,
    state: 'queued',
    reason: undefined,
    covered: NO_LOTS,
    filled: NO_LOTS,
    filledValue: NOTHING,
    feeTaker: refused ? 0 : (admission.fees?.taker ?? 0),
    feeMaker: refused ? 0 : (admission.fees?.maker ?? 0),
    feePaid: NOTHING,
    feeCredit: 0,
  }
}

/** Returns the time in force, by default IOC for market orders, GTD with an expiry time, else GTC. */
function timeInForceOf({ orderType, timeInForce, expiresAt }: CreateOrder): TimeInForce {
  if (orderType === 'MO') return timeInForce ?? 'IOC'
  return timeInForce ?? (expiresAt === undefined ? 'GTC' : 'GTD')
}

/** Returns the options that a replacement of the order keeps. */
export function optionsOf(record: OrderRecord): OrderOptions {
  const { timeInForce, expiresAt, postOnly, reduceOnly, quoteSet } = record
  const kept: Omit<EveryOption, 'validUntil'> = {
    timeInForce,
    expiresAt,
    postOnly: postOnly || undefined,
    reduceOnly: reduceOnly || undefined,
    quoteSet,
  }
  return givenOptions(kept)
}

/** Applies a committed batch's change to the order. */
export function applyChange(record: OrderRecord, change: OrderChange, at: TimeMs): void {
  if (change.state !== undefined) record.state = moveOrder(record.state, change.state)
  record.reason = change.reason
  record.covered = change.covered
  record.quantity = lots(record.quantity - change.reduced)
  record.filled = lots(record.filled + change.filled)
  record.filledValue = amount(record.filledValue + change.filledValue)
  record.feePaid = amount(record.feePaid + change.fee)
  record.feeCredit = change.feeCredit
  record.updatedAt = at
}

/**
 * Returns the public id: market and number, so that no index is needed to find the order, and a random suffix
 * that cannot be guessed.
 */
export function orderId(order: Pick<OrderRecord, 'market' | 'number' | 'suffix'>): string {
  return `${order.market}-${order.number}-${order.suffix}`
}

/** Returns the quantity not executed: open, or cancelled once the order has ended. */
export function unfilledOf(record: Pick<OrderRecord, 'quantity' | 'filled'>): QuantityLots {
  return lots(record.quantity - record.filled)
}

/** Returns the unfilled quantity in contracts; the client's own number if it did not fit the grid. */
export function unfilledContracts(record: OrderRecord): number {
  const { asked, quantity } = record
  return asked !== undefined && quantity === NO_LOTS ? asked.quantity : toContracts(unfilledOf(record))
}

const ORDER_ID = /^(\d{7})-([1-9]\d{0,9})-([0-9A-Za-z]{1,32})$/

/** Parses a public order id; undefined if it is malformed. */
export function parseOrderId(id: string): Pick<OrderRecord, 'market' | 'number' | 'suffix'> | undefined {
  const parts = ORDER_ID.exec(id)
  if (parts === null) return undefined
  const [, market, number, suffix] = parts
  return {
    market: Number(market) as MarketCode,
    number: Number(number) as OrderNumber,
    suffix: suffix as string,
  }
}
