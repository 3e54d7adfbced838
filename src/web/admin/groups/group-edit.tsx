import { useSignal } from '@preact/signals'
import type { EventGroup, GroupEdit as Edit } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { nameText } from '../../kit/name-text.js'
import { t as events } from '../../texts/admin-events.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'
import { EditCard } from '../events/edit-card.jsx'
import { eventFaultOf } from '../events/event-faults.js'
import { FeeFields } from '../events/event-fields.jsx'
import { EventTerms } from '../events/event-terms-list.jsx'
import { rateIn } from '../events/fee-words.js'
import { movable } from '../events/list/bulk-moves.js'
import { useOperatorAction } from '../operator-action.js'
import type { GroupState } from './group-state.js'

const FIELDS = ['title', 'description', 'fee_taker_bp', 'fee_maker_bp'] as const
type Draft = Readonly<Record<(typeof FIELDS)[number], string>>

interface GroupEditProps {
  readonly state: GroupState
  readonly onDone: () => void
}

/** The group’s words and terms, with a form for what can be changed at once. */
export function GroupEdit({ state, onDone }: GroupEditProps) {
  const { group, events: outcomes } = state
  const [first] = outcomes
  return (
    <EditCard
      id="group-edit-title"
      title={t.edit.title}
      change={t.edit.change}
      form={onEnd => <EditForm state={state} onEnd={onEnd} />}
      onSaved={onDone}
    >
      {first !== undefined && (
        <>
          <EventTerms market={{ ...first, description: group.description }} />
          <p class="card-foot note">{t.edit.terms(nameText(first.label ?? first.title))}</p>
        </>
      )}
    </EditCard>
  )
}

interface EditFormProps {
  readonly state: GroupState
  readonly onEnd: (isSaved: boolean) => void
}

function EditForm({ state: { group, events: outcomes }, onEnd }: EditFormProps) {
  // Compares with the values at the start of the edit, even if the group changes meanwhile.
  const before = useSignal(draftOf(group, outcomes)).value
  const texts = {
    title: useSignal(before.title),
    description: useSignal(before.description),
    fee_taker_bp: useSignal(before.fee_taker_bp),
    fee_maker_bp: useSignal(before.fee_maker_bp),
  }
  const { fault, isBusy, refuse, run } = useOperatorAction(FIELDS, eventFaultOf)
  const takesOrders = movable(outcomes, 'closeMarket').length > 0
  const submit = (event: Event) => {
    event.preventDefault()
    const edit = editOf(before, {
      title: texts.title.value,
      description: texts.description.value,
      fee_taker_bp: texts.fee_taker_bp.value,
      fee_maker_bp: texts.fee_maker_bp.value,
    })
    if ('words' in edit) return refuse(edit)
    if (Object.keys(edit).length === 0) return onEnd(false)
    return run(async () => {
      await clients.doing.groups.edit(group.code, edit)
      onEnd(true)
    })
  }
  return (
    <form class="form card-body" onSubmit={submit} noValidate aria-label={t.edit.label}>
      <FormField name="title" label={events.fields.title} text={texts.title} fault={fault} />
      <FormField
        name="description"
        label={events.fields.description}
        text={texts.description}
        fault={fault}
        kind="long"
      />
      <FeeFields
        texts={texts}
        fault={fault}
        payout={group.payout}
        over={takesOrders ? undefined : events.hints.overNow}
      />
      <p class="note">{t.edit.fees}</p>
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={() => onEnd(false)}>
          {events.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {events.save}
        </button>
      </FormFoot>
    </form>
  )
}

/** Describes a group as the form shows it; a rate that differs between the outcomes is left empty. */
function draftOf({ title, description }: EventGroup, outcomes: GroupState['events']): Draft {
  const common = (name: 'fee_taker_bp' | 'fee_maker_bp') => {
    const rates = new Set(movable(outcomes, 'closeMarket').map(event => event[name] ?? 0))
    return rates.size === 1 ? String([...rates][0]) : ''
  }
  return { title, description, fee_taker_bp: common('fee_taker_bp'), fee_maker_bp: common('fee_maker_bp') }
}

/** Returns the changed fields, or the first that cannot be read. */
function editOf(before: Draft, draft: Draft): Edit | FieldFault {
  const edit: Record<string, string | number | null> = {}
  for (const field of FIELDS.filter(name => draft[name] !== before[name])) {
    const text = draft[field].trim()
    const isRate = field === 'fee_taker_bp' || field === 'fee_maker_bp'
    const value = isRate ? (text === '' ? null : rateIn(text)) : text || undefined
    if (value === undefined) return { field, words: isRate ? events.wanted.rate : events.wanted.field }
    edit[field] = value
  }
  return edit
}
