import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { FillEstimate } from './fill-estimate.js'
import { estimateFill } from './fill-estimate.js'
import type { BuyingPower, TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

/** The totals of a ticket, in units of ₹0.0001 and lots. */
export interface TicketSum {
  readonly estimate: FillEstimate
  /** Lots that rest in the book afterwards; those of a market order are cancelled. */
  readonly restingLots: number
  /** The cost: money paid at once plus money held for the resting part. */
  readonly costUnits: number
  /** The payout of its new contracts if their outcome wins. */
  readonly payoutUnits: number
  /** The proceeds of the contracts it sells, at its price or better. */
  readonly proceedsUnits: number
  /** Contracts that the order sells first: those of the other outcome when buying, its own when selling. */
  readonly soldLots: number
}

/** Totals a ticket against the current book; undefined while a number is missing. */
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
    costUnits: estimate.paidUnits + restUnit * (restingLots - restingSold),
    payoutUnits: payoutTicks * bought,
    proceedsUnits: estimate.receivedUnits + (payoutTicks - restUnit) * restingSold,
    soldLots: estimate.soldLots + restingSold,
  }
}

/** Converts an outcome’s price to the YES price. */
export function yesTicks(outcome: 'yes' | 'no', priceTicks: number, payoutTicks: number): number {
  return outcome === 'yes' ? priceTicks : payoutTicks - priceTicks
}
