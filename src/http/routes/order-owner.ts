import type { Identity } from '../../access/identity.js'
import { mayActFor } from '../../access/rights.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Exchange } from '../../exchange/exchange.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'

/** Throws 404 if an order does not exist or is of a user for whom the caller may not trade. */
export async function checkOwner(exchange: Exchange, caller: Identity, id: string): Promise<void> {
  const order = unlessBusy(await exchange.findOrder(id))
  if (order === undefined || !mayActFor(caller, order.userId, 'trade')) {
    throw new ApiError(404, REFUSED.orderNotFound, 'order_not_found')
  }
}
