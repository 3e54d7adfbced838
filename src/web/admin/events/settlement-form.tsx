import { useSignal } from '@preact/signals'
import type { Market, Outcome } from '../../../client/client.js'
import { useAction } from '../action.js'
import { clients } from '../admin-clients.js'
import { FormField } from '../form-field.jsx'
import { FormFoot } from '../form-foot.jsx'

const FIELDS = ['source_url', 'note'] as const
const WORDS = {
  yes: { doIt: 'Settle as YES', after: 'The payouts above are made at once. There is no way back.' },
  no: { doIt: 'Settle as NO', after: 'The payouts above are made at once. There is no way back.' },
  void: {
    doIt: 'Make it void',
    after: 'Orders are cancelled, every trade is undone. There is no way back.',
  },
} as const

interface SettlementFormProps {
  readonly market: Market
  readonly outcome: Outcome
  readonly onDone: () => void
  readonly onLeave: () => void
}

/** The second step: whoever tells the outcome types the event's code first. */
export function SettlementForm({ market, outcome, onDone, onLeave }: SettlementFormProps) {
  const [code, source, note] = [useSignal(''), useSignal(''), useSignal('')]
  const { fault, isBusy, run } = useAction(FIELDS)
  const { doIt, after } = WORDS[outcome]
  const isTyped = code.value.trim() === market.event_id
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isTyped) return
    const [source_url, words] = [source.value.trim(), note.value.trim()]
    return run(async () => {
      await clients.value.doing.operator.resolveMarket(market.event_id, {
        outcome,
        ...(source_url !== '' && { source_url }),
        ...(words !== '' && { note: words }),
      })
      onDone()
    })
  }
  const optional = { hint: 'Traders see it.', fault }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={doIt}>
      <div class="form-line">
        <FormField name="source_url" label="Where it is written (optional)" text={source} {...optional} />
        <FormField name="note" label="Note (optional)" text={note} {...optional} />
      </div>
      <FormField
        name="code"
        label={`${doIt}: type the event’s code, ${market.event_id}`}
        hint={after}
        text={code}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          Not yet
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy || !isTyped}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}
