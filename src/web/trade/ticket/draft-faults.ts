import { PRICE_MARGIN } from '../../../core/market.js'
import { oppositeSide } from '../../../core/order.js'
import { QUANTITY_LOTS_MAX, TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import type { BuyingPower, TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

/** An error in a ticket: the field and the text to show there. */
export interface DraftFault {
  readonly field: 'price' | 'quantity'
  readonly words: string
}

/** Prices keep ₹0.10 away from both ends, and a quantity is at least 0.1 (specification 8). */
const LOTS_MIN = 10

/** Returns the first reason why the exchange would refuse the order, before it is sent. */
export function faultOf(draft: TicketDraft, terms: TicketTerms, power: BuyingPower): DraftFault | undefined {
  return (
    (draft.orderType === 'LO' ? priceFault(draft, terms) : undefined) ?? quantityFault(draft, terms, power)
  )
}

function priceFault({ priceTicks }: TicketDraft, terms: TicketTerms): DraftFault | undefined {
  const { payoutTicks, tickTicks } = terms
  const fault = (words: string) => ({ field: 'price' as const, words })
  const [lowest, highest] = [PRICE_MARGIN, payoutTicks - PRICE_MARGIN].map(ticks =>
    rupeesText(ticks / TICKS_PER_RUPEE),
  )
  if (priceTicks === undefined) return fault(`Enter a price from ${lowest} to ${highest}.`)
  if (priceTicks < PRICE_MARGIN || priceTicks > payoutTicks - PRICE_MARGIN) {
    return fault(`The price must be from ${lowest} to ${highest}.`)
  }
  if (priceTicks % tickTicks !== 0) {
    return fault(`The price must be a multiple of ${rupeesText(tickTicks / TICKS_PER_RUPEE)}.`)
  }
  return undefined
}

function quantityFault(draft: TicketDraft, terms: TicketTerms, power: BuyingPower): DraftFault | undefined {
  const { lots, outcome, deal, orderType, priceTicks = 0 } = draft
  const fault = (words: string) => ({ field: 'quantity' as const, words })
  if (lots === undefined) return fault('Enter a number of contracts, for example 10 or 2.5.')
  if (lots < LOTS_MIN) return fault('Minimum order: 0.1 contracts.')
  if (lots > QUANTITY_LOTS_MAX) return fault('Maximum order: 1,00,00,00,000 contracts.')
  const side = sideOf(draft)
  const free = side === 'yes' ? power.noLots : power.yesLots
  if (deal === 'sell' && lots > free) {
    const name = outcome.toUpperCase()
    return fault(
      free === 0
        ? `You have no ${name} to sell. To bet against, buy ${oppositeSide(outcome).toUpperCase()}.`
        : `You can sell up to ${countText(free / 100)} ${name}.`,
    )
  }
  if (orderType === 'MO') return undefined

  // The exchange measures a bet by what the side costs, whether it is paid or sold into.
  const unit = deal === 'buy' ? priceTicks : terms.payoutTicks - priceTicks
  const bet = unit * lots
  const limits = (units: number) => rupeesText(units / UNITS_PER_RUPEE)
  if (bet > terms.maxBetUnits) return fault(`Maximum order: ${limits(terms.maxBetUnits)}.`)
  if (bet < terms.minBetUnits && free < lots) {
    return fault(`Minimum order: ${limits(terms.minBetUnits)}.`)
  }
  const needed = unit * Math.max(0, lots - free)
  if (power.moneyUnits !== undefined && needed > power.moneyUnits) {
    return fault(`Available ${limits(power.moneyUnits)}; this order needs ${limits(needed)}.`)
  }
  return undefined
}
