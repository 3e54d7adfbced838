import { z } from 'zod'
import { answerField } from '../../api/fields.js'
import { LIMITS } from '../../api/limits.js'
import { refusalReason } from '../../api/orders/order-reason.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { connectionReplies, connectionRequests } from './connection-messages.js'
import type { SocketMessage } from './socket-message.js'
import { messageId as id, reply, SAMPLE_TS } from './socket-message.js'

const fromSeq = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'The last seq you received: replays later messages, if still in memory' })

const fromUserSeq = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'The last user_seq you received: replays all later messages' })

const code = z
  .union([answerField.eventCode, z.int()])
  .meta({ description: 'An event code, as text or number' })

const user = z
  .union([z.string().min(1).max(128), z.number()])
  .meta({ description: 'A user id; a number is taken as the text of its digits' })

/** Requests that a client may send, each in any of three notations (specification 12). */
export const requests: Readonly<Record<string, SocketMessage>> = {
  subscribeOrderbook: request('subscribe_orderbook', 'Subscribe to an event', code, '1000001', {
    from_seq: fromSeq,
  }),
  unsubscribeOrderbook: request('unsubscribe_orderbook', 'Unsubscribe from an event', code, '1000001'),
  subscribeUser: request('subscribe_user', 'Subscribe to the orders and balance of a user', user, 'asha', {
    from_seq: fromUserSeq,
  }),
  unsubscribeUser: request('unsubscribe_user', 'Unsubscribe from a user', user, 'asha'),
  ...connectionRequests,
}

const retryAfter = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'Milliseconds to wait before trying again, if waiting helps' })

const channel = z.string().optional().meta({ description: 'The channel name, for user channels' })

/** Replies to each request, and messages that the exchange sends unasked. */
export const replies: Readonly<Record<string, SocketMessage>> = {
  subscribed: reply('Subscribed', 'subscribed', { data: z.string(), channel, id }, [
    { data: '1000001', id: 1 },
    { data: 'asha', channel: 'user_asha', id: 2 },
  ]),
  unsubscribed: reply('Unsubscribed', 'unsubscribed', { data: z.string(), channel, id }, [
    { data: '1000001', id: 3 },
    { data: 'asha', channel: 'user_asha', id: 4 },
  ]),
  error: reply(
    'The request was refused; the connection stays open',
    'error',
    {
      id,
      retry_after_ms: retryAfter,
      data: z.object({
        status: z.literal(false),
        code: z.literal([400, 401, 403, 404, 409, 422, 429, 500, 503]),
        name: z.string(),
        message: z.string(),
      }),
      reason: refusalReason,
    },
    [
      {
        id: 5,
        data: { status: false, code: 404, name: 'Resource not found', message: REFUSED.eventNotFound },
        reason: 'event_not_found',
      },
      {
        data: { status: false, code: 400, name: 'Bad Request', message: REFUSED.malformedJson },
        reason: 'malformed_json',
      },
      {
        id: 6,
        data: { status: false, code: 422, name: 'Unprocessable entity', message: 'data: Required' },
        reason: 'validation',
      },
      {
        id: 7,
        data: {
          status: false,
          code: 429,
          name: 'Too Many Requests',
          message: `A connection follows at most ${LIMITS.channelsMax.events} events: open another`,
        },
        reason: 'channels_full',
      },
      {
        id: 8,
        retry_after_ms: 1050,
        data: {
          status: false,
          code: 429,
          name: 'Too Many Requests',
          message: 'Too much at once: try again in 1050 ms',
        },
        reason: 'too_many_requests',
      },
    ],
  ),
  ...connectionReplies,
  heartbeat: reply(
    'Sent every 20 seconds with the last number of each channel, to reveal missed messages',
    'heartbeat',
    {
      data: z.object({
        ts: z.int().meta({ description: 'Epoch milliseconds' }),
        seq: z
          .record(z.string(), z.int())
          .meta({ description: 'Same as seqs; every other seq is a number', deprecated: true }),
        seqs: z.record(z.string(), z.int()).meta({ description: 'The last seq sent, by event code' }),
        user_seq: z.record(z.string(), z.int()).meta({ description: 'The last user_seq, by user' }),
      }),
    },
    [{ data: { ts: SAMPLE_TS, seq: { 1000001: 42 }, seqs: { 1000001: 42 }, user_seq: { asha: 17 } } }],
  ),
}

function request(
  verb: string,
  summary: string,
  subject: z.ZodType,
  sample: string,
  more: z.ZodRawShape = {},
): SocketMessage {
  const rest = { ...more, id }
  const schema = z.union([
    z.object({ event: z.literal(verb), data: subject, ...rest }),
    z.object({ method: z.literal(verb), events: z.array(subject).min(1).max(100), ...rest }),
    z.tuple([z.literal(verb), subject]),
  ])
  const samples = {
    'with event and data': { event: verb, data: sample, id: 1, ...('from_seq' in more && { from_seq: 0 }) },
    'with method and events': { method: verb, events: [sample], id: 2 },
    'as an array': [verb, sample],
  }
  return { summary, schema, samples }
}
