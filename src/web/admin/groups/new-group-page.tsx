import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { GroupRequest } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { goTo } from '../../kit/address.js'
import { nowMs, secondClock } from '../../kit/browser-clock.js'
import { Choice } from '../../kit/choice.jsx'
import { siteName } from '../../kit/page-site.js'
import { t as events } from '../../texts/admin-events.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'
import type { EventDraft } from '../events/event-draft.js'
import { newDraft } from '../events/event-draft.js'
import { draftIn, EventFields, useEventTexts } from '../events/event-fields.jsx'
import { termSentences } from '../events/event-terms.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import { countOf, GROUP_FIELDS, groupFaultOf, groupRequestOf } from './group-request.js'

const CATEGORIES_PAUSE_MS = 60_000
const KINDS = ['exclusive', 'independent'] as const

/** The page that creates a group of events. */
export function NewGroupPage() {
  useEffect(() => {
    document.title = frame.title(t.newGroup, siteName)
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>{t.newGroup}</h1>
        <a class="button" href="/admin/groups">
          {t.backToGroups}
        </a>
      </div>
      <NewGroupForm />
    </>
  )
}

function NewGroupForm() {
  const texts = useEventTexts(useSignal(newDraft(nowMs())).value)
  const kind = useSignal<GroupRequest['kind']>('exclusive')
  const hasNone = useSignal(false)
  const outcomes = useSignal('')
  const { fault, isBusy, refuse, run } = useOperatorAction(GROUP_FIELDS, error =>
    groupFaultOf(error, outcomes.peek()),
  )
  const categories = usePolled(() => clients.asking.fetchCategories(), CATEGORIES_PAUSE_MS)
  const own = { kind: kind.value, hasNone: hasNone.value, outcomes: outcomes.value }
  const submit = (event: Event) => {
    event.preventDefault()
    const request = groupRequestOf(draftIn(texts), own)
    if ('words' in request) return refuse(request)
    return run(async () => {
      const code = await clients.doing.groups.create(request)
      goTo(`/admin/groups/${code}`)
    })
  }
  return (
    <form class="card form event-form" onSubmit={submit} noValidate>
      <div class="form">
        <EventFields
          texts={texts}
          fault={fault}
          categories={(categories.value ?? []).map(({ category }) => category)}
          hints={t.hints}
        >
          <OutcomeFields
            kind={kind}
            hasNone={hasNone}
            outcomes={outcomes}
            fault={fault}
            count={countOf(own)}
          />
        </EventFields>
      </div>
      <Meaning draft={draftIn(texts)} count={countOf(own)} />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.create}
        </button>
      </FormFoot>
    </form>
  )
}

interface OutcomeFieldsProps {
  readonly kind: Signal<GroupRequest['kind']>
  readonly hasNone: Signal<boolean>
  readonly outcomes: Signal<string>
  readonly fault: FieldFault | undefined
  readonly count: number
}

/** The kind of the group and its outcomes, one a line. */
function OutcomeFields({ kind, hasNone, outcomes, fault, count }: OutcomeFieldsProps) {
  return (
    <>
      <div class="form-field">
        <Choice
          name="kind"
          legend={t.kind}
          value={kind}
          options={KINDS.map(each => [each, t.kinds[each]] as const)}
        />
        <p class="note">{t.kindHint[kind.value]}</p>
      </div>
      <FormField
        name="outcomes"
        label={t.outcomes}
        text={outcomes}
        fault={fault}
        hint={t.outcomesHint(count)}
        kind="long"
      />
      {kind.value === 'exclusive' && (
        <div class="form-field">
          <label class="tick">
            <input
              type="checkbox"
              checked={hasNone.value}
              onChange={event => {
                hasNone.value = event.currentTarget.checked
              }}
            />
            <span>{t.noneOfThese}</span>
          </label>
          <p class="note">{t.noneOfTheseHint}</p>
        </div>
      )}
    </>
  )
}

function Meaning({ draft, count }: { readonly draft: EventDraft; readonly count: number }) {
  return (
    <section class="notice terms" aria-label={events.meaning}>
      <h2>{events.meaning}</h2>
      <ul>
        {count > 1 && <li>{t.eachEvent(count)}</li>}
        {termSentences(draft, secondClock.value).map(sentence => (
          <li key={sentence.slice(0, 14)}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
