import type { MarketTerms } from './market.js'
import type { Side } from './order.js'
import { unitCost } from './order.js'
import type { Postings } from './postings.js'
import type { AccountNumber, Amount, PriceTicks, QuantityLots } from './units.js'
import { lots, times } from './units.js'

/** One side of a fill. `covered` lots sell contracts the owner holds, the rest is paid for in cash. */
export interface Leg {
  readonly owner: AccountNumber
  readonly side: Side
  readonly covered: QuantityLots
}

export const oppositeSide = (side: Side): Side => (side === 'yes' ? 'no' : 'yes')

/** An order is taken: its money is held, the contracts it sells are locked. */
export function postPlaced(postings: Postings, terms: MarketTerms, leg: Leg, hold: Amount): void {
  if (hold > 0) postings.held(leg.owner, hold)
  if (leg.covered > 0) postings.locked(terms.code, leg.owner, oppositeSide(leg.side), leg.covered)
}

/** The rest of an order ends unfilled, or a better price left money over: the hold and the locks go back. */
export function postReleased(postings: Postings, terms: MarketTerms, leg: Leg, hold: Amount): void {
  if (hold > 0) postings.held(leg.owner, -hold)
  if (leg.covered > 0) postings.locked(terms.code, leg.owner, oppositeSide(leg.side), -leg.covered)
}

/**
 * Two legs meet at a YES price. Uncovered against uncovered mints pairs, covered against uncovered moves
 * contracts, covered against covered burns pairs (design 3). Answers the change in open pairs.
 */
export function postFill(
  postings: Postings,
  terms: MarketTerms,
  price: PriceTicks,
  quantity: QuantityLots,
  taker: Leg,
  maker: Leg,
): number {
  postLeg(postings, terms, price, quantity, taker)
  postLeg(postings, terms, price, quantity, maker)
  const pairs = quantity - taker.covered - maker.covered
  postings.cash(terms.escrow, terms.payout * pairs)
  return pairs
}

/** A user's free YES and free NO of one market become cash again: every pair is worth the payout. */
export function postMerge(
  postings: Postings,
  terms: MarketTerms,
  account: AccountNumber,
  quantity: QuantityLots,
): void {
  const value = times(terms.payout, quantity)
  postings.contracts(terms.code, account, 'yes', -quantity)
  postings.contracts(terms.code, account, 'no', -quantity)
  postings.cash(account, value)
  postings.cash(terms.escrow, -value)
}

function postLeg(
  postings: Postings,
  terms: MarketTerms,
  price: PriceTicks,
  quantity: QuantityLots,
  leg: Leg,
): void {
  const opposite = oppositeSide(leg.side)
  const bought = lots(quantity - leg.covered)
  if (bought > 0) {
    const cost = times(unitCost(leg.side, price, terms.payout), bought)
    postings.cash(leg.owner, -cost)
    postings.held(leg.owner, -cost)
    postings.contracts(terms.code, leg.owner, leg.side, bought)
  }
  if (leg.covered > 0) {
    postings.cash(leg.owner, times(unitCost(opposite, price, terms.payout), leg.covered))
    postings.contracts(terms.code, leg.owner, opposite, -leg.covered)
    postings.locked(terms.code, leg.owner, opposite, -leg.covered)
  }
}
