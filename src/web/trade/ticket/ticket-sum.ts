import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { FillEstimate } from './fill-estimate.js'
import { estimateFill } from './fill-estimate.js'
import type { BuyingPower, TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

/** What a ticket comes to, in units of ₹0.0001 and lots. */
export interface TicketSum {
  readonly estimate: FillEstimate
  /** What waits in the book afterwards; a market order's rest is cancelled instead. */
  readonly restingLots: number
  /** What the order can cost: what is paid at once, and what is held for the part that waits. */
  readonly putUnits: number
  /** What its new contracts pay if their outcome comes true. */
  readonly getUnits: number
  /** What comes in for contracts that it sells, at its price or better. */
  readonly proceedsUnits: number
  /** Contracts that the order sells first: those of the other outcome when buying, its own when selling. */
  readonly soldLots: number
}

/** Sums a whole ticket up against the book as it lies there now; undefined while a number is missing. */
export function sumTicket(
  draft: TicketDraft,
  terms: TicketTerms,
  power: BuyingPower,
  book: Book,
  own: readonly OwnOrder[],
): TicketSum | undefined {
  const { lots, priceTicks, orderType } = draft
  const isLimit = orderType === 'LO'
  if (lots === undefined || lots <= 0 || (isLimit && priceTicks === undefined)) return undefined
  const side = sideOf(draft)
  const { payoutTicks, maxBetUnits } = terms
  const limitTicks = isLimit ? yesTicks(draft.outcome, priceTicks ?? 0, payoutTicks) : undefined
  const coveredLots = Math.min(lots, side === 'yes' ? power.noLots : power.yesLots)
  const moneyUnits = Math.min(power.moneyUnits ?? Number.POSITIVE_INFINITY, maxBetUnits)
  const estimate = estimateFill({ side, limitTicks, lots, coveredLots, moneyUnits, payoutTicks }, book, own)
  const restingLots = limitTicks === undefined || estimate.stop !== undefined ? 0 : lots - estimate.filledLots
  const restingSold = Math.min(restingLots, coveredLots - estimate.soldLots)
  const restUnit = limitTicks === undefined ? 0 : side === 'yes' ? limitTicks : payoutTicks - limitTicks
  const bought = estimate.filledLots - estimate.soldLots + restingLots - restingSold
  return {
    estimate,
    restingLots,
    putUnits: estimate.paidUnits + restUnit * (restingLots - restingSold),
    getUnits: payoutTicks * bought,
    proceedsUnits: estimate.receivedUnits + (payoutTicks - restUnit) * restingSold,
    soldLots: estimate.soldLots + restingSold,
  }
}

/** The YES price of an outcome's price. */
export function yesTicks(outcome: 'yes' | 'no', priceTicks: number, payoutTicks: number): number {
  return outcome === 'yes' ? priceTicks : payoutTicks - priceTicks
}
