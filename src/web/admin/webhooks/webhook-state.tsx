import type { Webhook, WebhookFormat } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-webhooks.js'

const TONES = {
  on: 'status-good',
  disabled: '',
  gone: 'status-warn',
  failing: 'status-warn',
  unreadable: 'status-warn',
}

/** Names a chat like its format, with a capital; these are names in every language. */
export function formatName(format: WebhookFormat): string {
  return format === 'standard' ? t.standardFormat : `${format.slice(0, 1).toUpperCase()}${format.slice(1)}`
}

/** Says whether a webhook is sent anything. */
export function StateTag({ state }: Pick<Webhook, 'state'>) {
  return <span class={`tag ${TONES[state]}`}>{t.states[state]}</span>
}

/** Returns how many batches of the journal a webhook has not received yet. */
export function behindText({ last_sequence, reached_sequence }: Webhook): string {
  const count = Math.max(0, last_sequence - reached_sequence)
  return count === 0 ? t.upToDate : t.batches(count, countText(count))
}

export function nextAttemptText({ next_attempt_at }: Webhook): string {
  return next_attempt_at === null ? t.none : dayTimeText(next_attempt_at)
}
