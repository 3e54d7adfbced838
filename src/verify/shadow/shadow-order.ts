import type { CreateOrder } from '../../core/command.js'
import type { OrderKey } from '../../core/order-names.js'
import type { OrderState, TimeInForce } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord } from '../../core/order-record.js'
import { FIXED_FIELDS } from '../../core/records/order-fields.js'
import type { TimeMs } from '../../core/units.js'
import { hashText, LINE_START } from '../stored/line-hash.js'
import { orNone, SEPARATOR as S } from '../stored/row-lines.js'

const FIELDS = Object.keys(FIXED_FIELDS) as (keyof typeof FIXED_FIELDS)[]
const FIXED = FIELDS.map(field => ({ field, isOptional: FIXED_FIELDS[field].endsWith('?') }))

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
 * @param previous market and number of the order that its user placed before it
 * @param isWatched whether its line is wanted as text, too
 * @param replaced the order that it replaces, if still open
 */
export function followOrder(
  command: CreateOrder,
  at: TimeMs,
  previous: readonly (number | undefined)[],
  isWatched: boolean,
  replaced?: ShadowOrder,
): ShadowOrder {
  const order = newOrderRecord(command, at)
  const { account, side, orderType, selfTrade, timeInForce, postOnly, price, quantity } = order
  const { feeTaker, feeMaker } = order
  let startText = ''
  for (const { field, isOptional } of FIXED) startText += cellOf(order[field], isOptional) + S
  for (const part of previous) startText += `${orNone(part)}${S}`
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
    start: hashText(LINE_START, startText),
    startText: isWatched ? startText : undefined,
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

function cellOf(value: OrderRecord[keyof typeof FIXED_FIELDS], isOptional: boolean): string | number {
  if (typeof value === 'boolean') return value ? 1 : 0
  const plain = typeof value === 'object' ? JSON.stringify(value) : value
  return isOptional ? orNone(plain) : String(plain)
}

/** Returns whether the rest of the order may stay in the book. */
export function waits({ isLimit, timeInForce }: ShadowOrder): boolean {
  return isLimit && timeInForce !== 'IOC' && timeInForce !== 'FOK'
}

/** Returns the changing part of its line, as it stands. */
export function endOfLine(order: ShadowOrder): string {
  const { quantity, covered, filled, filledValue, state, reason, updatedAt } = order
  const end = `${state}${S}${orNone(reason)}${S}${updatedAt}${S}${order.feePaid}${S}${order.feeCredit}`
  return `${quantity}${S}${covered}${S}${filled}${S}${filledValue}${S}${end}`
}
