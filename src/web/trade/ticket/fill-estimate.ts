import { TICKS_PER_RUPEE } from '../../../core/units.js'
import type { Book, OwnOrder } from '../market/ladder-rows.js'

/** An order that is about to be sent, on the YES price axis: ticks of ₹0.01 and lots of 0.01 contract. */
export interface Incoming {
  readonly side: 'yes' | 'no'
  /** The worst acceptable YES price; undefined to find out how far it would go. */
  readonly limitTicks: number | undefined
  readonly lots: number
  /** Lots that sell contracts which its user holds: they fill first and need no money. */
  readonly coveredLots: number
  readonly payoutTicks: number
  /** The money that decides how many lots it has; the exchange refuses an order that is not paid for. */
  readonly budget?: Budget
}

/** Money in units of ₹0.0001. */
export interface Budget {
  /** The most that may be paid. */
  readonly spendUnits: number
  /** The most that may be set aside, which is the worst price for every lot. */
  readonly holdUnits: number
}

/** The fills an order would get from the book as it is now. */
export interface FillEstimate {
  readonly filledLots: number
  /** The part of the filled lots that sells contracts. */
  readonly soldLots: number
  /** Paid for the rest, in units of ₹0.0001. */
  readonly paidUnits: number
  /** Received for the contracts sold. */
  readonly receivedUnits: number
  /** Ticks of the YES price times lots, for the average. */
  readonly tradedUnits: number
  /** Σ price × (payout − price) × lots, which fees are a share of. */
  readonly feeWeight: number
  /** The last YES price it met; undefined if it met none. */
  readonly worstTicks: number | undefined
  /** The reason to stop before the order is filled or the book ends. */
  readonly stop: 'self_trade' | 'budget' | undefined
}

/**
 * Walks the other side of the book from its best price, as the engine does: at the maker’s price, contracts
 * that are held first, until the order is filled, its limit is reached, its budget is used up, or an own
 * order stands in the way. Levels do not show the queue at a price, so others’ orders are assumed to come
 * before an own order at the same price.
 */
export function estimateFill(incoming: Incoming, book: Book, own: readonly OwnOrder[]): FillEstimate {
  const { side, payoutTicks, budget } = incoming
  let left = incoming.lots
  let covered = incoming.coveredLots
  const sum = { filledLots: 0, soldLots: 0, paidUnits: 0, receivedUnits: 0, tradedUnits: 0, feeWeight: 0 }
  let worstTicks: number | undefined
  for (const [price, quantity] of side === 'yes' ? book.asks : book.bids) {
    const ticks = Math.round(price * TICKS_PER_RUPEE)
    if (left === 0 || isWorse(ticks, incoming)) break
    const ownLots = ownLotsAt(own, side === 'yes' ? 'no' : 'yes', ticks)
    const unit = side === 'yes' ? ticks : payoutTicks - ticks
    const wanted = Math.min(left, Math.round(quantity * 100) - ownLots)
    const sold = Math.min(covered, wanted)
    const bought = Math.min(wanted - sold, affordableLots(unit, sum, budget))
    if (sold + bought > 0 || ownLots > 0) worstTicks = ticks
    left -= sold + bought
    covered -= sold
    sum.filledLots += sold + bought
    sum.soldLots += sold
    sum.paidUnits += unit * bought
    sum.receivedUnits += (payoutTicks - unit) * sold
    sum.tradedUnits += ticks * (sold + bought)
    sum.feeWeight += ticks * (payoutTicks - ticks) * (sold + bought)
    if (sold + bought < wanted) return { ...sum, worstTicks, stop: 'budget' }
    if (ownLots > 0 && left > 0) return { ...sum, worstTicks, stop: 'self_trade' }
  }
  return { ...sum, worstTicks, stop: undefined }
}

/** Returns how many more lots a budget pays for at a price. */
function affordableLots(
  unit: number,
  sum: Pick<FillEstimate, 'filledLots' | 'soldLots' | 'paidUnits'>,
  budget: Budget | undefined,
): number {
  if (budget === undefined) return Number.POSITIVE_INFINITY
  const byPayment = Math.floor((budget.spendUnits - sum.paidUnits) / unit)
  const byHold = Math.floor(budget.holdUnits / unit) - (sum.filledLots - sum.soldLots)
  return Math.max(0, Math.min(byPayment, byHold))
}

function isWorse(ticks: number, { side, limitTicks }: Incoming): boolean {
  if (limitTicks === undefined) return false
  return side === 'yes' ? ticks > limitTicks : ticks < limitTicks
}

function ownLotsAt(own: readonly OwnOrder[], side: 'yes' | 'no', ticks: number): number {
  let lots = 0
  for (const order of own) {
    if (order.side !== side || Math.round(order.yesPrice * TICKS_PER_RUPEE) !== ticks) continue
    lots += Math.round(order.remaining * 100)
  }
  return lots
}
