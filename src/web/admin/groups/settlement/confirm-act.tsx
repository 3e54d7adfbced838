import { t } from '../../../texts/admin-groups.js'
import { clients } from '../../admin-clients.js'
import { ConfirmResult } from '../../events/settlement/confirm-result.jsx'
import type { GroupState } from '../group-state.js'
import type { GroupAct } from './group-act.js'
import { consequencesOf, send } from './group-act.js'

interface ConfirmActProps {
  readonly state: GroupState
  readonly act: GroupAct
  readonly onDone: (words: string) => void
  readonly onLeave: () => void
}

/** Lists what a result does; the operator types the group’s code to confirm it. */
export function ConfirmAct({ state, act, onDone, onLeave }: ConfirmActProps) {
  const { group } = state
  const doIt = t.settle.doIt[act.kind]
  return (
    <ConfirmResult
      doIt={doIt}
      code={group.code}
      codeLabel={t.settle.typeCode(doIt, group.code)}
      send={async notes => {
        await send(clients.doing, group, act, notes)
        onDone(t.settle.done[act.kind])
      }}
      onLeave={onLeave}
    >
      <ul class="plain-list">
        {consequencesOf(act, state).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </ConfirmResult>
  )
}
