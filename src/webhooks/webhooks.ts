import { newSecret } from '../access/secrets.js'
import type { StoredWebhook, WebhookChange } from '../access/accounts/stored-webhooks.js'
import type { WebhookEdit, WebhookRequest, WebhookState } from '../api/operator/webhook-shape.js'
import type { NoteWebhook } from '../core/note.js'
import type { By } from '../core/signed.js'
import type { WebhookAttempt } from '../site/webhook-deliveries.js'
import type { DelivererOptions, Refused } from './deliverer.js'
import { Deliverer } from './deliverer.js'
import { maskedUrl, urlFault } from './endpoint-url.js'
import { BATCH_END, NOTICES_FROM } from './journal-feed.js'
import { newWebhookSecret } from './webhook-secret.js'

const WEBHOOKS_MAX = 20
const ID_LENGTH = 15
/** How long requests have signatures by the old secret as well. */
const ROTATION_MS = 24 * 3_600_000

/** An endpoint as operators see it. */
export interface ShownEndpoint {
  readonly stored: StoredWebhook
  readonly state: WebhookState
  /** The last batch of which it has received everything. */
  readonly reached: number
  readonly lastSequence: number
  readonly failures: number
  readonly dueAt: number
}

/** An endpoint with its secret, which is shown once. */
export interface WithSecret {
  readonly endpoint: ShownEndpoint
  readonly secret: string
}

/** Lets operators keep the endpoints of webhooks. Each change is in the journal first. */
export class Webhooks {
  readonly deliverer: Deliverer
  readonly #options: DelivererOptions

  constructor(options: DelivererOptions) {
    this.#options = options
    this.deliverer = new Deliverer(options)
  }

  /** False while one of the files must not be changed. */
  get isOpen(): boolean {
    return this.#options.mayWrite()
  }

  all(): ShownEndpoint[] {
    return this.#options.endpoints.stored.all().map(stored => this.#shown(stored))
  }

  find(id: string): ShownEndpoint | undefined {
    const stored = this.#options.endpoints.stored.find(id)
    return stored && this.#shown(stored)
  }

