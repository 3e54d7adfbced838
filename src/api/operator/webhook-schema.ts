import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { Webhook, WebhookDelivery, WebhookWithSecret } from './webhook-shape.js'
import { WEBHOOK_EVENTS, WEBHOOK_FORMATS, WEBHOOK_STATES } from './webhook-shape.js'

/** Of the address of a webhook. */
const URL_LENGTH_MAX = 2048

const event = z.enum(WEBHOOK_EVENTS)
const fields = {
  url: z
    .string()
    .max(URL_LENGTH_MAX, `Expected at most ${URL_LENGTH_MAX} characters`)
    .meta({ description: 'https, port 443 or 8443, at a public address. Path and query are never shown' }),
  events: z
    .array(event)
    .min(1, 'Expected at least one event')
    .max(WEBHOOK_EVENTS.length, 'Expected each event once')
    .refine(events => new Set(events).size === events.length, 'Expected each event once')
    .meta({ description: 'The kinds of events that it gets' }),
  format: z.enum(WEBHOOK_FORMATS).optional().meta({ description: 'standard by default' }),
}

/** The body of `POST /webhooks`. */
export const webhookSchema = z.strictObject(fields).meta({ id: 'NewWebhook' })

/** The body of `PATCH /webhooks/:webhook`. */
export const webhookEditSchema = z
  .strictObject({
    ...fields,
    is_enabled: z
      .boolean()
      .meta({ description: 'false sends nothing and keeps its place; true goes on from there, at once' }),
  })
  .partial()
  .meta({ id: 'WebhookEdit' })

const SEQUENCE = 'Expected the number of a batch from 1 to the next one'

/** The body of `POST /webhooks/:webhook/replay`. */
export const webhookReplaySchema = z
  .strictObject({
    from_sequence: z
      .int(SEQUENCE)
      .min(1, SEQUENCE)
      .meta({ description: 'The first batch that is sent again' }),
  })
  .meta({ id: 'WebhookReplay' })

const { moment } = answerField
const count = z.int().min(0)

export const webhookAnswer = z
  .object({
    webhook: z.string().meta({ examples: ['wh_5dXeq0Pl2k8J'] }),
    url: z.string().meta({ description: 'Without path and query, which may be secret' }),
    fingerprint: z.string().meta({ description: 'Tells one address from another' }),
    events: z.array(event),
    format: z.enum(WEBHOOK_FORMATS),
    state: z.enum(WEBHOOK_STATES).meta({
      description:
        'on; disabled by an operator; gone: the receiver answered 410; failing: ten attempts failed; ' +
        'unreadable: this exchange has no key for its address',
    }),
    created_at: moment,
    old_secret_until: moment
      .nullable()
      .meta({ description: 'Until when requests have a signature by the secret before as well' }),
    reached_sequence: count.meta({ description: 'Everything up to this batch of the journal is received' }),
    last_sequence: count.meta({ description: 'The last batch of the journal' }),
    failures: count.meta({ description: 'Failed attempts of the next message' }),
    next_attempt_at: moment.nullable(),
  })
  .meta({ id: 'Webhook' })

export const webhookSecretAnswer = webhookAnswer
  .extend({
    secret: z.string().meta({ description: 'Signs its requests. It is shown this once' }),
  })
  .meta({ id: 'WebhookWithSecret' })

export const webhooksAnswer = z.object({ webhooks: z.array(webhookAnswer) })

export const deliveryAnswer = z
  .object({
    message: z.string().meta({ description: 'The id of the message, the same at each attempt' }),
    event: z.enum([...WEBHOOK_EVENTS, 'test']),
    at: moment,
    ms: count,
    status: z.int().nullable().meta({ description: 'Of the answer; null without one' }),
    answer: z.string().meta({
      description: 'The beginning of an answer other than 2xx, or why no answer came',
    }),
  })
  .meta({ id: 'WebhookDelivery' })

export const deliveriesAnswer = z.object({ deliveries: z.array(deliveryAnswer) })

export type WebhookAnswer = Checked<Webhook, Same<Webhook, z.output<typeof webhookAnswer>>>
export type WebhookSecretAnswer = Checked<
  WebhookWithSecret,
  Same<WebhookWithSecret, z.output<typeof webhookSecretAnswer>>
>
export type DeliveryAnswer = Checked<WebhookDelivery, Same<WebhookDelivery, z.output<typeof deliveryAnswer>>>
