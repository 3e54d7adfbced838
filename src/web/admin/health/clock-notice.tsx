import type { Health } from '../../../client/client.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
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
    <section class="notice notice-warn" role="alert" aria-label="Clock">
      <p>
        The clock of this machine jumped ahead by {timeLeftText(clock.ahead_ms)}. Since{' '}
        {dayTimeText(clock.held_since)} the exchange keeps its own time. If the clock is wrong, set it back.
        If it is right, confirm it: events that end before its time close for good.
      </p>
      <button type="button" class="button button-small" disabled={isBusy} onClick={confirm}>
        {isBusy ? 'Confirming…' : 'Confirm clock'}
      </button>
      {fault !== undefined && <p class="fault">{fault.words}</p>}
    </section>
  )
}
