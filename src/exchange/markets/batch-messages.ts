import { assert } from '../../core/assert.js'
import type { EngineEvent, Fill } from '../../core/engine-event.js'
import { tradeId } from '../../core/market.js'
import type { OrderRecord } from '../../core/order-record.js'
import { orderId, unfilledContracts } from '../../core/order-record.js'
import type { MarketMessage, PublicTrade } from '../../core/records/market-message.js'
import type { MarketCode } from '../../core/units.js'

/**
 * Returns the message of a market's channel about an event of a batch.
 *
 * @param records the orders of the market that the batch has changed, by number
 */
export function toMessage(
  event: EngineEvent,
  records: ReadonlyMap<number, OrderRecord> | undefined,
): MarketMessage {
  const { seq } = event
  if (event.type === 'market_moved') {
    return { seq, type: 'status', status: event.status, outcome: event.outcome }
  }
  if (event.type === 'book_changed') return { seq, type: 'delta', bids: event.bids, asks: event.asks }
  if (event.type === 'traded') {
    return { seq, type: 'trade', takerSide: event.takerSide, trades: toTrades(event.market, event.fills) }
  }
  const record = records?.get(event.order)
  assert(record !== undefined, 'an order in an event has changed in the batch')
  const id = orderId(record)
  if (event.type === 'order_placed') {
    const { executed, fills } = event
    return { seq, type: 'ORDER_PLACED', orderId: id, executed, fills: toTrades(event.market, fills) }
  }
  const type = event.type === 'order_cancelled' ? 'ORDER_CANCELLED' : 'ORDER_REJECTED'
  const remainingContracts = unfilledContracts(record)
  const { filled: executed } = record
  return { seq, type, orderId: id, executed, remainingContracts, reason: event.reason }
}

function toTrades(market: MarketCode, fills: readonly Fill[]): PublicTrade[] {
  return fills.map(({ trade, price, quantity }) => ({ tradeId: tradeId(market, trade), price, quantity }))
}
