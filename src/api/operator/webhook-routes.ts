import { DONE } from '../answer-texts.js'
import { REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import { samples } from '../samples.js'
import {
  deliveriesAnswer,
  deliveryAnswer,
  webhookAnswer,
  webhookEditSchema,
  webhookReplaySchema,
  webhookSchema,
  webhookSecretAnswer,
  webhooksAnswer,
} from './webhook-schema.js'

const request = { url: 'https://hooks.example.org/raay', events: ['created', 'resolved'] }
const webhook = {
  ...{ webhook: 'wh_5dXeq0Pl2k8J', url: 'https://hooks.example.org/…', fingerprint: '5f2b8c0d9e41' },
  ...{ events: request.events, format: 'standard', state: 'on', created_at: samples.at },
  ...{ old_secret_until: null, reached_sequence: 4021, last_sequence: 4021 },
  ...{ failures: 0, next_attempt_at: null },
}
const withSecret = { ...webhook, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }
const delivery = {
  ...{ message: 'evt_4021_0', event: 'created', at: samples.at, ms: 120, status: 503 },
  answer: 'Service Unavailable',
}
const NO_WEBHOOK = { 404: [REFUSED.webhookNotFound] }
const FAULTS = [
  'url: Expected https',
  'url: Expected port 443 or 8443',
  'url: Expected a public address, not one of this machine or network',
]

/** Webhooks: the exchange tells other servers what happens. */
export const webhookRoutes = {
  listWebhooks: route({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    needs: 'operator:read',
    group: 'Webhooks',
    summary: 'List the webhooks',
    answers: [
      {
        code: 200,
        message: DONE.webhooksFetched,
        additional: webhooksAnswer,
        samples: { one: { additional: { webhooks: [webhook] } } },
      },
    ],
    refusals: {},
  }),
  createWebhook: route({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'From then on its address gets a signed `POST` for each event of these kinds, in order, at least ' +
      'once: see the guide Webhooks. The answer has its secret, which is shown this once. There are 20 at ' +
      'most.',
    body: { schema: webhookSchema, samples: { standard: request } },
    answers: [
      {
        code: 201,
        message: DONE.webhookCreated,
        additional: webhookSecretAnswer,
        samples: { created: { additional: withSecret } },
      },
    ],
    refusals: { 409: [REFUSED.webhooksFull], 422: FAULTS },
  }),
  getWebhook: route({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:webhook',
    needs: 'operator:read',
    group: 'Webhooks',
    summary: 'Get a webhook',
    answers: [
      {
        code: 200,
        message: DONE.webhookFetched,
        additional: webhookAnswer,
        samples: { one: { additional: webhook } },
      },
    ],
    refusals: NO_WEBHOOK,
  }),
  editWebhook: route({
    id: 'editWebhook',
    method: 'PATCH',
    path: '/webhooks/:webhook',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Edit, disable or enable a webhook',
    description: 'Its secret and its place in the journal stay. It gets new kinds of events from there on.',
    body: { schema: webhookEditSchema, samples: { disable: { is_enabled: false } } },
    answers: [
      {
        code: 200,
        message: DONE.webhookEdited,
        additional: webhookAnswer,
        samples: { disabled: { additional: { ...webhook, state: 'disabled' } } },
      },
    ],
    refusals: { ...NO_WEBHOOK, 422: FAULTS },
  }),
  deleteWebhook: route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:webhook',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Delete a webhook',
    answers: [{ code: 200, message: DONE.webhookDeleted, samples: { deleted: {} } }],
    refusals: NO_WEBHOOK,
  }),
  testWebhook: route({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:webhook/test',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends one message at once, whatever the state of the webhook, and answers with how it was received: ' +
      'after 15 seconds at most.',
    answers: [
      {
        code: 200,
        message: DONE.webhookTested,
        additional: deliveryAnswer,
        samples: { received: { additional: { ...delivery, event: 'test', status: 204, answer: '' } } },
      },
    ],
    refusals: { ...NO_WEBHOOK, 409: [REFUSED.webhookUnreadable] },
  }),
  rotateWebhook: route({
    id: 'rotateWebhook',
    method: 'POST',
    path: '/webhooks/:webhook/rotate',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Give a webhook a new secret',
    description:
      'Requests have signatures by both secrets for 24 hours. The answer has the new one, which is shown ' +
      'this once.',
    answers: [
      {
        code: 200,
        message: DONE.webhookRotated,
        additional: webhookSecretAnswer,
        samples: { rotated: { additional: { ...withSecret, old_secret_until: samples.at } } },
      },
    ],
    refusals: NO_WEBHOOK,
  }),
  replayWebhook: route({
    id: 'replayWebhook',
    method: 'POST',
    path: '/webhooks/:webhook/replay',
    needs: 'operator:operate',
    group: 'Webhooks',
    summary: 'Send a webhook everything from a batch of the journal on again',
    description: 'The messages have the ids that they had, so that the receiver can tell them from new ones.',
    body: { schema: webhookReplaySchema, samples: { replay: { from_sequence: 3900 } } },
    answers: [
      {
        code: 200,
        message: DONE.webhookReplayed,
        additional: webhookAnswer,
        samples: { replayed: { additional: { ...webhook, reached_sequence: 3899 } } },
      },
    ],
    refusals: { ...NO_WEBHOOK, 422: [REFUSED.sequenceUnreached] },
  }),
  listDeliveries: route({
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/:webhook/deliveries',
    needs: 'operator:read',
    group: 'Webhooks',
    summary: 'List the last 100 attempts of a webhook, newest first',
    answers: [
      {
        code: 200,
        message: DONE.deliveriesFetched,
        additional: deliveriesAnswer,
        samples: { failed: { additional: { deliveries: [delivery] } } },
      },
    ],
    refusals: NO_WEBHOOK,
  }),
}
