import type { ListedMarket } from '../../../client/shapes.js'

/** Statuses of markets that are open or can still open. */
const TRADING: readonly string[] = ['scheduled', 'open', 'halted']

export function isTrading({ status }: Pick<ListedMarket, 'status'>): boolean {
  return TRADING.includes(status)
}
