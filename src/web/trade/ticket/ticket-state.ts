import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { OrderRequest } from '../../../client/shapes.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { Tolerance, UserSettings } from '../settings/known-settings.js'
import { DEFAULTS } from '../settings/known-settings.js'
import type { BuyingPower, Outcome, TicketDraft, TicketTerms, Unit } from './ticket-draft.js'
import type { TicketResult } from './ticket-result.js'

/** The inputs of a ticket as typed; the order book fills them in too. */
export interface TicketState {
  readonly deal: Signal<TicketDraft['deal']>
  readonly outcome: Signal<Outcome>
  readonly orderType: Signal<TicketDraft['orderType']>
  readonly priceText: Signal<string>
  /** The price that the page has filled in last, and what for; another one has been typed or picked. */
  readonly offered: Signal<OfferedPrice | undefined>
  /** The unit in which a buyer says how much. */
  readonly unit: Signal<Unit>
  /** In contracts. */
  readonly quantityText: Signal<string>
  /** The same of the other deal: what someone would buy is not what they would sell. */
  readonly otherQuantityText: Signal<string>
  /** In rupees. */
  readonly amountText: Signal<string>
  /** True while the ticket is open as a sheet, on a narrow screen. */
  readonly isSheetOpen: Signal<boolean>
  /** The outcome whose contracts are about to be sold at market. */
  readonly exiting: Signal<Outcome | undefined>
  readonly sent: SentState
}

interface OfferedPrice {
  readonly deal: TicketDraft['deal']
  readonly text: string
}

/** How far the ticket’s order has got; it outlives the sheet, which may be closed meanwhile. */
export interface SentState {
  /** True once the order was to be sent as it is; then errors about unfinished fields show. */
  readonly isTried: Signal<boolean>
  /** True while the order waits for confirmation. */
  readonly isAsking: Signal<boolean>
  readonly isSending: Signal<boolean>
  /** The answer, until the ticket changes. */
  readonly result: Signal<TicketResult | undefined>
  /** An order that got no answer. It may have been placed; sent again as it is, it is placed once only. */
  readonly unanswered: Signal<OrderRequest | undefined>
  /** When the answer came, in ms since 1970; undefined once the ticket has changed. */
  readonly answeredAt: Signal<number | undefined>
  /** True if the sheet was closed before the answer came. */
  readonly isAway: Signal<boolean>
}

/** A ticket and what it is checked against. */
export interface TicketView {
  readonly ticket: TicketState
  readonly payout: number
  readonly book: Book
  readonly own: readonly OwnOrder[]
  readonly terms: TicketTerms
  readonly power: BuyingPower
  /** How much worse than shown an order at market may trade, in percent of the payout. */
  readonly tolerance: Tolerance
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
    offered: signal<OfferedPrice | undefined>(undefined),
    unit: signal<Unit>(habits.ticket_unit),
    quantityText: signal(habits.ticket_contracts),
    otherQuantityText: signal(''),
    amountText: signal(habits.ticket_rupees),
    isSheetOpen: signal(query.has('outcome')),
    exiting: signal(exit === null ? undefined : outcome),
    sent: {
      isTried: signal(false),
      isAsking: signal(false),
      isSending: signal(false),
      result: signal<TicketResult | undefined>(undefined),
      unanswered: signal<OrderRequest | undefined>(undefined),
      answeredAt: signal<number | undefined>(undefined),
      isAway: signal(false),
    },
  }
}

/** Returns everything that a person can change on the ticket. */
export function typedIn(ticket: TicketState): string {
  const { deal, outcome, orderType, priceText, unit, quantityText, amountText } = ticket
  const fields = [deal, outcome, orderType, priceText, unit, quantityText, amountText]
  return fields.map(({ value }) => value).join('\n')
}

/** Forgets what was said about the last order; one that is under way stays under way. */
export function forgetSent({ sent }: TicketState): void {
  sent.isTried.value = false
  sent.isAsking.value = false
  sent.result.value = undefined
  sent.unanswered.value = undefined
  sent.answeredAt.value = undefined
}

/** Turns the ticket to buying or selling, with the quantity that was typed for that. */
export function chooseDeal(ticket: TicketState, deal: TicketDraft['deal']): void {
  if (ticket.deal.value === deal) return
  ticket.deal.value = deal
  const { quantityText, otherQuantityText } = ticket
  ;[quantityText.value, otherQuantityText.value] = [otherQuantityText.value, quantityText.value]
}

/** Returns the unit of the ticket’s quantity: contracts are sold by their number. */
export function unitOf({ deal, unit }: TicketState): Unit {
  return deal.value === 'buy' ? unit.value : 'contracts'
}

/** Fills in a price in rupees as a beginning. */
export function offerPrice(ticket: TicketState, price: number): void {
  const text = price.toFixed(2)
  ticket.offered.value = { deal: ticket.deal.value, text }
  ticket.priceText.value = text
}

/** Returns whether the price is one that a person has typed or picked. */
export function isOwnPrice({ priceText, offered }: TicketState): boolean {
  return priceText.value !== (offered.value?.text ?? '')
}

/** Opens the ticket as a sheet, to buy an outcome; what was typed or answered about that is still there. */
export function openSheet(ticket: TicketState, outcome: Outcome, price: number | undefined): void {
  const { sent } = ticket
  const isOther = ticket.outcome.value !== outcome || ticket.deal.value !== 'buy'
  chooseDeal(ticket, 'buy')
  ticket.outcome.value = outcome
  const isAnswered = sent.isSending.value || sent.result.value !== undefined
  if (price !== undefined && (isOther || !(isOwnPrice(ticket) || isAnswered))) offerPrice(ticket, price)
  sent.isAway.value = false
  ticket.isSheetOpen.value = true
}

/** Fills in a limit price, in rupees of YES, and opens the ticket where it is a sheet. */
export function pickPrice(ticket: TicketState, yesPrice: number, payout: number): void {
  ticket.orderType.value = 'LO'
  ticket.offered.value = undefined
  ticket.priceText.value = (ticket.outcome.value === 'yes' ? yesPrice : payout - yesPrice).toFixed(2)
  ticket.isSheetOpen.value = true
}
