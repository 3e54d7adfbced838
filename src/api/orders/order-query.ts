import { z } from 'zod'
import { userIdText } from '../user-id.js'
import { orderState } from './order-answer.js'

/** Selects a user's orders (specification 11). */
export const orderListQuery = z.object({
  userid: userIdText,
  event_id: z.string().optional().meta({ description: 'An event code' }),
  state: orderState.optional(),
})

/** The query of `DELETE /order`. */
export const cancelAllQuery = z.object({
  userid: userIdText,
  event_id: z.string().optional().meta({ description: 'An event code' }),
})

/** The query of an order by its client_order_id: names its user. */
export const namedOrderQuery = z.object({ userid: userIdText })
