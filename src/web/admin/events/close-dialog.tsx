import type { Market } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { countText } from '../../kit/number-texts.js'

interface CloseDialogProps {
  readonly market: Market
  readonly errorMessage: string
  readonly isBusy: boolean
  readonly onDo: () => void
  readonly onLeave: () => void
}

/** Confirms the end of trading in an event. */
export function CloseDialog({ market, ...rest }: CloseDialogProps) {
  const pairs = countText(market.open_interest)
  return (
    <ConfirmDialog
      title="Close this event?"
      understood="I understand that trading ends now and cannot resume."
      doIt="Close event"
      leaveIt="Cancel"
      {...rest}
    >
      <p>
        <b>{market.title}</b>
      </p>
      <ul class="plain-list">
        <li>All resting orders are cancelled and their holds released.</li>
        <li>
          {market.open_interest === 0
            ? 'There are no open positions.'
            : `${pairs} YES and ${pairs} NO contracts stay open until you resolve the event.`}
        </li>
        <li>To pause trading, halt the event instead.</li>
      </ul>
    </ConfirmDialog>
  )
}
