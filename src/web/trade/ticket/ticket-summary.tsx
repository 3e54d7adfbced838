import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import type { TicketDraft, TicketTerms } from './ticket-draft.js'
import type { TicketSum } from './ticket-sum.js'
import { yesTicks } from './ticket-sum.js'

const rupees = (units: number) => rupeesText(units / UNITS_PER_RUPEE)

interface TicketSummaryProps {
  readonly draft: TicketDraft
  readonly sum: TicketSum | undefined
  readonly terms: TicketTerms
}

/** Cost, payout and expected fills, always in the same number of lines. */
export function TicketSummary({ draft, sum, terms }: TicketSummaryProps) {
  const name = draft.outcome.toUpperCase()
  return (
    <dl class="ticket-sum">
      {draft.deal === 'buy' ? (
        <>
          <dt>Cost</dt>
          <dd>{sum === undefined ? '–' : rupees(sum.costUnits)}</dd>
          <dt>Payout if {name}</dt>
          <dd>{sum === undefined ? '–' : <Gain sum={sum} />}</dd>
        </>
      ) : (
        <>
          <dt>You receive</dt>
          <dd>{sum === undefined ? '–' : rupees(sum.proceedsUnits)}</dd>
          <dt>Payout given up if {name}</dt>
          <dd>{sum === undefined ? '–' : rupees(terms.payoutTicks * sum.soldLots)}</dd>
        </>
      )}
      <dt>Fills now</dt>
      <dd>{sum === undefined ? '–' : fillText(draft, sum, terms)}</dd>
      <dd class="ticket-note">{sum === undefined ? '' : noteText(draft, sum)}</dd>
    </dl>
  )
}

function Gain({ sum }: { readonly sum: TicketSum }) {
  return (
    <>
      {rupees(sum.payoutUnits)}{' '}
      <span class="faint">{rupeesText((sum.payoutUnits - sum.costUnits) / UNITS_PER_RUPEE, 'signed')}</span>
    </>
  )
}

function fillText({ outcome }: TicketDraft, { estimate }: TicketSum, { payoutTicks }: TicketTerms): string {
  const { filledLots, tradedUnits } = estimate
  if (filledLots === 0) return '0'
  const average = yesTicks(outcome, tradedUnits / filledLots, payoutTicks) / TICKS_PER_RUPEE
  return `${countText(filledLots / 100)} at about ${rupeesText(average)}`
}

/** Returns the most important note about the order. */
function noteText({ deal, outcome, orderType, lots = 0 }: TicketDraft, sum: TicketSum): string {
  const { estimate, restingLots, soldLots, proceedsUnits } = sum
  if (estimate.stop === 'self_trade') return 'Stops at your own order; the rest will be cancelled.'
  if (estimate.stop === 'funds_insufficient') return 'Your balance runs out; the rest will be cancelled.'
  if (deal === 'buy' && soldLots > 0) {
    const other = outcome === 'yes' ? 'NO' : 'YES'
    return `Sells your ${countText(soldLots / 100)} ${other} first, for ${rupees(proceedsUnits)}.`
  }
  if (restingLots > 0) return `${countText(restingLots / 100)} will rest in the order book until matched.`
  if (orderType === 'MO' && estimate.filledLots < lots)
    return deal === 'buy'
      ? 'Not enough sellers; the rest will be cancelled.'
      : 'Not enough buyers; the rest will be cancelled.'
  return ''
}
