import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { remember, remembered } from '../../kit/browser-memory.js'
import { t } from '../../texts/ticket.js'
import { account } from '../account.js'
import type { TicketState } from './ticket-state.js'

const isOver = signal(remembered('first-bet') === 'over')

function end(): void {
  remember('first-bet', 'over')
  isOver.value = true
}

/** Leads a newcomer through their first order; skipped or done, it never comes back. */
export function FirstBet({ ticket }: { readonly ticket: TicketState }) {
  const { outcome, amountText, quantityText, deal, sent } = ticket
  const first = useSignal({ outcome: outcome.peek(), amount: amountText.peek() + quantityText.peek() })
  const isPicked = ticket.isSheetOpen.value || outcome.value !== first.value.outcome
  const isCounted = amountText.value + quantityText.value !== first.value.amount
  const isDone = sent.result.value?.mood === 'good'
  useEffect(() => {
    if (isDone) end()
  }, [isDone])
  // An account comes with the first order.
  if (isOver.value || account.value.balance !== undefined || deal.value !== 'buy') return null
  const step = isCounted ? 2 : isPicked ? 1 : 0
  return (
    <div class="first-bet">
      <ol>
        {t.firstBet.map((words, place) => (
          <li key={words} aria-current={place === step ? 'step' : undefined}>
            {words}
          </li>
        ))}
      </ol>
      <button type="button" class="link-button" onClick={end}>
        {t.skip}
      </button>
    </div>
  )
}
