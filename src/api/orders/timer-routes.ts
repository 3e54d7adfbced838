import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import type { Checked, Same } from '../same-shape.js'
import { userIdField } from '../user-id.js'
import type { CancelTimer } from './timer-shape.js'

const { timerSecondsMin: MIN, timerSecondsMax: MAX } = LIMITS
const TIMEOUT = `Expected 0, or ${MIN} to ${MAX}`
const EVENTS = `Expected 1 to ${LIMITS.channelNamesMax} event codes`

/** The body of `POST /order/cancel-after`. */
export const cancelAfterSchema = z
  .strictObject({
    timeout_s: z
      .number()
      .refine(seconds => seconds === 0 || (seconds >= MIN && seconds <= MAX), TIMEOUT)
      .meta({ description: `Seconds from now, ${MIN} to ${MAX}; 0 switches the timer off` }),
    events: z
      .array(z.string())
      .min(1, EVENTS)
      .max(LIMITS.channelNamesMax, EVENTS)
      .optional()
      .meta({ description: 'The events whose orders it cancels; all by default' }),
    userid: userIdField,
  })
  .meta({ id: 'NewCancelTimer' })

export const timerAnswer = z
  .object({
    userid: z.string(),
    ends_at: answerField.moment.nullable().meta({ description: 'null if it is off' }),
    events: z.array(answerField.eventCode).nullable().meta({ description: 'null for all events' }),
  })
  .meta({ id: 'CancelTimer' })

export type TimerAnswer = Checked<CancelTimer, Same<CancelTimer, z.output<typeof timerAnswer>>>

export const timerSample = { userid: 'asha', ends_at: '2026-02-01T10:30:30.000Z', events: ['1000001'] }

/** A user's timer that cancels orders. */
export const timerRoutes = {
  cancelAfter: route({
    id: 'cancelAfter',
    method: 'POST',
    path: '/order/cancel-after',
    needs: 'trade',
    cost: { kind: 'cancels', points: 1 },
    group: 'Orders',
    summary: 'Cancel the orders of a user unless this is repeated in time',
    description:
      'Replaces the timer of the user and its events, on disk before the answer. When it ends, the orders ' +
      'that arrived before are cancelled with the reason `timer_ended`.',
    body: {
      schema: cancelAfterSchema,
      samples: {
        'one event': { timeout_s: 30, events: ['1000001'], userid: 'asha' },
        off: { timeout_s: 0, userid: 'asha' },
      },
    },
    answers: [
      {
        code: 200,
        message: DONE.timerSet,
        additional: timerAnswer,
        samples: {
          set: { additional: timerSample },
        },
      },
    ],
    refusals: {
      404: [REFUSED.eventNotFound],
      409: [FULL.accounts_full],
      422: [`timeout_s: ${TIMEOUT}`, `events: ${EVENTS}`, 'userid: Required'],
      503: [FULL.queue_full],
    },
  }),
}
