import { useSignal } from '@preact/signals'
import type { Market, Outcome } from '../../../client/client.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

const FIELDS = ['source_url', 'note'] as const
const WORDS = {
  yes: { doIt: 'Resolve YES', after: 'The payouts above start immediately. This cannot be undone.' },
  no: { doIt: 'Resolve NO', after: 'The payouts above start immediately. This cannot be undone.' },
  void: {
    doIt: 'Void event',
    after: 'Orders are cancelled and all trades are reversed and refunded. This cannot be undone.',
  },
} as const

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
  const { doIt, after } = WORDS[outcome]
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
  const optional = { hint: 'Shown to traders.', fault }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={doIt}>
      <div class="form-line">
        <FormField name="source_url" label="Source link (optional)" text={source} {...optional} />
        <FormField name="note" label="Note (optional)" text={note} {...optional} />
      </div>
      <FormField
        name="code"
        label={`${doIt}: type the event code ${market.event_id} to confirm`}
        hint={after}
        text={code}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          Cancel
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy || !isTyped}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}
