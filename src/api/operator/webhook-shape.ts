/** The kinds of events that a webhook can ask for. */
export const WEBHOOK_EVENTS = [
  'created',
  'closing_soon',
  'moved',
  'halted',
  'resolved',
  'weekly_digest',
  'awaiting_result',
  'backup_failed',
  'verify_failed',
  'disk_low',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** How messages are written: as data, or for a chat. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'teams', 'telegram'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/**
 * `on`, or why nothing is sent: an operator disabled it, the receiver answered 410, ten attempts failed, or
 * this exchange has no key for its address.
 */
export const WEBHOOK_STATES = ['on', 'disabled', 'gone', 'failing', 'unreadable'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** A server that hears what happens. */
export interface Webhook {
  readonly webhook: string
  /** Without path and query, which may be secret. */
  readonly url: string
  /** Tells one address from another. */
  readonly fingerprint: string
  readonly events: readonly WebhookEvent[]
  readonly format: WebhookFormat
  readonly state: WebhookState
  readonly created_at: string
  /** Until when requests have a signature by the secret before as well. */
  readonly old_secret_until: string | null
  /** The batch of the journal up to which everything has been received, and the last batch. */
  readonly reached_sequence: number
  readonly last_sequence: number
  /** Failed attempts of the next message, and when it is tried again. */
  readonly failures: number
  readonly next_attempt_at: string | null
}

/** A webhook with its secret, which is shown this once. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}

/** A webhook to create. */
export interface WebhookRequest {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly format?: WebhookFormat
}

/** The fields of a webhook to change. */
export interface WebhookEdit {
  readonly url?: string | undefined
  readonly events?: readonly WebhookEvent[] | undefined
  readonly format?: WebhookFormat | undefined
  readonly is_enabled?: boolean | undefined
}

/** One attempt to deliver a message. */
export interface WebhookDelivery {
  /** The id of the message, the same at each attempt. */
  readonly message: string
  readonly event: WebhookEvent | 'test'
  readonly at: string
  readonly ms: number
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The beginning of an answer other than 2xx, or why no answer came. */
  readonly answer: string
}
