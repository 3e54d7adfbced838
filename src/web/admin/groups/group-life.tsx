import { useSignal } from '@preact/signals'
import type { EventGroup } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { secondClock } from '../../kit/browser-clock.js'
import { timeLeftText } from '../../kit/time-texts.js'
import { t as events } from '../../texts/admin-events.js'
import { t } from '../../texts/admin-groups.js'
import { clients } from '../admin-clients.js'
import { LifeSteps } from '../events/event-life.jsx'
import { movable } from '../events/list/bulk-moves.js'
import { useOperatorAction } from '../operator-action.js'

interface GroupLifeProps {
  readonly group: EventGroup
  readonly onDone: () => void
}

type Move = 'halt' | 'resume' | 'close'

/** The status of a group, and buttons that move all outcomes which can follow. */
export function GroupLife({ group, onDone }: GroupLifeProps) {
  const { fault, isBusy, forget, run } = useOperatorAction()
  const isClosing = useSignal(false)
  const move = (how: Move) =>
    run(async () => {
      await clients.doing.groups[how](group.code)
      isClosing.value = false
      onDone()
    })
  const ask = (isAsked: boolean) => {
    isClosing.value = isAsked
    forget()
  }
  const closing = movable(group.outcomes, 'closeMarket').length
  return (
    <section class="card" aria-label={t.lifeLabel}>
      <LifeSteps status={group.status} />
      <div class="card-body life-line">
        <p>{statusText(group, secondClock.value)}</p>
        <Moves outcomes={group.outcomes} isBusy={isBusy} onMove={move} onClose={() => ask(true)} />
      </div>
      {isClosing.value ? (
        <ConfirmDialog
          title={t.closing.title(closing)}
          understood={t.closing.understood}
          doIt={t.closing.doIt}
          leaveIt={events.cancel}
          errorMessage={fault?.words ?? ''}
          isBusy={isBusy}
          onDo={() => move('close')}
          onLeave={() => ask(false)}
        >
          <p>
            <b>{group.title}</b>
          </p>
          <ul class="plain-list">
            <li>{t.closing.orders}</li>
            {group.kind === 'exclusive' && <li>{t.closing.conversions}</li>}
            <li>{t.closing.positions}</li>
            <li>{t.closing.halt}</li>
          </ul>
        </ConfirmDialog>
      ) : (
        <p class="card-foot fault" role="alert">
          {fault?.words}
        </p>
      )}
    </section>
  )
}

interface MovesProps {
  readonly outcomes: EventGroup['outcomes']
  readonly isBusy: boolean
  readonly onMove: (how: Move) => void
  readonly onClose: () => void
}

/** The moves that some outcomes can make, with how many. */
function Moves({ outcomes, isBusy, onMove, onClose }: MovesProps) {
  const halting = movable(outcomes, 'haltMarket').length
  const resuming = movable(outcomes, 'resumeMarket').length
  const closing = movable(outcomes, 'closeMarket').length
  if (halting + resuming + closing === 0) return null
  return (
    <div class="life-moves">
      {halting > 0 && (
        <button type="button" class="button" disabled={isBusy} onClick={() => onMove('halt')}>
          {t.halt(halting)}
        </button>
      )}
      {resuming > 0 && (
        <button type="button" class="button button-main" disabled={isBusy} onClick={() => onMove('resume')}>
          {t.resume(resuming)}
        </button>
      )}
      {closing > 0 && (
        <button type="button" class="button button-danger-quiet" onClick={onClose}>
          {t.close(closing)}
        </button>
      )}
    </div>
  )
}

function statusText({ status, end_date }: EventGroup, now: number): string {
  const left = timeLeftText(Date.parse(end_date) - now)
  return status === 'open' ? t.life.open(left) : t.life[status]
}
