import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { UserSettings } from '../settings/known-settings.js'
import { DEFAULTS } from '../settings/known-settings.js'
import type { BuyingPower, Outcome, TicketDraft, TicketTerms, Unit } from './ticket-draft.js'

/** The inputs of a ticket as typed; the order book fills them in too. */
export interface TicketState {
  readonly deal: Signal<TicketDraft['deal']>
  readonly outcome: Signal<Outcome>
  readonly orderType: Signal<TicketDraft['orderType']>
  readonly priceText: Signal<string>
  /** The unit in which a buyer says how much. */
  readonly unit: Signal<Unit>
  /** In contracts. */
  readonly quantityText: Signal<string>
  /** In rupees. */
  readonly amountText: Signal<string>
  /** True while the ticket is open as a sheet, on a narrow screen. */
  readonly isSheetOpen: Signal<boolean>
  /** The outcome whose contracts are about to be sold at market. */
  readonly exiting: Signal<Outcome | undefined>
}

/** A ticket and what it is checked against. */
export interface TicketView {
  readonly ticket: TicketState
  readonly payout: number
  readonly book: Book
  readonly own: readonly OwnOrder[]
  readonly terms: TicketTerms
  readonly power: BuyingPower
}

/** How a user begins a ticket. */
type TicketHabits = Pick<UserSettings, 'ticket_type' | 'ticket_unit' | 'ticket_contracts' | 'ticket_rupees'>

/** Creates a ticket from a query string: `?outcome=no` buys, `?exit=yes` asks whether to sell. */
export function newTicket(search: string, habits: TicketHabits = DEFAULTS): TicketState {
  const query = new URLSearchParams(search)
  const exit = query.get('exit')
  const outcome: Outcome = (exit ?? query.get('outcome')) === 'no' ? 'no' : 'yes'
  return {
    deal: signal<TicketDraft['deal']>('buy'),
    outcome: signal(outcome),
    orderType: signal<TicketDraft['orderType']>(habits.ticket_type),
    priceText: signal(''),
    unit: signal<Unit>(habits.ticket_unit),
    quantityText: signal(habits.ticket_contracts),
    amountText: signal(habits.ticket_rupees),
    isSheetOpen: signal(query.has('outcome')),
    exiting: signal(exit === null ? undefined : outcome),
  }
}

/** Returns the unit of the ticket’s quantity: contracts are sold by their number. */
export function unitOf({ deal, unit }: TicketState): Unit {
  return deal.value === 'buy' ? unit.value : 'contracts'
}

/** Fills in a limit price, in rupees of YES, and opens the ticket where it is a sheet. */
export function pickPrice(ticket: TicketState, yesPrice: number, payout: number): void {
  ticket.orderType.value = 'LO'
  ticket.priceText.value = (ticket.outcome.value === 'yes' ? yesPrice : payout - yesPrice).toFixed(2)
  ticket.isSheetOpen.value = true
}
