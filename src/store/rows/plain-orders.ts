import type { OrderRecord } from '../../core/order-record.js'
import type { SelfTradePrevention } from '../../core/order.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../core/units.js'
import { lots, NO_LOTS, NOTHING, ticks } from '../../core/units.js'

const SELF_TRADES: readonly SelfTradePrevention[] = ['taker', 'maker', 'off']
const WHENS = SELF_TRADES.map((name, index) => `WHEN '${name}' THEN ${index}`)
const SELF_TRADE = `CASE o.self_trade ${WHENS.join(' ')} END`

/** Chooses the orders that rest as they came: what the cells below leave out has its usual value. */
export const IS_PLAIN = `o.state = 'resting' AND o.filled = 0 AND o.updated_at = o.created_at
  AND o.order_type = 'LO' AND o.time_in_force = 'GTC' AND o.expires_at IS NULL
  AND o.reason IS NULL AND o.asked IS NULL AND o.quote_set IS NULL
  AND o.filled_value = 0 AND o.fee_paid = 0 AND o.fee_credit = 0
  AND o.side IN ('yes', 'no') AND o.outcome IN ('yes', 'no') AND ${SELF_TRADE} IS NOT NULL`

/** Such an order as JSON values, one behind another. */
export const PLAIN_CELLS = `concat_ws(',', o.number, o.account, json_quote(o.suffix),
  (o.side = 'yes') + 2 * (o.outcome = 'yes') + 4 * (o.post_only = 1) + 8 * (o.reduce_only = 1)
    + 16 * ${SELF_TRADE},
  o.price, o.quantity, o.covered, o.created_at, o.fee_taker, o.fee_maker,
  ifnull(json_quote(o.client_key), 'null'))`
export const PLAIN_LENGTH = 11

export type PlainCells = readonly (number | string | null)[]

/** Reads an order back from its cells, which begin at a place. */
export function orderFromPlainCells(
  market: MarketCode,
  userIdOf: (account: AccountNumber) => string,
  cells: PlainCells,
  at: number,
): OrderRecord {
  const account = cells[at + 1] as AccountNumber
  const flags = cells[at + 3] as number
  const createdAt = cells[at + 7] as TimeMs
  return {
    market,
    number: cells[at] as OrderNumber,
    suffix: cells[at + 2] as string,
    account,
    userId: userIdOf(account),
    side: flags & 1 ? 'yes' : 'no',
    outcome: flags & 2 ? 'yes' : 'no',
    orderType: 'LO',
    selfTrade: SELF_TRADES[flags >> 4] ?? 'off',
    timeInForce: 'GTC',
    postOnly: (flags & 4) > 0,
    reduceOnly: (flags & 8) > 0,
    key: (cells[at + 10] as string | null) ?? undefined,
    quoteSet: undefined,
    price: ticks(cells[at + 4] as number),
    quantity: lots(cells[at + 5] as number),
    asked: undefined,
    expiresAt: undefined,
    createdAt,
    arrival: 0,
    updatedAt: createdAt,
    state: 'resting',
    reason: undefined,
    covered: lots(cells[at + 6] as number),
    filled: NO_LOTS,
    filledValue: NOTHING,
    feeTaker: cells[at + 8] as number,
    feeMaker: cells[at + 9] as number,
    feePaid: NOTHING,
    feeCredit: 0,
  }
}
