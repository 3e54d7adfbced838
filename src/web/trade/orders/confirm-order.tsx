import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../../texts/ticket.js'
import { OrderDialog } from './order-dialog.jsx'
import type { Outcome } from '../ticket/ticket-draft.js'

interface ConfirmOrderProps {
  readonly title: string
  readonly outcome: Outcome
  readonly isAsking: Signal<boolean>
  readonly send: () => Promise<void>
  /** The order’s totals. */
  readonly children: ComponentChildren
}

/** Asks whether to send the ticket’s order. */
export function ConfirmOrder({ title, outcome, isAsking, send, children }: ConfirmOrderProps) {
  const close = () => {
    isAsking.value = false
  }
  return (
    <OrderDialog title={t.confirmTitle(title)} onClose={close}>
      {children}
      <div class="picker-foot">
        <button type="button" class="button" onClick={close}>
          {t.cancel}
        </button>
        <button type="button" class={`button button-${outcome}`} onClick={() => void send()} autofocus>
          {title}
        </button>
      </div>
    </OrderDialog>
  )
}
