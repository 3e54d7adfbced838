import { useSignal } from '@preact/signals'
import { FormField } from '../../../forms/form-field.jsx'
import { FormFoot } from '../../../forms/form-foot.jsx'
import { t as events } from '../../../texts/admin-events.js'
import { t } from '../../../texts/admin-groups.js'
import { clients } from '../../admin-clients.js'
import { useOperatorAction } from '../../operator-action.js'
import type { GroupState } from '../group-state.js'
import type { GroupAct } from './group-act.js'
import { consequencesOf, send } from './group-act.js'

const FIELDS = ['source_url', 'note'] as const

interface ConfirmActProps {
  readonly state: GroupState
  readonly act: GroupAct
  readonly onDone: (words: string) => void
  readonly onLeave: () => void
}

/** Lists what a result does; the operator types the group’s code to confirm it. */
export function ConfirmAct({ state, act, onDone, onLeave }: ConfirmActProps) {
  const [code, source, note] = [useSignal(''), useSignal(''), useSignal('')]
  const { fault, isBusy, run } = useOperatorAction(FIELDS)
  const { group } = state
  const doIt = t.settle.doIt[act.kind]
  const isTyped = code.value.trim() === group.code
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isTyped) return
    const [source_url, words] = [source.value.trim(), note.value.trim()]
    return run(async () => {
      await send(clients.doing, group, act, {
        ...(source_url !== '' && { source_url }),
        ...(words !== '' && { note: words }),
      })
      onDone(t.settle.done[act.kind])
    })
  }
  const optional = { hint: events.settle.shown, fault }
  return (
    <form class="form settle-form" onSubmit={submit} noValidate aria-label={doIt}>
      <ul class="plain-list">
        {consequencesOf(act, state).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div class="form-line">
        <FormField name="source_url" label={events.settle.link} text={source} {...optional} />
        <FormField name="note" label={events.settle.note} text={note} {...optional} />
      </div>
      <FormField name="code" label={t.settle.typeCode(doIt, group.code)} text={code} fault={fault} />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          {events.cancel}
        </button>
        <button type="submit" class="button button-danger" disabled={isBusy || !isTyped}>
          {doIt}
        </button>
      </FormFoot>
    </form>
  )
}
