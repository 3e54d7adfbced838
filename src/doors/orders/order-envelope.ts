import type { OrderAnswer } from '../../api/orders/order-answer.js'
import { orderView } from '../../api/orders/order-view.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { Exchange } from '../../exchange/exchange.js'
import { marketOf } from '../market-of.js'

/** The envelope of a request that succeeded (specification 2.1). */
export interface Envelope<Code extends 200 | 201, Additional> {
  readonly status: true
  readonly code: Code
  readonly message: string
  readonly additional: Additional
}

/** The answer to a request about one order. */
export type OrderEnvelope = Envelope<201, OrderAnswer> | Envelope<200, OrderAnswer>

/** Returns the envelope of an order that was looked at, amended or cancelled. */
export function orderEnvelope(exchange: Exchange, message: string, order: OrderRecord): OrderEnvelope {
  return { status: true, code: 200, message, additional: viewOf(exchange, order) }
}

/** Returns an order as clients see it. */
export function viewOf(exchange: Exchange, order: OrderRecord): OrderAnswer {
  return orderView(order, marketOf(exchange, String(order.market)).terms.payout)
}
