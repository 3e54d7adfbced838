import { useSignal } from '@preact/signals'
import type { Market } from '../../../client/client.js'
import { FormFoot } from '../../forms/form-foot.jsx'
import { t } from '../../texts/admin-events.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'
import { EditCard } from './edit-card.jsx'
import { draftOf, EVENT_FIELDS } from './event-draft.js'
import { eventFaultOf } from './event-faults.js'
import { draftIn, EventFields, useEventTexts } from './event-fields.jsx'
import { editOf } from './event-request.js'
import { EventTerms } from './event-terms-list.jsx'

interface EventEditProps {
  readonly market: Market
  readonly onDone: () => void
}

/** The event’s details, with a form to change those that still can be changed. */
export function EventEdit({ market, onDone }: EventEditProps) {
  const isOver = !['scheduled', 'open', 'halted', 'closed'].includes(market.status)
  return (
    <EditCard
      id="edit-title"
      title={t.details}
      change={isOver ? undefined : t.edit}
      form={onEnd => <EditForm market={market} onEnd={onEnd} />}
      onSaved={onDone}
    >
      <EventTerms market={market} />
    </EditCard>
  )
}

interface EditFormProps {
  readonly market: Market
  readonly onEnd: (isSaved: boolean) => void
}

function EditForm({ market, onEnd }: EditFormProps) {
  // Compares with the values at the start of the edit, even if the event changes meanwhile.
  const before = useSignal(draftOf(market))
  const texts = useEventTexts(before.value)
  const { fault, isBusy, refuse, run } = useOperatorAction(EVENT_FIELDS, eventFaultOf)
  const submit = (event: Event) => {
    event.preventDefault()
    const edit = editOf(before.value, draftIn(texts))
    if ('words' in edit) return refuse(edit)
    if (Object.keys(edit).length === 0) return onEnd(false)
    return run(async () => {
      await clients.doing.operator.editMarket(market.event_id, edit)
      onEnd(true)
    })
  }
  return (
    <form class="form card-body" onSubmit={submit} noValidate aria-label={t.editLabel}>
      <EventFields texts={texts} fault={fault} market={market} />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={() => onEnd(false)}>
          {t.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.save}
        </button>
      </FormFoot>
    </form>
  )
}
