import { countText } from '../../kit/number-texts.js'
import type { BuyingPower, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'
import type { TicketState } from './ticket-state.js'
import { draftOf, hundredthsText } from './ticket-state.js'

const QUANTITIES = [10, 50, 100]

interface QuantityChipsProps {
  readonly ticket: TicketState
  readonly power: BuyingPower
  readonly terms: TicketTerms
}

/** Preset quantities; the last is the most the user can buy, or all they can sell. */
export function QuantityChips({ ticket, power, terms }: QuantityChipsProps) {
  const most = mostLots(ticket, power, terms)
  const write = (lots: number) => {
    ticket.quantityText.value = hundredthsText(lots)
  }
  return (
    <div class="chips">
      {QUANTITIES.map(quantity => (
        <button key={quantity} type="button" class="chip" onClick={() => write(quantity * 100)}>
          {countText(quantity)}
        </button>
      ))}
      <button type="button" class="chip" disabled={most < 10} onClick={() => write(most)}>
        {ticket.deal.value === 'buy' ? 'Max' : 'All'}
      </button>
    </div>
  )
}

function mostLots(ticket: TicketState, power: BuyingPower, terms: TicketTerms): number {
  const draft = draftOf(ticket)
  const free = sideOf(draft) === 'yes' ? power.noLots : power.yesLots
  if (draft.deal === 'sell') return free
  const unit = draft.orderType === 'LO' ? draft.priceTicks : terms.payoutTicks
  if (unit === undefined || unit <= 0 || power.moneyUnits === undefined) return 0
  const byBet = Math.floor(terms.maxBetUnits / unit)
  const byMoney = Math.floor(power.moneyUnits / unit) + free
  // Rounds down to whole contracts, which read better.
  return Math.floor(Math.min(byBet, byMoney) / 100) * 100
}
