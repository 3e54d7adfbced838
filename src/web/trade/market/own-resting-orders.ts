import type { Order } from '../../../client/shapes.js'
import type { OwnOrder } from './ladder-rows.js'

/** Converts a user’s open orders in one market to YES prices, for the ladder and the estimate. */
export function ownOrders(orders: readonly Order[], eventId: string, payout: number): readonly OwnOrder[] {
  return orders
    .filter(({ event_id }) => event_id === eventId)
    .map(({ side, outcome, price, remaining_quantity }) => ({
      side,
      yesPrice: outcome === 'yes' ? price : Math.round((payout - price) * 100) / 100,
      remaining: remaining_quantity,
    }))
}
