import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { webhookRoutes } from '../../api/operator/webhook-routes.js'
import type { DeliveryAnswer, WebhookAnswer, WebhookSecretAnswer } from '../../api/operator/webhook-schema.js'
import { webhookEditSchema, webhookReplaySchema, webhookSchema } from '../../api/operator/webhook-schema.js'
import type { WebhookDelivery } from '../../api/operator/webhook-shape.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { WebhookAttempt } from '../../site/webhook-deliveries.js'
import type { Refused } from '../../webhooks/deliverer.js'
import type { ShownEndpoint, Webhooks, WithSecret } from '../../webhooks/webhooks.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { byOf } from '../routing/needs.js'

/** Lets operators keep webhooks. */
export function webhookHandlers(webhooks: Webhooks): Binding[] {
  const checkUrl = (url: string | undefined) => {
    const fault = url === undefined ? undefined : webhooks.urlFault(url)
    if (fault !== undefined) throw new ApiError(422, fault)
  }
  const checkOpen = () => {
    if (!webhooks.isOpen) throw new ApiError(503, REFUSED.siteClosed, 'site_closed')
  }
  return [
    handle(webhookRoutes.listWebhooks, call =>
      success(call, 200, DONE.webhooksFetched, { webhooks: webhooks.all().map(viewOf) }),
    ),
    handle(webhookRoutes.getWebhook, call =>
      success(call, 200, DONE.webhookFetched, viewOf(unlessMissing(webhooks.find(call.params.webhook)))),
    ),
    handle(webhookRoutes.createWebhook, async call => {
      const body = validate(webhookSchema, await readJson(call))
      checkUrl(body.url)
      checkOpen()
      const { url, events, format = 'standard' } = body
      const made = unlessRefused(await webhooks.create({ url, events, format }, byOf(call)))
      if (made === 'webhooks_full') throw new ApiError(409, REFUSED.webhooksFull, 'webhooks_full')
      return success(call, 201, DONE.webhookCreated, secretView(made))
    }),
    handle(webhookRoutes.editWebhook, async call => {
      const body = validate(webhookEditSchema, await readJson(call))
      unlessMissing(webhooks.find(call.params.webhook))
      checkUrl(body.url)
      checkOpen()
      const edited = unlessRefused(await webhooks.edit(call.params.webhook, body, byOf(call)))
      return success(call, 200, DONE.webhookEdited, viewOf(unlessMissing(edited)))
    }),
    handle(webhookRoutes.deleteWebhook, async call => {
      checkOpen()
      unlessMissing(unlessRefused(await webhooks.remove(call.params.webhook, byOf(call))))
      return success(call, 200, DONE.webhookDeleted)
    }),
    ...replayHandlers(webhooks, checkOpen),
  ]
}

/** Sends once more, or under a new secret, and shows what was sent. */
function replayHandlers(webhooks: Webhooks, checkOpen: () => void): Binding[] {
  return [
    handle(webhookRoutes.testWebhook, async call => {
      const made = await unlessMissing(webhooks.test(call.params.webhook))
      if (made === 'webhook_unreadable') throw new ApiError(409, REFUSED.webhookUnreadable, made)
      return success(call, 200, DONE.webhookTested, deliveryView(made))
    }),
    handle(webhookRoutes.rotateWebhook, async call => {
      checkOpen()
      const rotated = unlessMissing(unlessRefused(await webhooks.rotate(call.params.webhook, byOf(call))))
      return success(call, 200, DONE.webhookRotated, secretView(rotated))
    }),
    handle(webhookRoutes.replayWebhook, async call => {
      const { from_sequence } = validate(webhookReplaySchema, await readJson(call))
      checkOpen()
      const { webhook } = call.params
      const replayed = unlessMissing(unlessRefused(await webhooks.replay(webhook, from_sequence, byOf(call))))
      if (replayed === 'unreached') throw new ApiError(422, REFUSED.sequenceUnreached)
      return success(call, 200, DONE.webhookReplayed, viewOf(replayed))
    }),
    handle(webhookRoutes.listDeliveries, call => {
      const { stored } = unlessMissing(webhooks.find(call.params.webhook))
      const deliveries = webhooks.attempts(stored.id).map(deliveryView)
      return success(call, 200, DONE.deliveriesFetched, { deliveries })
    }),
  ]
}

function viewOf(shown: ShownEndpoint): WebhookAnswer {
  const { stored, state, reached, lastSequence, failures, dueAt } = shown
  const { id, shown: url, fingerprint, createdAt, oldUntil } = stored
  return {
    ...{ webhook: id, url, fingerprint, state },
    events: stored.events as WebhookAnswer['events'],
    format: stored.format as WebhookAnswer['format'],
    created_at: new Date(createdAt).toISOString(),
    old_secret_until: oldUntil === null ? null : new Date(oldUntil).toISOString(),
    ...{ reached_sequence: reached, last_sequence: lastSequence, failures },
    next_attempt_at: state === 'on' && failures > 0 ? new Date(dueAt).toISOString() : null,
  }
}

function secretView({ endpoint, secret }: WithSecret): WebhookSecretAnswer {
  return { ...viewOf(endpoint), secret }
}

function deliveryView({ message, kind, at, ms, status, answer }: WebhookAttempt): DeliveryAnswer {
  const event = kind as WebhookDelivery['event']
  return { message, event, at: new Date(at).toISOString(), ms, status, answer }
}

/** Throws 404 for a webhook that does not exist. */
function unlessMissing<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError(404, REFUSED.webhookNotFound, 'webhook_not_found')
  return found
}

/** Throws 503 for a change that the journal has no room for. */
function unlessRefused<Made>(made: Made | Refused): Exclude<Made, Refused> {
  if (made === 'disk_low' || made === 'disk_full' || made === 'not_leader') throw busy(made as Refused)
  return made as Exclude<Made, Refused>
}