  /** Returns why no webhook may have an address. */
  urlFault(url: string): string | undefined {
    return urlFault(url, this.#options.allowed())
  }

  /** Creates an endpoint, which hears what happens from now on. */
  async create(
    { url, events, format = 'standard' }: WebhookRequest,
    by: By,
  ): Promise<WithSecret | 'webhooks_full' | Refused> {
    const { endpoints, exchange, now } = this.#options
    if (this.#isFull) return 'webhooks_full'
    const id = newSecret('wh_').slice(0, ID_LENGTH)
    const secret = newWebhookSecret()
    const sealed = endpoints.sealed(id, url)
    const { shown, fingerprint } = sealed
    const fields = { webhook: id, url: shown, fingerprint, events: events.join(', '), format }
    const refused = await this.#note('CREATE_WEBHOOK', { id, fingerprint }, { ...by, fields })
    // Others may have been created meanwhile.
    if (refused !== undefined || this.#isFull) return refused ?? 'webhooks_full'
    const since = exchange.lastSequence()
    endpoints.stored.add({
      ...{ id, ...sealed, secret: endpoints.sealing.seal(id, 'secret', secret), events, format },
      ...{ oldSecret: null, oldUntil: null, disabled: null, since, reached: since },
      ...{ createdAt: now(), createdBy: by.who },
    })
    const position = NOTICES_FROM + endpoints.notices.lastId
    endpoints.deliveries.put(id, { sequence: since, position, failures: 0, dueAt: 0 })
    return { endpoint: this.#known(id), secret }
  }

  /** Changes an endpoint; resolves to undefined if there is none. */
  async edit(id: string, edit: WebhookEdit, by: By): Promise<ShownEndpoint | Refused | undefined> {
    const { endpoints } = this.#options
    const found = endpoints.stored.find(id)
    if (found === undefined) return undefined
    const { url, events, format, is_enabled: isEnabled } = edit
    const change: WebhookChange = {
      ...(url !== undefined && endpoints.sealed(id, url)),
      ...(events !== undefined && { events }),
      ...(format !== undefined && { format }),
      ...(isEnabled !== undefined && { disabled: isEnabled ? null : 'operator' }),
    }
    const fields = {
      webhook: id,
      ...(url !== undefined && { url: maskedUrl(url), fingerprint: change.fingerprint }),
      ...(events !== undefined && { events: events.join(', ') }),
      ...(format !== undefined && { format }),
      ...(isEnabled !== undefined && { state: isEnabled ? 'on' : 'disabled' }),
    }
    const type = isEnabled === false ? 'DISABLE_WEBHOOK' : 'EDIT_WEBHOOK'
    const refused = await this.#note(type, { ...found, ...change }, { ...by, fields })
    if (refused !== undefined) return refused
    const before = endpoints.stored.find(id)
    if (before === undefined) return undefined
    const place = endpoints.placeOf(before)
    // New kinds begin where the endpoint is: what was passed over stays so.
    const reached = events === undefined ? 0 : this.deliverer.reachedBy(before)
    const further = reached > place.sequence ? { sequence: reached, position: BATCH_END } : {}
    const isFresh = isEnabled === true || url !== undefined
    endpoints.deliveries.put(id, { ...place, ...further, ...(isFresh && { failures: 0, dueAt: 0 }) })
    endpoints.stored.change(id, change)
    this.deliverer.restart(id)
    return this.#known(id)
  }

  /** Deletes an endpoint; resolves to undefined if there is none. */
  async remove(id: string, by: By): Promise<true | Refused | undefined> {
    const { endpoints } = this.#options
    const found = endpoints.stored.find(id)
    if (found === undefined) return undefined
    const { fingerprint, shown: url } = found
    const refused = await this.#note('DELETE_WEBHOOK', found, {
      ...by,
      fields: { webhook: id, url, fingerprint },
    })
    if (refused !== undefined) return refused
    endpoints.remove(id)
    return true
  }

  /** Gives an endpoint a new secret beside its old one. */
  async rotate(id: string, by: By): Promise<WithSecret | Refused | undefined> {
    const { endpoints, now } = this.#options
    const { stored, sealing } = endpoints
    const found = stored.find(id)
    if (found === undefined) return undefined
    const fields = { webhook: id, secret: 'new' }
    const refused = await this.#note('EDIT_WEBHOOK', found, { ...by, fields })
    if (refused !== undefined) return refused
    const before = stored.find(id)
    if (before === undefined) return undefined
    const secret = newWebhookSecret()
    const isKept = sealing.open(id, 'secret', before.secret) !== undefined
    stored.change(id, {
      secret: sealing.seal(id, 'secret', secret),
      oldSecret: isKept ? before.secret : null,
      oldUntil: isKept ? now() + ROTATION_MS : null,
    })
    return { endpoint: this.#known(id), secret }
  }

  /** Sets an endpoint back, so that it gets everything from a batch on once more. */
  async replay(id: string, from: number, by: By): Promise<ShownEndpoint | 'unreached' | Refused | undefined> {
    const { endpoints, exchange } = this.#options
    const found = endpoints.stored.find(id)
    if (found === undefined) return undefined
    if (from > exchange.lastSequence() + 1) return 'unreached'
    const fields = { webhook: id, from_sequence: from }
    const refused = await this.#note('REPLAY_WEBHOOK', found, { ...by, fields })
    if (refused !== undefined) return refused
    const before = endpoints.stored.find(id)
    if (before === undefined) return undefined
    // First where a lost cursor begins: that is never behind the cursor.
    endpoints.stored.mark(id, Math.min(before.reached, from - 1))
    endpoints.deliveries.put(id, { sequence: from - 1, position: BATCH_END, failures: 0, dueAt: 0 })
    this.deliverer.restart(id)
    return this.#known(id)
  }

  /** Sends a test event at once. */
  test(id: string): Promise<WebhookAttempt> | 'webhook_unreadable' | undefined {
    const { endpoints } = this.#options
    const stored = endpoints.stored.find(id)
    const opened = stored && endpoints.open(stored)
    if (stored === undefined) return undefined
    return opened === undefined ? 'webhook_unreadable' : this.deliverer.test(stored, opened)
  }

  /** Returns the last attempts of an endpoint, newest first. */
  attempts(id: string): WebhookAttempt[] {
    return this.#options.endpoints.deliveries.attempts(id)
  }

  get #isFull(): boolean {
    return this.#options.endpoints.stored.all().length >= WEBHOOKS_MAX
  }

  #shown(stored: StoredWebhook): ShownEndpoint {
    const { endpoints, exchange } = this.#options
    const { failures, dueAt } = endpoints.placeOf(stored)
    const reached = this.deliverer.reachedBy(stored)
    const lastSequence = exchange.lastSequence()
    return { stored, state: this.#stateOf(stored), reached, lastSequence, failures, dueAt }
  }

  #stateOf(stored: StoredWebhook): WebhookState {
    if (stored.disabled === 'operator') return 'disabled'
    return this.#options.endpoints.open(stored) === undefined ? 'unreadable' : (stored.disabled ?? 'on')
  }

  #known(id: string): ShownEndpoint {
    const found = this.find(id)
    if (found === undefined) throw new Error('an endpoint that was just written is gone')
    return found
  }

  #note(
    type: NoteWebhook['type'],
    { id, fingerprint }: Pick<StoredWebhook, 'id' | 'fingerprint'>,
    by: By,
  ): Promise<Refused | undefined> {
    return this.#options.exchange.note({ type, webhook: id, fingerprint, by })
  }
}
