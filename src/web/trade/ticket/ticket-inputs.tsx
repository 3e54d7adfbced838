import { QUANTITY_LOTS_MAX, TICKS_PER_RUPEE } from '../../../core/units.js'
import { Choice, Stepper } from '../../kit/choice.jsx'
import { rupeesText } from '../../kit/number-texts.js'
import type { Book } from '../market/ladder-rows.js'
import { OutcomeCards } from '../market/outcome-cards.jsx'
import type { DraftFault } from './draft-faults.js'
import { QuantityChips } from './quantity-chips.jsx'
import type { BuyingPower, TicketTerms } from './ticket-draft.js'
import type { TicketState } from './ticket-state.js'
import { hundredthsText } from './ticket-state.js'

interface TicketInputsProps {
  readonly ticket: TicketState
  readonly payout: number
  readonly book: Book
  readonly terms: TicketTerms
  readonly power: BuyingPower
  readonly fault: DraftFault | undefined
}

/** The inputs of the ticket. */
export function TicketInputs({ ticket, payout, book, terms, power, fault }: TicketInputsProps) {
  return (
    <>
      <Choice
        name="deal"
        legend="Buy or sell"
        value={ticket.deal}
        options={[
          ['buy', 'Buy'],
          ['sell', 'Sell'],
        ]}
      />
      <OutcomeCards ticket={ticket} payout={payout} book={book} />
      <Choice
        name="order-type"
        legend="Order type"
        value={ticket.orderType}
        options={[
          ['LO', 'Limit'],
          ['MO', 'Market'],
        ]}
      />
      {ticket.orderType.value === 'LO' ? (
        <Stepper
          id="ticket-price"
          label="Price"
          hint={`per contract · pays ${rupeesText(payout)} if ${ticket.outcome.value.toUpperCase()}`}
          text={ticket.priceText}
          write={ticks => (ticks / TICKS_PER_RUPEE).toFixed(2)}
          step={terms.tickTicks}
          min={10}
          max={terms.payoutTicks - 10}
          isWrong={fault?.field === 'price'}
          describedBy="ticket-fault"
        />
      ) : (
        <p class="ticket-market-price faint">
          Fills at the best available prices; any unfilled quantity is cancelled.
        </p>
      )}
      <Stepper
        id="ticket-quantity"
        label="Quantity"
        hint="contracts"
        text={ticket.quantityText}
        write={hundredthsText}
        step={100}
        min={10}
        max={QUANTITY_LOTS_MAX}
        isWrong={fault?.field === 'quantity'}
        describedBy="ticket-fault"
      />
      <QuantityChips ticket={ticket} power={power} terms={terms} />
    </>
  )
}
