import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import { hundredthsIn, TICKS_PER_RUPEE } from '../../kit/grid.js'
import type { Outcome, TicketDraft } from './ticket-draft.js'

/** What is written on a ticket, as it is written; the ladder and the positions write on it too. */
export interface TicketState {
  readonly deal: Signal<TicketDraft['deal']>
  readonly outcome: Signal<Outcome>
  readonly orderType: Signal<TicketDraft['orderType']>
  readonly priceText: Signal<string>
  readonly quantityText: Signal<string>
  /** The quantity is to be all that the user has to sell, once that is known. */
  readonly wantsAll: Signal<boolean>
}

/** A ticket as an address asks for it: `?outcome=no` buys, `?exit=yes` sells. */
export function newTicket(search: string): TicketState {
  const query = new URLSearchParams(search)
  const exit = query.get('exit')
  return {
    deal: signal(exit === null ? 'buy' : 'sell'),
    outcome: signal<Outcome>((exit ?? query.get('outcome')) === 'no' ? 'no' : 'yes'),
    orderType: signal(exit === null ? 'LO' : 'MO'),
    priceText: signal(''),
    quantityText: signal('10'),
    wantsAll: signal(exit !== null),
  }
}

/** What the ticket says, in the exchange's units. */
export function draftOf(ticket: TicketState): TicketDraft {
  return {
    deal: ticket.deal.value,
    outcome: ticket.outcome.value,
    orderType: ticket.orderType.value,
    priceTicks: hundredthsIn(ticket.priceText.value),
    lots: hundredthsIn(ticket.quantityText.value),
  }
}

/** Ticks or lots as one types them: `6.5`, `10`. */
export function hundredthsText(hundredths: number): string {
  return String(hundredths / TICKS_PER_RUPEE)
}
