import { QUANTITY_LOTS_MAX } from '../../../core/units.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { Budget } from './fill-estimate.js'
import { estimateFill } from './fill-estimate.js'
import type { TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

/** The contracts that an amount of money buys. */
export interface RupeeQuantity {
  readonly lots: number
  /** The rest of the amount, in units of ₹0.0001. */
  readonly leftUnits: number
}

/**
 * Turns an amount, in units of ₹0.0001, into as many hundredths of a contract as it pays for: at the limit
 * price, or level by level at market, where the worst price for all of them has to fit the hold. Undefined
 * while a limit order has no price.
 */
export function contractsFor(
  budget: Budget,
  order: Pick<TicketDraft, 'deal' | 'outcome' | 'orderType' | 'priceTicks'>,
  { payoutTicks }: TicketTerms,
  book: Book,
  own: readonly OwnOrder[],
): RupeeQuantity | undefined {
  const { orderType, priceTicks } = order
  const { spendUnits } = budget
  if (orderType === 'LO') {
    if (priceTicks === undefined || priceTicks <= 0) return undefined
    const lots = Math.min(QUANTITY_LOTS_MAX, Math.floor(spendUnits / priceTicks))
    return { lots, leftUnits: spendUnits - lots * priceTicks }
  }
  const all = {
    side: sideOf(order),
    limitTicks: undefined,
    lots: QUANTITY_LOTS_MAX,
    coveredLots: 0,
    payoutTicks,
    budget,
  }
  const { filledLots, paidUnits } = estimateFill(all, book, own)
  return { lots: filledLots, leftUnits: spendUnits - paidUnits }
}

/** Returns a share of the most, in hundredths; whole rupees or contracts read better, where there are any. */
export function partOf(most: number, share: number): number {
  const part = Math.floor(most * share)
  return part < 100 || share === 1 ? part : Math.floor(part / 100) * 100
}
