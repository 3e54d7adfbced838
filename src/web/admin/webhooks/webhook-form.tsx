import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { WEBHOOK_EVENTS, WEBHOOK_FORMATS } from '../../../api/operator/webhook-shape.js'
import type { Webhook, WebhookEvent, WebhookFormat, WebhookRequest } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { t } from '../../texts/admin-webhooks.js'
import { useOperatorAction } from '../operator-action.js'
import { webhookFault } from './webhook-fault.js'
import { formatName } from './webhook-state.jsx'

const FIELDS = ['url', 'events']
const USUAL: readonly WebhookEvent[] = ['created', 'resolved']

interface WebhookFormProps {
  /** The webhook to edit, whose address stays if none is entered; without it, the form is for a new one. */
  readonly webhook?: Webhook
  readonly doIt: string
  /** Sends what was entered, without an address that stays. */
  readonly onSubmit: (entered: Omit<WebhookRequest, 'url'> & { readonly url?: string }) => Promise<void>
}

/** The fields of a webhook. */
export function WebhookForm({ webhook, doIt, onSubmit }: WebhookFormProps) {
  const url = useSignal('')
  const format = useSignal<WebhookFormat>(webhook?.format ?? 'standard')
  const events = useSignal<ReadonlySet<WebhookEvent>>(new Set(webhook?.events ?? USUAL))
  const { fault, isBusy, refuse, run } = useOperatorAction(FIELDS, error => webhookFault(error, FIELDS))
  const submit = (event: Event) => {
    event.preventDefault()
    const address = url.value.trim()
    if (address === '' && webhook === undefined) return refuse({ field: 'url', words: t.urlMissing })
    if (events.value.size === 0) return refuse({ field: 'events', words: t.eventsMissing })
    const entered = {
      ...(address !== '' && { url: address }),
      ...{ events: [...events.value], format: format.value },
    }
    return run(async () => {
      await onSubmit(entered)
      url.value = ''
    })
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <div class="form-line form-line-texts">
        <FormField
          {...{ name: 'url', label: t.url, hint: webhook === undefined ? t.urlHint : t.urlEditHint }}
          text={url}
          fault={fault}
        />
        <FormatField format={format} />
      </div>
      <EventTicks events={events} fault={fault} />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}

function FormatField({ format }: { readonly format: Signal<WebhookFormat> }) {
  return (
    <div class="form-field">
      <label for="field-format">{t.format}</label>
      <select
        id="field-format"
        class="field"
        value={format.value}
        onChange={event => {
          format.value = event.currentTarget.value as WebhookFormat
        }}
      >
        {WEBHOOK_FORMATS.map(value => (
          <option key={value} value={value}>
            {formatName(value)}
          </option>
        ))}
      </select>
    </div>
  )
}

interface EventTicksProps {
  readonly events: Signal<ReadonlySet<WebhookEvent>>
  readonly fault: FieldFault | undefined
}

function EventTicks({ events, fault }: EventTicksProps) {
  const turn = (event: WebhookEvent) => {
    const next = new Set(events.value)
    if (!next.delete(event)) next.add(event)
    events.value = next
  }
  return (
    <fieldset class="ticks webhook-events">
      <legend>{t.events}</legend>
      {WEBHOOK_EVENTS.map(event => (
        <label key={event} class="tick">
          <input type="checkbox" checked={events.value.has(event)} onChange={() => turn(event)} />
          <span>{t.eventNames[event]}</span>
        </label>
      ))}
      {fault?.field === 'events' && (
        <p class="note fault" role="alert">
          {fault.words}
        </p>
      )}
    </fieldset>
  )
}
