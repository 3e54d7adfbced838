import { z } from 'zod'
import { eventStatus } from '../../api/events/event-answer.js'
import { answerField } from '../../api/fields.js'
import type { SocketMessage } from './socket-message.js'
import { SAMPLE_TS } from './socket-message.js'

const { eventCode, price, outcome } = answerField

const seq = z.int().min(0).meta({ description: 'Sequence number on this channel' })
const ts = z.int().meta({ description: 'Epoch milliseconds' })
const outcomes = z.array(
  z.object({
    event_id: eventCode,
    status: eventStatus,
    outcome: outcome.nullable(),
    best_bid: price.nullable(),
    best_ask: price.nullable(),
    last_price: price.nullable(),
  }),
)

const INDIA = {
  event_id: '1000003',
  status: 'open',
  outcome: null,
  best_bid: 4.4,
  best_ask: 4.6,
  last_price: 4.5,
}
const AUSTRALIA = { ...INDIA, event_id: '1000004', best_bid: null, best_ask: null, last_price: null }

/** Messages of a group's channel, by `data.type`. Prices are absolute. */
export const groupMessages: Readonly<Record<string, SocketMessage>> = {
  groupSnapshot: message(
    'The prices of all outcomes: sent first, and again where `from_seq` is no longer known',
    'snapshot',
    { code: eventCode.meta({ description: 'The code of the group' }), seq, ts, outcomes },
    { code: '1000002', seq: 12, ts: SAMPLE_TS, outcomes: [INDIA, AUSTRALIA] },
  ),
  groupPrices: message(
    'The outcomes whose prices, status or result have changed, as they are now',
    'prices',
    {
      seq,
      prev_seq: z.int().min(0).meta({
        description: 'Number of the previous message; if it is not the last you received, you missed one',
      }),
      ts,
      outcomes,
    },
    { seq: 15, prev_seq: 12, ts: SAMPLE_TS, outcomes: [{ ...INDIA, best_ask: 4.5 }] },
  ),
}

function message(summary: string, type: string, fields: z.ZodRawShape, sample: object): SocketMessage {
  const data = z.object({ type: z.literal(type), ...fields })
  const schema = z.object({ event: z.string().regex(/^event_group_\d{7}$/), data })
  return { summary, schema, samples: { [type]: { event: 'event_group_1000002', data: { type, ...sample } } } }
}
