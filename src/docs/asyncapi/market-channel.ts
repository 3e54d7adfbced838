import { z } from 'zod'
import { eventAnswers, eventStatus } from '../../api/events/event-answer.js'
import { answerField } from '../../api/fields.js'
import { orderReason } from '../../api/orders/order-reason.js'
import { samples } from '../../api/samples.js'
import type { SocketMessage } from './socket-message.js'
import { SAMPLE_TS } from './socket-message.js'

const { eventCode, orderId, tradeId, price, contracts, side } = answerField

const CHANNEL = 'event_orderbook_1000001'
const seq = z.int().min(0).meta({ description: 'Sequence number on this channel' })
const ts = z.int().meta({ description: 'Epoch milliseconds' })
const levels = z.array(eventAnswers.level)
const chain = {
  seq,
  prev_seq: z.int().min(0).meta({
    description: 'Number of the previous message; if it is not the last you received, you missed one',
  }),
  ts,
}

const ending = z.object({
  orderId,
  executedQty: contracts,
  remainingQty: z.number().meta({ description: 'Unfilled contracts' }),
  reason: orderReason,
})

/** Messages of a market's channel (specification 12), by `data.type`. */
export const marketMessages: Readonly<Record<string, SocketMessage>> = {
  snapshot: message(
    'The full book: sent first, and again after falling behind',
    'snapshot',
    {
      event_id: eventCode,
      seq,
      ts,
      status: eventStatus,
      bids: levels,
      asks: levels,
      last_price: price.nullable(),
    },
    { event_id: '1000001', seq: 0, ts: SAMPLE_TS, status: 'open', bids: [], asks: [], last_price: null },
  ),
  delta: message(
    'Changed price levels with their new quantities; 0 removes the level',
    'delta',
    { ...chain, bids: levels, asks: levels },
    { seq: 2, prev_seq: 1, ts: SAMPLE_TS, bids: [[6.5, 10]], asks: [] },
  ),
  trade: message(
    'New trades',
    'trade',
    { ...chain, trades: z.array(z.object({ tradeId, price, qty: contracts, taker_side: side, ts })) },
    {
      seq: 4,
      prev_seq: 3,
      ts: SAMPLE_TS,
      trades: [{ tradeId: '1000001-1', price: 6.5, qty: 4, taker_side: 'no', ts: SAMPLE_TS }],
    },
  ),
  orderPlaced: message(
    'An order was accepted',
    'ORDER_PLACED',
    {
      ...chain,
      payload: z.object({
        orderId,
        executedQty: contracts,
        fills: z.array(z.object({ price, qty: contracts, tradeId })),
      }),
    },
    {
      seq: 3,
      prev_seq: 2,
      ts: SAMPLE_TS,
      payload: {
        orderId: '1000001-2-k4Lm5Nq6Rs',
        executedQty: 4,
        fills: [{ price: 6.5, qty: 4, tradeId: '1000001-1' }],
      },
    },
  ),
  orderCancelled: message(
    'The unfilled rest of an order was cancelled',
    'ORDER_CANCELLED',
    { ...chain, payload: ending },
    {
      seq: 6,
      prev_seq: 5,
      ts: SAMPLE_TS,
      payload: { orderId: samples.orderId, executedQty: 4, remainingQty: 6, reason: 'user_cancelled' },
    },
  ),
  orderRejected: message(
    'An order was rejected',
    'ORDER_REJECTED',
    { ...chain, payload: ending },
    {
      seq: 8,
      prev_seq: 7,
      ts: SAMPLE_TS,
      payload: {
        orderId: '1000001-3-t7Uv8Wx9Yz',
        executedQty: 0,
        remainingQty: 10,
        reason: 'funds_insufficient',
      },
    },
  ),
  status: message(
    'The event changed status',
    'status',
    { ...chain, status: eventStatus, outcome: answerField.outcome.optional() },
    { seq: 9, prev_seq: 8, ts: SAMPLE_TS, status: 'resolved', outcome: 'yes' },
  ),
}

function message(summary: string, type: string, fields: z.ZodRawShape, sample: object): SocketMessage {
  const data = z.object({ type: z.literal(type), ...fields })
  const schema = z.object({ event: z.string().regex(/^event_orderbook_\d{7}$/), data })
  return { summary, schema, samples: { [type]: { event: CHANNEL, data: { type, ...sample } } } }
}
