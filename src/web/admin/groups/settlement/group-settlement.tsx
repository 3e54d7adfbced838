import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { EventGroup, GroupOutcome, Outcome } from '../../../../client/client.js'
import { nameText } from '../../../kit/name-text.js'
import { t as events } from '../../../texts/admin-events.js'
import { t } from '../../../texts/admin-groups.js'
import type { GroupState } from '../group-state.js'
import { ConfirmAct } from './confirm-act.jsx'
import type { GroupAct } from './group-act.js'
import { closedOf, liveOf, winnersOf } from './group-act.js'

interface GroupSettlementProps {
  readonly state: GroupState
  readonly onDone: () => void
}

/** Sets the result of a group in two steps, choose and confirm; shows it afterwards. */
export function GroupSettlement({ state, onDone }: GroupSettlementProps) {
  const act = useSignal<GroupAct | undefined>(undefined)
  const done = useSignal('')
  const { group } = state
  const live = liveOf(group)
  const end = (words: string) => {
    act.value = undefined
    done.value = words
    if (words !== '') onDone()
  }
  return (
    <section class="card" aria-labelledby="group-settlement-title">
      <div class="card-head">
        <h2 id="group-settlement-title">{t.settle.title}</h2>
      </div>
      <div class="card-body form">
        {live.length === 0 ? (
          <p class="resolved-words">{resultText(group)}</p>
        ) : (
          <>
            {group.kind === 'exclusive' ? (
              <ExclusiveChoice group={group} act={act} />
            ) : (
              <EachChoice group={group} act={act} />
            )}
            {act.value !== undefined && (
              <ConfirmAct
                key={JSON.stringify(act.value)}
                state={state}
                act={act.value}
                onDone={end}
                onLeave={() => end('')}
              />
            )}
          </>
        )}
        <p class="gain" role="status">
          {done.value}
        </p>
      </div>
    </section>
  )
}

function resultText({ winner, outcomes, kind }: EventGroup): string {
  const label = outcomes.find(({ event_id }) => event_id === winner)?.label
  if (label !== undefined) return t.settle.won(nameText(label))
  if (kind === 'exclusive') return t.settle.isVoid
  return outcomes.map(each => `${nameText(each.label)}: ${t.results[each.outcome ?? 'void']}`).join(' · ')
}

interface ChoiceProps {
  readonly group: EventGroup
  readonly act: Signal<GroupAct | undefined>
}

const KINDS = ['winner', 'eliminate', 'void'] as const

/** Chooses the result of a group of which one outcome wins. */
function ExclusiveChoice({ group, act }: ChoiceProps) {
  const kind = useSignal<(typeof KINDS)[number] | undefined>(undefined)
  const choices = { winner: winnersOf(group), eliminate: closedOf(group), void: [] }
  const openLeft = liveOf(group).filter(({ status }) => status !== 'closed').length
  // Confirmed or cancelled: the first step begins again.
  const chosen = act.value === undefined && kind.value === 'void' ? undefined : kind.value
  return (
    <>
      <p class="soft">{openLeft === 0 ? t.settle.what : t.settle.openLeft(openLeft)}</p>
      <fieldset class="outcomes">
        <legend class="unseen">{t.settle.action}</legend>
        {KINDS.map(each => (
          <button
            key={each}
            type="button"
            class={`button outcome outcome-${each}`}
            aria-pressed={chosen === each}
            disabled={each !== 'void' && choices[each].length === 0}
            onClick={() => {
              kind.value = each
              act.value = each === 'void' ? { kind: each } : undefined
            }}
          >
            {t.settle[each]}
          </button>
        ))}
      </fieldset>
      {(chosen === 'winner' || chosen === 'eliminate') && (
        <OutcomeSelect
          label={chosen === 'winner' ? t.settle.chooseWinner : t.settle.chooseLoser}
          outcomes={choices[chosen]}
          chosen={act.value !== undefined && 'event' in act.value ? act.value.event : ''}
          onChoose={event => {
            act.value = event === '' ? undefined : { kind: chosen, event }
          }}
        />
      )}
    </>
  )
}

interface OutcomeSelectProps {
  readonly label: string
  readonly outcomes: readonly GroupOutcome[]
  /** The code of the event; empty while none is chosen. */
  readonly chosen: string
  readonly onChoose: (event: string) => void
}

function OutcomeSelect({ label, outcomes, chosen, onChoose }: OutcomeSelectProps) {
  return (
    <div class="form-field">
      <label for="field-outcome">{label}</label>
      <select
        id="field-outcome"
        class="field"
        value={chosen}
        onChange={event => onChoose(event.currentTarget.value)}
      >
        <option value="">{t.settle.choose}</option>
        {outcomes.map(outcome => (
          <option key={outcome.event_id} value={outcome.event_id}>
            {nameText(outcome.label)}
          </option>
        ))}
      </select>
    </div>
  )
}

const RESULTS = ['yes', 'no', 'void'] as const

/** Chooses results of closed outcomes, each of its own. */
function EachChoice({ group, act }: ChoiceProps) {
  const closed = closedOf(group)
  const chosen = act.value?.kind === 'each' ? act.value.outcomes : new Map<string, Outcome>()
  const choose = (event: string, outcome: Outcome) => {
    const outcomes = new Map(chosen)
    if (outcomes.get(event) === outcome) outcomes.delete(event)
    else outcomes.set(event, outcome)
    act.value = outcomes.size === 0 ? undefined : { kind: 'each', outcomes }
  }
  if (closed.length === 0) return <p class="soft">{t.settle.closeFirst}</p>
  return (
    <>
      <p class="soft">{t.settle.whatEach}</p>
      <ul class="bulk-list">
        {closed.map(({ event_id, label }) => (
          <li key={event_id}>
            <span>{nameText(label)}</span>
            <fieldset class="chips">
              <legend class="unseen">{t.settle.resultOf(label)}</legend>
              {RESULTS.map(outcome => (
                <button
                  key={outcome}
                  type="button"
                  class="chip"
                  aria-pressed={chosen.get(event_id) === outcome}
                  onClick={() => choose(event_id, outcome)}
                >
                  {events.outcome[outcome]}
                </button>
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
    </>
  )
}
