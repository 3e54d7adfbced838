import type { Rest } from './rest.js'
import type { Webhook, WebhookDelivery, WebhookEdit, WebhookRequest, WebhookWithSecret } from './shapes.js'

/** Calls about webhooks, for operators. */
export class Webhooks {
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>

  /** @param headers sent with each call, if it is not the client's own token */
  constructor(rest: Rest, headers: Readonly<Record<string, string>>) {
    this.#rest = rest
    this.#headers = headers
  }

  async fetchWebhooks(): Promise<readonly Webhook[]> {
    return (await this.#call<{ webhooks: readonly Webhook[] }>('GET', '')).webhooks
  }

  fetchWebhook(webhook: string): Promise<Webhook> {
    return this.#call('GET', at(webhook))
  }

  /** Creates a webhook; only this answer and that of `rotate` have its secret. */
  create(body: WebhookRequest): Promise<WebhookWithSecret> {
    return this.#call('POST', '', body)
  }

  /** Edits, disables or enables a webhook; omitted fields stay as they are. */
  edit(webhook: string, body: WebhookEdit): Promise<Webhook> {
    return this.#call('PATCH', at(webhook), body)
  }

  async delete(webhook: string): Promise<void> {
    await this.#call('DELETE', at(webhook))
  }

  /** Sends a test event and returns how it was received: after 15 seconds at most. */
  test(webhook: string): Promise<WebhookDelivery> {
    return this.#call('POST', at(webhook, '/test'))
  }

  /** Gives a webhook a new secret; requests have signatures by both for 24 hours. */
  rotate(webhook: string): Promise<WebhookWithSecret> {
    return this.#call('POST', at(webhook, '/rotate'))
  }

  /** Sends everything from a batch of the journal on again. */
  replay(webhook: string, body: { readonly from_sequence: number }): Promise<Webhook> {
    return this.#call('POST', at(webhook, '/replay'), body)
  }

  /** Returns the last 100 attempts, newest first. */
  async fetchDeliveries(webhook: string): Promise<readonly WebhookDelivery[]> {
    const path = at(webhook, '/deliveries')
    return (await this.#call<{ deliveries: readonly WebhookDelivery[] }>('GET', path)).deliveries
  }

  #call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
    return this.#rest.call({ method, path: `/webhooks${path}`, body, headers: this.#headers })
  }
}

const at = (webhook: string, action = '') => `/${encodeURIComponent(webhook)}${action}`
