import { Icon } from '../../kit/icons.jsx'
import { t } from '../../texts/ticket.js'
import type { TicketResult } from '../ticket/ticket-result.js'
import { OrderDialog } from './order-dialog.jsx'

interface OrderResultProps {
  readonly title: string
  readonly result: TicketResult
  readonly onClose: () => void
  /** Asks once more about an order that got no answer. */
  readonly onAgain?: (() => void) | undefined
}

/** Shows what an order, or its change, led to. */
export function OrderResult({ title, result, onClose, onAgain }: OrderResultProps) {
  return (
    <OrderDialog title={title} onClose={onClose}>
      <p class={`order-result mood-${result.mood}`} role="status">
        {result.isFilled && <Icon shape="check" />}
        {result.words}
      </p>
      <div class="picker-foot">
        {onAgain !== undefined && (
          <button type="button" class="button" onClick={onAgain}>
            {t.checkOrder}
          </button>
        )}
        <button type="button" class="button button-main" onClick={onClose} autofocus>
          {t.done}
        </button>
      </div>
    </OrderDialog>
  )
}
