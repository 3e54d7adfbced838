import { z } from 'zod'
import { ORDER_STATES } from '../../core/order.js'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import { orderReason } from './order-reason.js'
import type { CancelledOrders, Order } from './order-shape.js'

const { eventCode, orderId, price, contracts, rupees, moment } = answerField

export const orderState = z.enum(ORDER_STATES).meta({ id: 'OrderState' })

/** An order: the fields of specification 2.3 and 11. Prices refer to the outcome that it names. */
export const orderAnswer = z
  .object({
    id: orderId,
    orderBookId: eventCode,
    price: price.meta({ description: 'INR per contract of the outcome of the order' }),
    quantity: z.number().meta({ description: 'Contracts ordered, after amendments' }),
    status: z.enum(['PENDING', 'PLACED']).meta({ description: 'PLACED once the engine has accepted it' }),
    createdAt: moment,
    event_id: eventCode,
    userid: z.string(),
    offer_type: z.enum(['buy', 'sell']),
    outcome: z.enum(['yes', 'no']).meta({ description: 'The outcome to which the price refers' }),
    order_type: z.enum(['LO', 'MO']),
    side: answerField.side,
    time_in_force: z.enum(['GTC', 'IOC', 'FOK', 'GTD']),
    expires_at: moment.nullable(),
    state: orderState,
    reason: orderReason.nullable(),
    filled_quantity: contracts,
    remaining_quantity: z.number().meta({ description: 'Unfilled contracts' }),
    average_price: price.nullable().meta({ description: 'Average price of the fills, rounded to ₹0.01' }),
    post_only: z.boolean(),
    reduce_only: z.boolean(),
    client_order_id: z.string().nullable(),
    quote_set: z.string().nullable().meta({ description: 'The set of quotes to which it belongs' }),
    fee_max: rupees.optional().meta({ description: 'The most it may pay in fees; absent without fees' }),
    fee_paid: rupees.optional().meta({ description: 'Fees paid so far; absent without fees' }),
    updatedAt: moment,
  })
  .meta({ id: 'Order' })

/** Result of cancelling all of a user's orders. */
export const cancelledAnswer = z
  .object({
    orders: z.array(orderAnswer).meta({ description: 'Final states, at most 1000' }),
    ended: z.int().min(0).meta({ description: 'Number of cancelled orders' }),
    still_open: z
      .int()
      .min(0)
      .meta({ description: 'Orders not cancelled because the queue was full: try again' }),
  })
  .meta({ id: 'CancelledOrders' })

export type CancelledAnswer = Checked<
  CancelledOrders,
  Same<CancelledOrders, z.output<typeof cancelledAnswer>>
>
export type OrderAnswer = Checked<Order, Same<Order, z.output<typeof orderAnswer>>>
