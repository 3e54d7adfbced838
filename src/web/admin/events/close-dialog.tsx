import type { Market } from '../../../client/client.js'
import { countText } from '../../kit/number-texts.js'
import { ConfirmDialog } from '../confirm-dialog.jsx'

interface CloseDialogProps {
  readonly market: Market
  readonly trouble: string
  readonly isBusy: boolean
  readonly onDo: () => void
  readonly onLeave: () => void
}

/** Asks once more before trading ends for good. */
export function CloseDialog({ market, ...rest }: CloseDialogProps) {
  const pairs = countText(market.open_interest)
  return (
    <ConfirmDialog
      title="Close this event for good?"
      understood="Trading ends now and cannot begin again."
      doIt="Close it"
      leaveIt="Leave it as it is"
      {...rest}
    >
      <p>
        <b>{market.title}</b>
      </p>
      <ul class="plain-list">
        <li>Every order in its book is cancelled, and what was held for it is given back.</li>
        <li>
          {market.open_interest === 0
            ? 'Nobody holds contracts.'
            : `${pairs} YES and as many NO stay with who holds them, until you say how it came out.`}
        </li>
        <li>To stop it for a while only, halt it instead.</li>
      </ul>
    </ConfirmDialog>
  )
}
