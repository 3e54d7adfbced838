import { z } from 'zod'
import { answerField } from '../../api/fields.js'
import { LIMITS } from '../../api/limits.js'
import type { SocketMessage } from './socket-message.js'
import { messageId, reply } from './socket-message.js'

const SAMPLE_TOKEN = 'rs_q0Zr3t6w9zCfJNcRfUjXn2r5u8xADGKaPdSgVkYp3s'

const name = z.union([z.string().min(1).max(LIMITS.userIdLengthMax), z.number()])

/** Requests about the connection itself, in two notations. */
export const connectionRequests: Readonly<Record<string, SocketMessage>> = {
  authenticate: request(
    'authenticate',
    'Authenticate the connection, or extend its time',
    z.object({
      token: z.string().min(1).max(LIMITS.tokenLengthMax).meta({
        description: "A session, an API key, the operator's key or a token of the identity provider",
      }),
    }),
    { token: SAMPLE_TOKEN },
  ),
  cancelOnDisconnect: request(
    'cancel_on_disconnect',
    'Choose the orders to cancel when the connection ends',
    z.object({
      userid: name.optional().meta({ description: 'By default the caller; required in the mode open' }),
      events: z
        .array(z.union([answerField.eventCode, z.int()]))
        .max(LIMITS.channelNamesMax)
        .optional()
        .meta({ description: 'Event codes; all events if left out, none to cancel nothing any more' }),
    }),
    { userid: 'asha', events: ['1000001'] },
  ),
}

/** Replies to them. */
export const connectionReplies: Readonly<Record<string, SocketMessage>> = {
  authenticated: reply(
    'Authenticated',
    'authenticated',
    {
      data: z.object({
        userid: z.string().nullable().meta({ description: 'The user it acts for; null for the operator' }),
        role: z.string().nullable(),
        scopes: z.array(z.string()),
        expires_at: answerField.moment
          .nullable()
          .meta({ description: 'When the connection will be closed unless it authenticates again' }),
      }),
      id: messageId,
    },
    [
      {
        data: {
          userid: 'asha',
          role: 'trader',
          scopes: ['read', 'trade'],
          expires_at: '2026-02-01T10:31:00.000Z',
        },
        id: 1,
      },
    ],
  ),
  cancelOnDisconnectSet: reply(
    'The orders that will be cancelled when the connection ends',
    'cancel_on_disconnect_set',
    {
      data: z.object({
        userid: z.string(),
        events: z.array(answerField.eventCode).nullable().meta({ description: 'null for all events' }),
      }),
      id: messageId,
    },
    [
      { data: { userid: 'asha', events: ['1000001'] }, id: 1 },
      { data: { userid: 'asha', events: null }, id: 2 },
    ],
  ),
}

function request(verb: string, summary: string, data: z.ZodType, sample: object): SocketMessage {
  return {
    summary,
    schema: z.union([
      z.object({ event: z.literal(verb), data, id: messageId }),
      z.tuple([z.literal(verb), data]),
    ]),
    samples: { 'with event and data': { event: verb, data: sample, id: 1 }, 'as an array': [verb, sample] },
  }
}
