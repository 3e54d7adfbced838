import type { Health } from '../../../client/client.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

interface ClockNoticeProps {
  readonly clock: Health['clock']
  readonly onDone: () => void
}

/** Says that the clock jumped ahead and is not followed, with a button that confirms it. */
export function ClockNotice({ clock, onDone }: ClockNoticeProps) {
  const { fault, isBusy, run } = useOperatorAction()
  if (clock.trusted || clock.held_since === null) return null
  const confirm = () =>
    run(async () => {
      await clients.patient.operator.confirmClock()
      onDone()
    })
  return (
    <section class="notice notice-warn" role="alert" aria-label={t.clock}>
      <p>{t.clockJumped(timeLeftText(clock.ahead_ms), dayTimeText(clock.held_since))}</p>
      <button type="button" class="button button-small" disabled={isBusy} onClick={confirm}>
        {isBusy ? t.confirming : t.confirmClock}
      </button>
      {fault !== undefined && <p class="fault">{fault.words}</p>}
    </section>
  )
}
