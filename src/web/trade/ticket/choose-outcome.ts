import { useLayoutEffect } from 'preact/hooks'
import { oppositeSide } from '../../../core/order.js'
import { nearestPrice } from './first-offer.js'
import type { Outcome } from './ticket-draft.js'
import type { TicketView } from './ticket-state.js'
import { offerPrice } from './ticket-state.js'

type Place = Pick<TicketView, 'ticket' | 'book' | 'payout'>

/** Turns the ticket to an outcome and its price. */
export function chooseOutcome({ ticket, book, payout }: Place, outcome: Outcome): void {
  if (ticket.outcome.peek() === outcome) return
  ticket.outcome.value = outcome
  const price = nearestPrice({ deal: ticket.deal.peek(), outcome }, book, payout)
  if (price !== undefined) offerPrice(ticket, price)
}

/** Turns a ticket that begins to sell to the outcome that can be sold, if it is only one. */
export function useSellableOutcome(view: TicketView): void {
  const deal = view.ticket.deal.value
  useLayoutEffect(() => {
    if (deal === 'sell') chooseOutcome(view, sellableOutcome(view))
  }, [deal])
}

function sellableOutcome({ ticket, power }: Pick<TicketView, 'ticket' | 'power'>): Outcome {
  const outcome = ticket.outcome.peek()
  const lots = { yes: power.yesLots, no: power.noLots }
  const other = oppositeSide(outcome)
  return lots[outcome] === 0 && lots[other] > 0 ? other : outcome
}
