import { z } from 'zod'
import type { AnyMessage } from '../../api/channels/messages.js'
import { refusalsOf } from '../../api/channels/message.js'
import type { ErrorCode } from '../../api/errors.js'
import { LIMITS } from '../../api/limits.js'
import { refusalReason } from '../../api/orders/order-reason.js'
import type { DoorReason } from '../../api/reasons.js'
import { REFUSAL_REASONS } from '../../api/reasons.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { SocketMessage } from './socket-message.js'
import { messageId as id, reply, SAMPLE_TS } from './socket-message.js'
import { documentName } from './socket-requests.js'

const retryAfter = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'Milliseconds to wait before trying again, if waiting helps' })

/** Sent unasked. */
const heartbeat = reply(
  'Sent every 20 seconds with the last number of each channel, to reveal missed messages',
  'heartbeat',
  {
    data: z.object({
      ts: z.int().meta({ description: 'Epoch milliseconds' }),
      seq: z
        .record(z.string(), z.int())
        .meta({ description: 'Same as seqs; every other seq is a number', deprecated: true }),
      seqs: z
        .record(z.string(), z.int())
        .meta({ description: 'The last seq sent, by the code of an event or a group' }),
      user_seq: z.record(z.string(), z.int()).meta({ description: 'The last user_seq, by user' }),
    }),
  },
  [{ data: { ts: SAMPLE_TS, seq: { 1000001: 42 }, seqs: { 1000001: 42 }, user_seq: { asha: 17 } } }],
)

/** Describes the replies to messages, and what the exchange sends to one client unasked. */
export function repliesTo(messages: readonly AnyMessage[]): Readonly<Record<string, SocketMessage>> {
  const answers = new Set(messages.map(({ answer }) => answer))
  const named = [...answers].map(({ event, says, fields, samples }) => [
    documentName(event),
    reply(says, event, { ...fields, id }, samples),
  ])
  return {
    ...(Object.fromEntries(named) as Record<string, SocketMessage>),
    error: errorOf(messages),
    heartbeat,
  }
}

function errorOf(messages: readonly AnyMessage[]): SocketMessage {
  const reasons = new Set(messages.flatMap(refusalsOf))
  const codes = [...reasons].map(reason => REFUSAL_REASONS[reason as DoorReason][0])
  const data = z.object({
    status: z.literal(false),
    code: z.literal([...new Set<ErrorCode>(codes)].sort((a, b) => a - b)),
    name: z.string(),
    message: z.string(),
  })
  return reply(
    'The request was refused; the connection stays open',
    'error',
    { id, retry_after_ms: retryAfter, data, reason: refusalReason },
    ERROR_SAMPLES,
  )
}

const ERROR_SAMPLES = [
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
      message: `A connection follows at most ${LIMITS.channelsMax.events} events and groups: open another`,
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
]
