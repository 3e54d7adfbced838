import type { CreateOrder } from '../../core/command.js'
import type { OrderKey } from '../../core/order-names.js'
import type { OrderState, TimeInForce } from '../../core/order.js'
import { newOrderRecord } from '../../core/order-record.js'
import type { TimeMs } from '../../core/units.js'
import type { ExpectedLine } from '../stored/expected-line.js'

/** An order from its arrival until it is final, as recorded by the journal. */
export interface ShadowOrder {
  readonly number: number
  readonly account: number
  readonly side: 'yes' | 'no'
  readonly isLimit: boolean
  readonly selfTrade: 'taker' | 'maker' | 'off'
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  /** YES price; 0 for an order without one. */
  readonly price: number
  /** The client's name for it, with the fingerprint of the first order under that name. */
  readonly key: OrderKey | undefined
  /** Hash of the immutable part of its line, and that part itself if the line is watched. */
  readonly start: number
  readonly startText: string | undefined
  /** Reduced when the order is made smaller. */
  quantity: number
  /** Total reduction by the commands of the batch. */
  reducing: number
  /** Reduced by each reported fill, and set to zero when the order ends. */
  remaining: number
  cancelled: number
  isResting: boolean
  /** Increased by each recorded change. */
  filled: number
  filledValue: number
  covered: number
  /** The fee rates of its admission; what it has paid, and its credit, by its changes. */
  readonly feeTaker: number
  readonly feeMaker: number
  feePaid: number
  feeCredit: number
  /** Σ rate × price × (payout − price) × quantity of its fills. */
  owed: bigint
  state: OrderState
  reason: string | undefined
  updatedAt: number
}

/**
 * @param line begun for the order
 * @param previousMarket market and number of the order that its user placed before it
 * @param replaced the order that it replaces, if still open
 */
export function followOrder(
  command: CreateOrder,
  at: TimeMs,
  line: ExpectedLine,
  previousMarket: number | undefined,
  previousNumber: number | undefined,
  replaced?: ShadowOrder,
): ShadowOrder {
  const order = newOrderRecord(command, at)
  const { account, side, orderType, selfTrade, timeInForce, postOnly, price, quantity } = order
  const { asked, feeTaker, feeMaker } = order
  // The columns of FIXED_FIELDS, by name: a loop over them took a tenth of a replay.
  line.cell(order.suffix).cell(account).cell(side).cell(order.outcome).cell(orderType).cell(selfTrade)
  line
    .cell(price)
    .optional(asked && JSON.stringify(asked))
    .cell(order.createdAt)
    .optional(order.expiresAt)
  line
    .cell(timeInForce)
    .cell(postOnly ? 1 : 0)
    .cell(order.reduceOnly ? 1 : 0)
  line.optional(order.key).optional(order.quoteSet).cell(feeTaker).cell(feeMaker)
  line.optional(previousMarket).optional(previousNumber)
  return {
    number: command.number,
    account,
    side,
    isLimit: orderType === 'LO',
    selfTrade,
    timeInForce,
    postOnly,
    price,
    key: command.name === undefined ? command.key : replaced?.key,
    quantity,
    reducing: 0,
    start: line.start,
    startText: line.text,
    remaining: quantity,
    cancelled: 0,
    isResting: false,
    filled: 0,
    filledValue: 0,
    covered: 0,
    feeTaker,
    feeMaker,
    feePaid: 0,
    feeCredit: 0,
    owed: 0n,
    state: 'queued',
    reason: undefined,
    updatedAt: at,
  }
}

/** Returns whether the rest of the order may stay in the book. */
export function waits({ isLimit, timeInForce }: ShadowOrder): boolean {
  return isLimit && timeInForce !== 'IOC' && timeInForce !== 'FOK'
}

/** Writes the changing part of its line, as it stands. */
export function endLine(order: ShadowOrder, line: ExpectedLine): void {
  line.cell(order.quantity).cell(order.covered).cell(order.filled).cell(order.filledValue)
  line.cell(order.state).optional(order.reason).cell(order.updatedAt)
  line.cell(order.feePaid).cell(order.feeCredit)
}
