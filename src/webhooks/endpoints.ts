import type { StoredWebhook, StoredWebhooks } from '../access/accounts/stored-webhooks.js'
import type { WebhookCursor, WebhookDeliveries } from '../site/webhook-deliveries.js'
import type { WebhookNotices } from '../site/webhook-notices.js'
import { maskedUrl } from './endpoint-url.js'
import { BATCH_END } from './journal-feed.js'
import type { Sealing } from './sealing.js'

interface EndpointFiles {
  /** Endpoints and what they are sealed with: decisions. */
  readonly stored: StoredWebhooks
  readonly sealing: Sealing
  /** How far each has come: tables, not truth. */
  readonly deliveries: WebhookDeliveries
  readonly notices: WebhookNotices
  readonly now: () => number
}

/** An address with the secrets that sign what it is sent. */
export interface OpenedEndpoint {
  readonly url: string
  readonly secrets: readonly string[]
}

/** The endpoints as they are in both files. */
export class Endpoints {
  readonly stored: StoredWebhooks
  readonly deliveries: WebhookDeliveries
  readonly sealing: Sealing
  readonly notices: WebhookNotices
  readonly #now: () => number

  constructor({ stored, deliveries, sealing, notices, now }: EndpointFiles) {
    this.notices = notices
    this.stored = stored
    this.deliveries = deliveries
    this.sealing = sealing
    this.#now = now
  }

  /** Decrypts an endpoint; undefined if that takes another key. */
  open({ id, address, secret, oldSecret, oldUntil }: StoredWebhook): OpenedEndpoint | undefined {
    const url = this.sealing.open(id, 'address', address)
    const current = this.sealing.open(id, 'secret', secret)
    if (url === undefined || current === undefined) return undefined
    const isOldValid = oldSecret !== null && oldUntil !== null && this.#now() < oldUntil
    const old = isOldValid ? this.sealing.open(id, 'secret', oldSecret) : undefined
    return { url, secrets: old === undefined ? [current] : [current, old] }
  }

  /** Returns the columns of an address. */
  sealed(id: string, url: string): Pick<StoredWebhook, 'address' | 'shown' | 'fingerprint'> {
    const fingerprint = this.sealing.fingerprint(url)
    return { address: this.sealing.seal(id, 'address', url), shown: maskedUrl(url), fingerprint }
  }

  /** Returns how far an endpoint has come. Where that is lost, it repeats rather than skips. */
  placeOf({ id, since, reached }: StoredWebhook): WebhookCursor {
    const lost = { sequence: Math.max(since, reached), position: BATCH_END, failures: 0, dueAt: 0 }
    return this.deliveries.cursor(id) ?? lost
  }

  /** Sets those back that are beyond the end of a restored journal: what it says next is new. */
  setBack(lastSequence: number): void {
    this.notices.setBack(lastSequence)
    for (const endpoint of this.stored.all()) {
      const { id, reached } = endpoint
      const place = this.placeOf(endpoint)
      if (reached > lastSequence) this.stored.mark(id, lastSequence)
      if (place.sequence <= lastSequence) continue
      this.deliveries.put(id, { ...place, sequence: lastSequence, position: BATCH_END })
    }
  }

  remove(id: string): void {
    this.stored.remove(id)
    this.deliveries.remove(id)
  }
}
