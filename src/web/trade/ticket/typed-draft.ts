import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { hundredthsIn } from '../../kit/hundredths.js'
import { plainNumber } from '../../kit/typed-number.js'
import type { Surroundings } from './market-limit.js'
import { atMarket } from './market-limit.js'
import { contractsFor } from './rupee-quantity.js'
import type { TicketDraft } from './ticket-draft.js'
import type { TicketState } from './ticket-state.js'
import { unitOf } from './ticket-state.js'

/** Reads a ticket in the exchange’s units; amounts in rupees and orders at market by the book as it is. */
export function draftOf(ticket: TicketState, around: Surroundings): TicketDraft {
  const typed = typedDraft(ticket, around)
  return typed.orderType === 'MO' ? atMarket(typed, around) : typed
}

function typedDraft(ticket: TicketState, { terms, book, own, power }: Surroundings): TicketDraft {
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
  const spendUnits = paise === undefined ? undefined : paise * 100
  const holdUnits = Math.min(terms.maxBetUnits, power.moneyUnits ?? Number.POSITIVE_INFINITY)
  const bought =
    spendUnits === undefined ? undefined : contractsFor({ spendUnits, holdUnits }, order, terms, book, own)
  return {
    ...order,
    lots: bought?.lots,
    amount: { spendUnits, leftUnits: bought?.leftUnits ?? 0 },
  }
}
