import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import { orderAnswer, orderState } from './order-answer.js'
import { orderReason } from './order-reason.js'
import type { OrderInQueue, OrderPreview, QueuedOrder, QueuePlace } from './preview-shape.js'

const { contracts, eventCode, orderId, price, rupees } = answerField

export const previewAnswer = z
  .object({
    event_id: eventCode,
    userid: z.string(),
    state: orderState.meta({ description: 'The state that the order would get' }),
    reason: orderReason.nullable(),
    held: rupees.meta({ description: 'INR that would be set aside on arrival' }),
    fills: z
      .array(z.object({ price, quantity: contracts }))
      .meta({ description: 'By price of the outcome of the order, in the order of the fills' }),
    filled_quantity: contracts,
    remaining_quantity: contracts.meta({ description: 'Contracts that would rest, or be cancelled' }),
    average_price: price.nullable(),
    fee_max: rupees.meta({ description: 'The most that it could cost in fees' }),
    fee: rupees.optional().meta({ description: 'The fee of these fills; absent without fees' }),
  })
  .meta({ id: 'OrderPreview' })

export type PreviewAnswer = Checked<OrderPreview, Same<OrderPreview, z.output<typeof previewAnswer>>>

const place = {
  contracts_ahead: contracts.meta({ description: 'Open contracts that fill before it' }),
  orders_ahead: z
    .int()
    .min(0)
    .meta({ description: 'Orders that fill before it; 10,000 are counted at most' }),
  at_least: z.literal(true).optional().meta({ description: 'Set if there are more than were counted' }),
}

/** A place in the queue, for the documents. */
export const queueSample = { contracts_ahead: 12.5, orders_ahead: 3 }

const queuePlace = z.object(place).meta({ id: 'QueuePlace' })

/** An order, and what fills before it while it rests. */
export const orderInQueue = orderAnswer.extend({
  queue: queuePlace.nullable().meta({ description: 'null if the order does not rest' }),
})

export type OrderInQueueAnswer = Checked<OrderInQueue, Same<OrderInQueue, z.output<typeof orderInQueue>>>

/** The open orders of a user in an event, best first on each side. */
export const queueAnswer = z.object({
  orders: z.array(z.object({ id: orderId, ...place }).meta({ id: 'QueuedOrder' })),
})

export type QueuedAnswer = Checked<
  QueuedOrder,
  Same<QueuedOrder, z.output<typeof queueAnswer>['orders'][number]>
>

export type QueueAnswer = Checked<QueuePlace, Same<QueuePlace, z.output<typeof queuePlace>>>

export const previewSample: PreviewAnswer = {
  event_id: '1000001',
  userid: 'asha',
  state: 'partially_filled',
  reason: null,
  held: 65,
  fills: [{ price: 6.4, quantity: 4 }],
  filled_quantity: 4,
  remaining_quantity: 6,
  average_price: 6.4,
  fee_max: 0,
}
