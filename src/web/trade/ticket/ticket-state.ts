import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsIn } from '../../kit/hundredths.js'
import type { Outcome, TicketDraft } from './ticket-draft.js'

/** The inputs of a ticket as typed; the ladder and the position fill them in too. */
export interface TicketState {
  readonly deal: Signal<TicketDraft['deal']>
  readonly outcome: Signal<Outcome>
  readonly orderType: Signal<TicketDraft['orderType']>
  readonly priceText: Signal<string>
  readonly quantityText: Signal<string>
  /** Set to sell the whole position as soon as it is known. */
  readonly wantsAll: Signal<boolean>
}

/** Creates a ticket from a query string: `?outcome=no` buys, `?exit=yes` sells. */
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

/** Reads a ticket in the exchange’s units. */
export function draftOf(ticket: TicketState): TicketDraft {
  return {
    deal: ticket.deal.value,
    outcome: ticket.outcome.value,
    orderType: ticket.orderType.value,
    priceTicks: hundredthsIn(ticket.priceText.value),
    lots: hundredthsIn(ticket.quantityText.value),
  }
}

/** Formats ticks or lots as typed: `6.5`, `10`. */
export function hundredthsText(hundredths: number): string {
  return String(hundredths / TICKS_PER_RUPEE)
}
