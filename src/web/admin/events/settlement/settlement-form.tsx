import { useSignal } from '@preact/signals'
import type { Market, Outcome } from '../../../../client/client.js'
import { FormField } from '../../../forms/form-field.jsx'
import { FormFoot } from '../../../forms/form-foot.jsx'
import { t } from '../../../texts/admin-events.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'

const FIELDS = ['source_url', 'note'] as const

interface SettlementFormProps {
  readonly market: Market
  readonly outcome: Outcome
  readonly onDone: () => void
  readonly onLeave: () => void
}

/** The second step: the operator types the event code to confirm. */
export function SettlementForm({ market, outcome, onDone, onLeave }: SettlementFormProps) {
  const [code, source, note] = [useSignal(''), useSignal(''), useSignal('')]
  const { fault, isBusy, run } = useOperatorAction(FIELDS)
  const doIt = t.settle.doIt[outcome]
  const isTyped = code.value.trim() === market.event_id
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isTyped) return
    const [source_url, words] = [source.value.trim(), note.value.trim()]
    return run(async () => {
      await clients.doing.operator.resolveMarket(market.event_id, {
        outcome,
        ...(source_url !== '' && { source_url }),
        ...(words !== '' && { note: words }),
      })
      onDone()
    })
  }
  const optional = { hint: t.settle.shown, fault }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={doIt}>
      <div class="form-line">
        <FormField name="source_url" label={t.settle.link} text={source} {...optional} />
        <FormField name="note" label={t.settle.note} text={note} {...optional} />
      </div>
      <FormField
        name="code"
        label={t.settle.typeCode(doIt, market.event_id)}
        hint={outcome === 'void' ? t.settle.afterVoid : t.settle.after}
        text={code}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          {t.cancel}
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy || !isTyped}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}
