import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Reply } from './message.js'

const channel = z.string().optional().meta({ description: 'The channel name, for user channels' })

export const subscribed: Reply = {
  event: 'subscribed',
  says: 'Subscribed',
  fields: { data: z.string(), channel },
  samples: [
    { data: '1000001', id: 1 },
    { data: 'asha', channel: 'user_asha', id: 2 },
  ],
}

export const unsubscribed: Reply = {
  event: 'unsubscribed',
  says: 'Unsubscribed',
  fields: { data: z.string(), channel },
  samples: [
    { data: '1000001', id: 3 },
    { data: 'asha', channel: 'user_asha', id: 4 },
  ],
}

export const authenticated: Reply = {
  event: 'authenticated',
  says: 'Authenticated',
  fields: {
    data: z.object({
      userid: z.string().nullable().meta({ description: 'The user it acts for; null for the operator' }),
      role: z.string().nullable(),
      scopes: z.array(z.string()),
      expires_at: answerField.moment
        .nullable()
        .meta({ description: 'When the connection will be closed unless it authenticates again' }),
    }),
  },
  samples: [
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
}

export const cancelOnDisconnectSet: Reply = {
  event: 'cancel_on_disconnect_set',
  says: 'The orders that will be cancelled when the connection ends',
  fields: {
    data: z.object({
      userid: z.string(),
      events: z.array(answerField.eventCode).nullable().meta({ description: 'null for all events' }),
    }),
  },
  samples: [
    { data: { userid: 'asha', events: ['1000001'] }, id: 1 },
    { data: { userid: 'asha', events: null }, id: 2 },
  ],
}
