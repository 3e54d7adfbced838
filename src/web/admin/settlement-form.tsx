import { useSignal } from '@preact/signals'
import type { Market, Outcome, Resolution } from '../../client/client.js'
import { clients, hear } from './admin-access.js'
import { FormField, focusFault } from './form-field.jsx'
import type { FieldFault } from './trouble-words.js'
import { faultOf } from './trouble-words.js'

const FIELDS = ['source_url', 'note'] as const

interface SettlementFormProps {
  readonly market: Market
  readonly outcome: Outcome
  readonly onDone: () => void
  readonly onLeave: () => void
}

/** The second step: whoever tells the outcome types the event's code first. */
export function SettlementForm({ market, outcome, onDone, onLeave }: SettlementFormProps) {
  const code = useSignal('')
  const source = useSignal('')
  const note = useSignal('')
  const fault = useSignal<FieldFault | undefined>(undefined)
  const isBusy = useSignal(false)
  const name = outcome === 'void' ? 'void' : outcome.toUpperCase()
  const isTyped = code.value.trim() === market.event_id
  const refuse = (found: FieldFault) => {
    fault.value = found
    isBusy.value = false
    focusFault(found)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    if (!isTyped) {
      return refuse({ field: 'code', words: `Type ${market.event_id}, the code of this event.` })
    }
    isBusy.value = true
    try {
      const resolution: Resolution = {
        outcome,
        ...(source.value.trim() !== '' && { source_url: source.value.trim() }),
        ...(note.value.trim() !== '' && { note: note.value.trim() }),
      }
      await clients.value.doing.operator.resolveMarket(market.event_id, resolution)
      onDone()
    } catch (error) {
      const heard = hear(error)
      if (heard !== undefined) refuse(faultOf(heard, FIELDS))
    }
  }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={`Tell ${name}`}>
      <div class="form-line">
        <FormField
          name="source_url"
          label="Where it is written (optional)"
          hint="An address; traders see it."
          text={source}
          fault={fault.value}
        />
        <FormField
          name="note"
          label="Note (optional)"
          hint="Traders see it."
          text={note}
          fault={fault.value}
        />
      </div>
      <FormField
        name="code"
        label={`To settle it as ${name}, type the event’s code: ${market.event_id}`}
        hint={
          outcome === 'void'
            ? 'Orders are cancelled, every trade is undone. There is no way back.'
            : 'The payouts above are made at once. There is no way back.'
        }
        text={code}
        fault={fault.value}
      />
      <div class="form-foot">
        <p class="fault" role="alert">
          {fault.value?.field === undefined && fault.value?.words}
        </p>
        <button type="button" class="button" onClick={onLeave}>
          Not yet
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy.value || !isTyped}>
          {outcome === 'void' ? 'Make it void' : `Settle as ${name}`}
        </button>
      </div>
    </form>
  )
}
