import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { cancelledAnswer, orderAnswer } from '../orders/order-answer.js'
import { previewAnswer, previewSample } from '../orders/preview-answer.js'
import { quotesAnswer, replacedSample } from '../orders/quote-routes.js'
import { timerAnswer, timerSample } from '../orders/timer-routes.js'
import { batchAnswer } from '../orders/order-batch-answer.js'
import { samples } from '../samples.js'
import { EPOCH_HEADER, SEQUENCE_HEADER } from '../sequence.js'
import { IGNORED } from '../unknown-fields.js'
import type { Reply } from './message.js'

/** Fields of an order that had no effect. */
const ignored = z.array(z.string()).optional().meta({ description: IGNORED.description })

/** The last batch in an answer, for reads over HTTP that are to see it. */
const includes = {
  sequence: z
    .int()
    .min(0)
    .meta({ description: `As \`${SEQUENCE_HEADER}\` of HTTP` }),
  epoch: z
    .int()
    .min(0)
    .meta({ description: `As \`${EPOCH_HEADER}\` of HTTP` }),
}

/** The success envelope of HTTP (specification 2.1). */
function envelope(additional: z.ZodType) {
  const code = z.union([z.literal(200), z.literal(201)])
  return z.object({ status: z.literal(true), code, message: z.string(), additional })
}

const placed = { status: true, code: 201, message: DONE.orderPlaced, additional: samples.order }
const cancelled = {
  status: true,
  code: 200,
  message: DONE.orderCancelled,
  additional: samples.cancelledOrder,
}

export const order: Reply = {
  event: 'order',
  says: 'An order was placed, amended or cancelled, and is on disk: the envelope of HTTP',
  fields: { data: envelope(orderAnswer), ...includes, ignored },
  samples: [
    { data: placed, sequence: 4711, epoch: 0, id: 7 },
    { data: cancelled, sequence: 4711, epoch: 0, id: 8 },
  ],
}

export const orders: Reply = {
  event: 'orders',
  says: 'The results of a batch, in its order',
  fields: { data: envelope(batchAnswer), ...includes, ignored },
  samples: [
    {
      data: {
        status: true,
        code: 200,
        message: '1 of 1 orders placed',
        additional: { results: [placed] },
      },
      sequence: 4711,
      epoch: 0,
      id: 9,
    },
  ],
}

export const ordersCancelled: Reply = {
  event: 'orders_cancelled',
  says: 'The orders of a user were cancelled',
  fields: { data: envelope(cancelledAnswer), ...includes },
  samples: [
    {
      data: {
        status: true,
        code: 200,
        message: DONE.ordersCancelled,
        additional: { orders: [samples.cancelledOrder], ended: 1, still_open: 0 },
      },
      sequence: 4711,
      epoch: 0,
      id: 10,
    },
  ],
}

export const quotesReplaced: Reply = {
  event: 'quotes_replaced',
  says: 'The quotes of a user were replaced, which is on disk',
  fields: { data: envelope(quotesAnswer), ...includes },
  samples: [
    {
      data: { status: true, code: 200, message: DONE.quotesReplaced, additional: replacedSample },
      sequence: 4711,
      epoch: 0,
      id: 11,
    },
  ],
}

export const timerSet: Reply = {
  event: 'timer_set',
  says: 'The cancel timer of a user was set, which is on disk',
  fields: { data: envelope(timerAnswer), ...includes },
  samples: [
    {
      data: { status: true, code: 200, message: DONE.timerSet, additional: timerSample },
      sequence: 4711,
      epoch: 0,
      id: 12,
    },
  ],
}

export const orderPreviewed: Reply = {
  event: 'order_previewed',
  says: 'What an order would do now',
  fields: { data: envelope(previewAnswer), ...includes },
  samples: [
    {
      data: { status: true, code: 200, message: DONE.orderPreviewed, additional: previewSample },
      sequence: 4711,
      epoch: 0,
      id: 13,
    },
  ],
}
