import type { OrderBook } from '../../../client/client.js'

/** Returns what the resting orders would cost; less is held for those that sell contracts. */
export function restingValue({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>, payout: number): number {
  const cost = (price: number, quantity: number) => price * quantity
  const bid = bids.reduce((sum, [price, quantity]) => sum + cost(price, quantity), 0)
  return asks.reduce((sum, [price, quantity]) => sum + cost(payout - price, quantity), bid)
}
