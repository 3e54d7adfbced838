import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsIn } from '../../kit/hundredths.js'
import { plainNumber } from '../../kit/typed-number.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import { contractsFor } from './rupee-quantity.js'
import type { TicketDraft, TicketTerms } from './ticket-draft.js'
import type { TicketState } from './ticket-state.js'
import { unitOf } from './ticket-state.js'

/** Reads a ticket in the exchange’s units; an amount in rupees by the book as it is now. */
export function draftOf(
  ticket: TicketState,
  terms: TicketTerms,
  book: Book,
  own: readonly OwnOrder[],
): TicketDraft {
  const [deal, outcome, orderType] = [ticket.deal.value, ticket.outcome.value, ticket.orderType.value]
  const priceText = ticket.priceText.value
  const priceTicks = hundredthsIn(priceText)
  const typed = plainNumber(priceText)
  const order = {
    deal,
    outcome,
    orderType,
    priceTicks,
    ...(typed !== undefined && { typedTicks: Number(typed) * TICKS_PER_RUPEE }),
  }
  if (unitOf(ticket) === 'contracts') return { ...order, lots: hundredthsIn(ticket.quantityText.value) }
  const paise = hundredthsIn(ticket.amountText.value)
  const spend = paise === undefined ? undefined : paise * 100
  const bought = spend === undefined ? undefined : contractsFor(spend, order, terms, book, own)
  return {
    ...order,
    lots: bought?.lots,
    amount: { spendUnits: spend, leftUnits: bought?.leftUnits ?? 0 },
  }
}
