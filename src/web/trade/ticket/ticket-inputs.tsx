import { QUANTITY_LOTS_MAX, TICKS_PER_RUPEE } from '../../../core/units.js'
import { Choice, Stepper } from '../../kit/choice.jsx'
import { hundredthsText } from '../../kit/hundredths.js'
import { rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/ticket.js'
import { OutcomeCards } from '../market/outcome-cards.jsx'
import { changeSetting } from '../settings/page-settings.js'
import type { DraftFault } from './draft-faults.js'
import { QuantityChips } from './quantity-chips.jsx'
import type { TicketView } from './ticket-state.js'
import { chooseDeal, unitOf } from './ticket-state.js'

interface TicketInputsProps extends TicketView {
  readonly fault: DraftFault | undefined
}

/** The inputs of the ticket. */
export function TicketInputs({ fault, ...view }: TicketInputsProps) {
  const { ticket, payout, book, terms } = view
  return (
    <>
      <Choice
        name="deal"
        legend={t.buyOrSell}
        value={ticket.deal}
        onChoose={deal => chooseDeal(ticket, deal)}
        options={[
          ['buy', t.buy],
          ['sell', t.sell],
        ]}
      />
      <OutcomeCards ticket={ticket} payout={payout} book={book} />
      <Choice
        name="order-type"
        legend={t.orderType}
        value={ticket.orderType}
        onChoose={type => changeSetting('ticket_type', type)}
        options={[
          ['MO', t.market],
          ['LO', t.limit],
        ]}
      />
      {ticket.orderType.value === 'LO' && (
        <Stepper
          id="ticket-price"
          label={t.price}
          hint={t.perContract(rupeesText(payout), t.outcome[ticket.outcome.value])}
          text={ticket.priceText}
          write={ticks => (ticks / TICKS_PER_RUPEE).toFixed(2)}
          step={terms.tickTicks}
          min={10}
          max={terms.payoutTicks - 10}
          isWrong={fault?.field === 'price'}
          describedBy="ticket-fault"
        />
      )}
      <Quantity {...view} isWrong={fault?.field === 'quantity'} />
      <QuantityChips {...view} />
    </>
  )
}

/** The quantity, in the unit of the switch beside it. */
function Quantity({ ticket, isWrong }: TicketView & { readonly isWrong: boolean }) {
  const isMoney = unitOf(ticket) === 'rupees'
  return (
    <div class="ticket-quantity">
      <Stepper
        key={unitOf(ticket)}
        id="ticket-quantity"
        label={isMoney ? t.amount : t.quantity}
        hint={isMoney ? t.inRupees : t.contracts}
        text={isMoney ? ticket.amountText : ticket.quantityText}
        write={hundredthsText}
        step={isMoney ? 1000 : 100}
        min={10}
        max={QUANTITY_LOTS_MAX}
        isWrong={isWrong}
        describedBy="ticket-fault"
      />
      {ticket.deal.value === 'buy' && (
        <Choice
          name="ticket-unit"
          legend={t.unit}
          value={ticket.unit}
          onChoose={unit => changeSetting('ticket_unit', unit)}
          options={[
            ['rupees', t.unitRupees],
            ['contracts', t.unitContracts],
          ]}
        />
      )}
    </div>
  )
}
