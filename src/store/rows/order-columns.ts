import type { OrderRecord } from '../../core/order-record.js'

/** The columns that are written once, when an order arrives. */
export const FIXED_COLUMNS = [
  ...(['suffix', 'account', 'side', 'outcome', 'order_type', 'self_trade', 'price', 'asked'] as const),
  ...(['created_at', 'expires_at', 'time_in_force', 'post_only', 'reduce_only'] as const),
  ...(['client_key', 'quote_set', 'fee_taker', 'fee_maker'] as const),
] as const

/** Their values, in the same order. */
export type FixedCells = readonly [
  suffix: OrderRecord['suffix'],
  account: OrderRecord['account'],
  side: OrderRecord['side'],
  outcome: OrderRecord['outcome'],
  orderType: OrderRecord['orderType'],
  selfTrade: OrderRecord['selfTrade'],
  price: OrderRecord['price'],
  asked: string | null,
  createdAt: OrderRecord['createdAt'],
  expiresAt: NonNullable<OrderRecord['expiresAt']> | null,
  timeInForce: OrderRecord['timeInForce'],
  postOnly: 0 | 1,
  reduceOnly: 0 | 1,
  key: string | null,
  quoteSet: string | null,
  feeTaker: OrderRecord['feeTaker'],
  feeMaker: OrderRecord['feeMaker'],
]

/** The columns that later batches change. */
export const PROGRESS_COLUMNS = [
  ...['quantity', 'covered', 'filled', 'filled_value', 'state', 'reason', 'updated_at'],
  ...['fee_paid', 'fee_credit'],
]

/** All columns, in the order in which new rows are written. */
export const ORDER_COLUMNS = [
  ...['market', 'number', ...FIXED_COLUMNS, ...PROGRESS_COLUMNS],
  ...['previous_market', 'previous_number'],
]

type ProgressCells = readonly [
  quantity: OrderRecord['quantity'],
  covered: OrderRecord['covered'],
  filled: OrderRecord['filled'],
  filledValue: OrderRecord['filledValue'],
  state: OrderRecord['state'],
  reason: NonNullable<OrderRecord['reason']> | null,
  updatedAt: OrderRecord['updatedAt'],
  feePaid: OrderRecord['feePaid'],
  feeCredit: OrderRecord['feeCredit'],
]

/** The progress of an order, as its user hears it. */
export type StoredProgress = Pick<
  OrderRecord,
  'state' | 'quantity' | 'filled' | 'filledValue' | 'feePaid'
> & {
  readonly reason: NonNullable<OrderRecord['reason']> | null
}

type Progress = StoredProgress & Pick<OrderRecord, 'covered' | 'updatedAt' | 'feeCredit'>

/** The previous order of the same user, by market and number; nulls if there is none. */
export type OrderLink = readonly [OrderRecord['market'] | null, OrderRecord['number'] | null]

/** An order as SQLite returns it: the value of `ORDER_CELLS`. */
export type OrderCells = readonly [number: OrderRecord['number'], fixed: FixedCells, progress: ProgressCells]

/** The SQL of an order's values as one JSON text; the table goes by the name `o`. */
export const ORDER_CELLS = `json_array(o.number,
  ${[FIXED_COLUMNS, PROGRESS_COLUMNS].map(columns => `json_array(o.${columns.join(', o.')})`).join(',\n  ')})`

export function fixedCells(order: OrderRecord): FixedCells {
  return [
    order.suffix,
    order.account,
    order.side,
    order.outcome,
    order.orderType,
    order.selfTrade,
    order.price,
    order.asked === undefined ? null : JSON.stringify(order.asked),
    order.createdAt,
    order.expiresAt ?? null,
    order.timeInForce,
    order.postOnly ? 1 : 0,
    order.reduceOnly ? 1 : 0,
    order.key ?? null,
    order.quoteSet ?? null,
    order.feeTaker,
    order.feeMaker,
  ]
}

/** Returns the values of a new row. */
export function newOrderCells(
  order: OrderRecord,
  change: Progress,
  previous: OrderLink,
): readonly (string | number | null)[] {
  return [order.market, order.number, ...fixedCells(order), ...progressCells(change), ...previous]
}

/** Returns the values of the columns that later batches change, in their order. */
export function progressCells(progress: Progress): ProgressCells {
  const { quantity, covered, filled, filledValue, state, reason, updatedAt, feePaid, feeCredit } = progress
  return [quantity, covered, filled, filledValue, state, reason, updatedAt, feePaid, feeCredit]
}

/** Reads the order back from its values. */
export function orderFromCells(
  market: OrderRecord['market'],
  userId: string,
  [number, fixed, progress]: OrderCells,
): OrderRecord {
  const [suffix, account, side, outcome, orderType, selfTrade, price, asked, ...options] = fixed
  const [createdAt, expiresAt, timeInForce, postOnly, reduceOnly, key, quoteSet, ...fees] = options
  const [feeTaker, feeMaker] = fees
  const [quantity, covered, filled, filledValue, state, reason, updatedAt, feePaid, feeCredit] = progress
  return {
    market,
    number,
    suffix,
    account,
    userId,
    side,
    outcome,
    orderType,
    selfTrade,
    timeInForce,
    postOnly: postOnly === 1,
    reduceOnly: reduceOnly === 1,
    key: key ?? undefined,
    quoteSet: quoteSet ?? undefined,
    price,
    quantity,
    asked: asked === null ? undefined : (JSON.parse(asked) as OrderRecord['asked']),
    expiresAt: expiresAt ?? undefined,
    createdAt,
    arrival: 0,
    updatedAt,
    state,
    reason: reason ?? undefined,
    covered,
    filled,
    filledValue,
    feeTaker,
    feeMaker,
    feePaid,
    feeCredit,
  }
}
