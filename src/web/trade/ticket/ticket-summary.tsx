import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../kit/grid.js'
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

/** What one puts in and gets, and what would happen at once, always in the same number of lines. */
export function TicketSummary({ draft, sum, terms }: TicketSummaryProps) {
  const name = draft.outcome.toUpperCase()
  return (
    <dl class="ticket-sum">
      {draft.deal === 'buy' ? (
        <>
          <dt>You put</dt>
          <dd>{sum === undefined ? '–' : rupees(sum.putUnits)}</dd>
          <dt>You get if {name}</dt>
          <dd>{sum === undefined ? '–' : <Gain sum={sum} />}</dd>
        </>
      ) : (
        <>
          <dt>You get now</dt>
          <dd>{sum === undefined ? '–' : rupees(sum.proceedsUnits)}</dd>
          <dt>You give up if {name}</dt>
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
      {rupees(sum.getUnits)}{' '}
      <span class="faint">{rupeesText((sum.getUnits - sum.putUnits) / UNITS_PER_RUPEE, 'signed')}</span>
    </>
  )
}

function fillText({ outcome }: TicketDraft, { estimate }: TicketSum, { payoutTicks }: TicketTerms): string {
  const { filledLots, tradedUnits } = estimate
  if (filledLots === 0) return 'nothing'
  const average = yesTicks(outcome, tradedUnits / filledLots, payoutTicks) / TICKS_PER_RUPEE
  return `${countText(filledLots / 100)} at about ${rupeesText(average)}`
}

/** What has to be known before one sends it, the most important first. */
function noteText({ deal, outcome, orderType, lots = 0 }: TicketDraft, sum: TicketSum): string {
  const { estimate, restingLots, soldLots, proceedsUnits } = sum
  if (estimate.stop === 'self_trade') return 'Stops at your own order; no more is filled.'
  if (estimate.stop === 'funds_insufficient') return 'The money ends there: the rest is cancelled.'
  if (deal === 'buy' && soldLots > 0) {
    const other = outcome === 'yes' ? 'NO' : 'YES'
    return `Sells your ${countText(soldLots / 100)} ${other} first, for ${rupees(proceedsUnits)}.`
  }
  if (restingLots > 0) return `${countText(restingLots / 100)} wait in the book for somebody to take them.`
  if (orderType === 'MO' && estimate.filledLots < lots) return 'Nobody offers more: the rest is cancelled.'
  return ''
}
