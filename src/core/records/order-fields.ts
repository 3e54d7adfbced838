import type { OrderRecord } from '../order-record.js'

/** The fields that name an order, one that is known in memory only, and those that later batches change. */
type OtherField =
  | ('market' | 'number' | 'userId' | 'arrival')
  | ('quantity' | 'covered' | 'filled' | 'filledValue' | 'state' | 'reason' | 'updatedAt')
  | ('feePaid' | 'feeCredit')

/**
 * The fields of an order that never change once it has arrived, and the column that stores each. A column
 * that ends in `?` may be NULL. A flag is stored as 0 or 1, an object as JSON.
 */
export const FIXED_FIELDS = {
  suffix: 'suffix',
  account: 'account',
  side: 'side',
  outcome: 'outcome',
  orderType: 'order_type',
  selfTrade: 'self_trade',
  price: 'price',
  asked: 'asked?',
  createdAt: 'created_at',
  expiresAt: 'expires_at?',
  timeInForce: 'time_in_force',
  postOnly: 'post_only',
  reduceOnly: 'reduce_only',
  key: 'client_key?',
  quoteSet: 'quote_set?',
  feeTaker: 'fee_taker',
  feeMaker: 'fee_maker',
} as const satisfies Record<Exclude<keyof OrderRecord, OtherField>, string>
