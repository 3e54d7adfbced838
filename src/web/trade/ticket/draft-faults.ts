import { TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../kit/grid.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import type { Means, TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

/** What is wrong with a ticket, where, and what to do. */
export interface DraftFault {
  readonly field: 'price' | 'quantity'
  readonly words: string
}

/** Prices keep ₹0.10 away from both ends, and a quantity is at least 0.1 (spec 8). */
const MARGIN_TICKS = 10
const LOTS_MIN = 10
const LOTS_MAX = 100_000_000_000

/** The first reason why the exchange would say no, so that nobody has to send an order to hear it. */
export function faultOf(draft: TicketDraft, terms: TicketTerms, means: Means): DraftFault | undefined {
  return (
    (draft.orderType === 'LO' ? priceFault(draft, terms) : undefined) ?? quantityFault(draft, terms, means)
  )
}

function priceFault({ priceTicks }: TicketDraft, terms: TicketTerms): DraftFault | undefined {
  const { payoutTicks, tickTicks } = terms
  const fault = (words: string) => ({ field: 'price' as const, words })
  const [lowest, highest] = [MARGIN_TICKS, payoutTicks - MARGIN_TICKS].map(ticks =>
    rupeesText(ticks / TICKS_PER_RUPEE),
  )
  if (priceTicks === undefined) return fault(`Give a price in rupees, from ${lowest} to ${highest}.`)
  if (priceTicks < MARGIN_TICKS || priceTicks > payoutTicks - MARGIN_TICKS) {
    return fault(`A price here is from ${lowest} to ${highest}.`)
  }
  if (priceTicks % tickTicks !== 0) {
    return fault(`Prices here go in steps of ${rupeesText(tickTicks / TICKS_PER_RUPEE)}.`)
  }
  return undefined
}

function quantityFault(draft: TicketDraft, terms: TicketTerms, means: Means): DraftFault | undefined {
  const { lots, outcome, deal, orderType, priceTicks = 0 } = draft
  const fault = (words: string) => ({ field: 'quantity' as const, words })
  if (lots === undefined) return fault('Give a number of contracts, such as 10 or 2.5.')
  if (lots < LOTS_MIN) return fault('The smallest order is 0.1 contracts.')
  if (lots > LOTS_MAX) return fault('The largest order is 1,00,00,00,000 contracts.')
  const side = sideOf(draft)
  const free = side === 'yes' ? means.noLots : means.yesLots
  if (deal === 'sell' && lots > free) {
    const name = outcome.toUpperCase()
    return fault(
      free === 0 ? `You hold no free ${name} to sell.` : `You can sell ${countText(free / 100)} ${name}.`,
    )
  }
  if (orderType === 'MO') return undefined

  // The exchange measures a bet by what the side costs, whether it is paid or sold into.
  const unit = deal === 'buy' ? priceTicks : terms.payoutTicks - priceTicks
  const bet = unit * lots
  const limits = (units: number) => rupeesText(units / UNITS_PER_RUPEE)
  if (bet > terms.maxBetUnits) return fault(`An order here is worth ${limits(terms.maxBetUnits)} at most.`)
  if (bet < terms.minBetUnits && free < lots) {
    return fault(`An order here is worth ${limits(terms.minBetUnits)} at least.`)
  }
  const needed = unit * Math.max(0, lots - free)
  if (means.moneyUnits !== undefined && needed > means.moneyUnits) {
    return fault(`You have ${limits(means.moneyUnits)} to use; this needs ${limits(needed)}.`)
  }
  return undefined
}
