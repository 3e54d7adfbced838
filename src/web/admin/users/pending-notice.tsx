import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/admin-users.js'
import { pendingTransfer } from './pending-transfer.js'

/** Reminds the operator of a transfer that got no response. */
export function PendingNotice({ onLook }: { readonly onLook: () => void }) {
  const transfer = pendingTransfer.value
  if (transfer === undefined) return null
  const words = transfer.direction === 'deposit' ? t.pendingDeposit : t.pendingWithdrawal
  return (
    <p class="notice notice-warn">
      {words(rupeesText(transfer.amount), transfer.userid)}{' '}
      <button type="button" class="button button-small" onClick={onLook}>
        {t.review}
      </button>
    </p>
  )
}
