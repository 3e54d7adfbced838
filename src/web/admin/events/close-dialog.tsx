import type { Market } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { countText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-events.js'

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
      title={t.closing.title}
      understood={t.closing.understood}
      doIt={t.closing.doIt}
      leaveIt={t.cancel}
      {...rest}
    >
      <p>
        <b>{market.title}</b>
      </p>
      <ul class="plain-list">
        <li>{t.closing.orders}</li>
        <li>{market.open_interest === 0 ? t.closing.noPositions : t.closing.positions(pairs)}</li>
        <li>{t.closing.halt}</li>
      </ul>
    </ConfirmDialog>
  )
}
