import { useLayoutEffect } from 'preact/hooks'
import { oppositeSide } from '../../../core/order.js'
import { nearestPrice } from './first-offer.js'
import type { Outcome } from './ticket-draft.js'
import type { TicketView } from './ticket-state.js'
import { isOwnPrice, offerPrice } from './ticket-state.js'

type Place = Pick<TicketView, 'ticket' | 'book' | 'payout'>

/** Turns the ticket to an outcome and its price. */
export function chooseOutcome({ ticket, book, payout }: Place, outcome: Outcome): void {
  if (ticket.outcome.peek() === outcome) return
  ticket.outcome.value = outcome
  const price = nearestPrice({ deal: ticket.deal.peek(), outcome }, book, payout)
  if (price !== undefined) offerPrice(ticket, price)
}

/**
 * Follows the choice of buying or selling: a ticket that begins to sell turns to the outcome that can be
 * sold, if it is only one, and a price that the page filled in becomes one at which the deal can be made.
 */
export function useDeal(view: TicketView): void {
  const deal = view.ticket.deal.value
  useLayoutEffect(() => followDeal(view), [deal])
}

/** Fits the outcome and the price of a ticket to its deal. */
export function followDeal(view: TicketView): void {
  const { ticket, book, payout } = view
  const deal = ticket.deal.peek()
  if (deal === 'sell') chooseOutcome(view, sellableOutcome(view))
  const { deal: offeredFor = deal } = ticket.offered.peek() ?? {}
  if (offeredFor === deal || isOwnPrice(ticket)) return
  const price = nearestPrice({ deal, outcome: ticket.outcome.peek() }, book, payout)
  if (price !== undefined) offerPrice(ticket, price)
}

function sellableOutcome({ ticket, power }: Pick<TicketView, 'ticket' | 'power'>): Outcome {
  const outcome = ticket.outcome.peek()
  const lots = { yes: power.yesLots, no: power.noLots }
  const other = oppositeSide(outcome)
  return lots[outcome] === 0 && lots[other] > 0 ? other : outcome
}
