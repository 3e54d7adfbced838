import { useSignal } from '@preact/signals'
import { t } from '../../../texts/admin-groups.js'
import { clients } from '../../admin-clients.js'
import { ConfirmResult } from '../../events/settlement/confirm-result.jsx'
import { SettlementPreview } from '../../events/settlement/settlement-preview.jsx'
import type { GroupState } from '../group-state.js'
import type { GroupAct } from './group-act.js'
import { consequencesOf, resultOf, send } from './group-act.js'

interface ConfirmActProps {
  readonly state: GroupState
  readonly act: GroupAct
  readonly onDone: (words: string) => void
  readonly onLeave: () => void
}

/** Lists what a result does, and pays; the operator types the group’s code to confirm it. */
export function ConfirmAct({ state, act, onDone, onLeave }: ConfirmActProps) {
  const { group } = state
  const winner = resultOf(act, group)
  /** True once the preview adds up; only then can the result be set. */
  const isWhole = useSignal(winner === undefined)
  const doIt = t.settle.doIt[act.kind]
  return (
    <>
      <ul class="plain-list">
        {consequencesOf(act, state).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {winner !== undefined && (
        <SettlementPreview
          isVoid={winner === 'void'}
          fetchPage={page => clients.asking.groups.previewResult(group.code, { winner, ...page })}
          version={`${group.status} ${state.money.payout}`}
          onWhole={whole => {
            isWhole.value = whole
          }}
        />
      )}
      {isWhole.value && (
        <ConfirmResult
          doIt={doIt}
          code={group.code}
          codeLabel={t.settle.typeCode(doIt, group.code)}
          send={async notes => {
            await send(clients.doing, group, act, notes)
            onDone(t.settle.done[act.kind])
          }}
          onLeave={onLeave}
        />
      )}
    </>
  )
}
