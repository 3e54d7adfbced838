import type { Book, OwnOrder } from '../market/ladder-rows.js'
import type { FillEstimate } from './fill-estimate.js'
import { estimateFill } from './fill-estimate.js'
import type { BuyingPower, TicketDraft, TicketTerms } from './ticket-draft.js'
import { sideOf, yesTicks } from './ticket-draft.js'

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
  /** The stake: its cost, and the larger of what the contracts sold bring and might bring. */
  readonly worthUnits: number
  /** The fee, of what fills now and of what rests. */
  readonly feeUnits: number
}

/** Returns what a sale brings: its proceeds, less the fee. */
export function receivedOf({ proceedsUnits, feeUnits }: TicketSum): number {
  return proceedsUnits - feeUnits
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
  if (lots === undefined || lots <= 0 || priceTicks === undefined) return undefined
  const side = sideOf(draft)
  const { payoutTicks } = terms
  const limitTicks = yesTicks(draft.outcome, priceTicks, payoutTicks)
  const coveredLots = Math.min(lots, side === 'yes' ? power.noLots : power.yesLots)
  const estimate = estimateFill({ side, limitTicks, lots, coveredLots, payoutTicks }, book, own)
  const restingLots = orderType === 'MO' || estimate.stop !== undefined ? 0 : lots - estimate.filledLots
  const restingSold = Math.min(restingLots, coveredLots - estimate.soldLots)
  const restUnit = side === 'yes' ? limitTicks : payoutTicks - limitTicks
  const bought = estimate.filledLots - estimate.soldLots + restingLots - restingSold
  const costUnits = estimate.paidUnits + restUnit * (restingLots - restingSold)
  const proceedsUnits = estimate.receivedUnits + (payoutTicks - restUnit) * restingSold
  const soldLots = estimate.soldLots + restingSold
  return {
    estimate,
    restingLots,
    costUnits,
    payoutUnits: payoutTicks * bought,
    proceedsUnits,
    soldLots,
    feeUnits: feeOf(terms, estimate.feeWeight, restUnit * (payoutTicks - restUnit) * restingLots),
    worthUnits: costUnits + Math.max(proceedsUnits, payoutTicks * soldLots - proceedsUnits),
  }
}

/** Returns the fee of what fills on arrival and of what rests, each rounded up to a unit. */
function feeOf({ fees, payoutTicks }: TicketTerms, taken: number, rested: number): number {
  if (fees === undefined) return 0
  const share = (rate: number, weight: number) => Math.ceil((rate * weight) / (10_000 * payoutTicks))
  return share(fees.taker, taken) + share(fees.maker, rested)
}
