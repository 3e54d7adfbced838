import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsText } from '../../kit/hundredths.js'
import type { DraftFault, DraftFix } from './draft-faults.js'
import type { TicketState } from './ticket-state.js'

interface FaultLineProps {
  readonly fault: DraftFault | undefined
  readonly ticket: TicketState
}

/** Says what is wrong with the ticket, with a button for each way to mend it. */
export function FaultLine({ fault, ticket }: FaultLineProps) {
  const fixes = fault?.fixes ?? []
  return (
    <>
      <p id="ticket-fault" class={`ticket-answer ${fault?.field === 'type' ? 'soft' : 'fault'}`} role="alert">
        {fault?.words}
      </p>
      {fixes.length > 0 && (
        <div class="chips ticket-fixes">
          {fixes.map(fix => (
            <button key={fix.label} type="button" class="chip" onClick={() => mend(ticket, fix)}>
              {fix.label}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

function mend(ticket: TicketState, { priceTicks, lots, spendUnits, orderType, buy }: DraftFix): void {
  if (priceTicks !== undefined) ticket.priceText.value = (priceTicks / TICKS_PER_RUPEE).toFixed(2)
  if (lots !== undefined) ticket.quantityText.value = hundredthsText(lots)
  if (spendUnits !== undefined) ticket.amountText.value = hundredthsText(spendUnits / 100)
  if (orderType !== undefined) ticket.orderType.value = orderType
  if (buy !== undefined) {
    ticket.deal.value = 'buy'
    ticket.outcome.value = buy
  }
}
