import { assert } from './assert.js'
import type { SettledPosition } from './command.js'
import type { ConversionEffect } from './conversion.js'
import type { Settlement } from './engine-event.js'
import type { FillFee } from './fees.js'
import type { GroupTerms } from './group.js'
import { EXTERNAL, FEES, HOUSE } from './ledger.js'
import type { MarketTerms, Outcome } from './market.js'
import type { Side } from './order.js'
import { oppositeSide, unitCost } from './order.js'
import { poolCode } from './pool.js'
import type { CashEntry, Postings } from './postings.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber, PriceTicks, QuantityLots } from './units.js'
import { lots, times } from './units.js'

/** One side of an order. `covered` lots sell contracts the owner holds, the rest is paid for in cash. */
export interface Leg {
  readonly owner: AccountNumber
  readonly side: Side
  readonly covered: QuantityLots
}

/** One side of a fill. */
export interface FillLeg extends Leg {
  readonly order: OrderNumber
  readonly fee: FillFee
}

/** The number, YES price and quantity of a fill. */
export interface FillTerms {
  readonly trade: number
  readonly price: PriceTicks
  readonly quantity: QuantityLots
}

/** The part of the terms that settles positions in a market, or in a group as a whole. */
type SettledTerms = Pick<MarketTerms, 'code' | 'payout' | 'escrow' | 'pool'>

/** Holds an accepted order's money and locks the contracts it sells. */
export function postPlaced(postings: Postings, terms: MarketTerms, leg: Leg, hold: Amount): void {
  if (hold > 0) postings.held(leg.owner, hold)
  if (leg.covered > 0) postings.locked(terms.code, leg.owner, oppositeSide(leg.side), leg.covered)
}

/** Releases hold and locks: an order ended unfilled, or a better price left money over. */
export function postReleased(postings: Postings, terms: MarketTerms, leg: Leg, hold: Amount): void {
  if (hold > 0) postings.held(leg.owner, -hold)
  if (leg.covered > 0) postings.locked(terms.code, leg.owner, oppositeSide(leg.side), -leg.covered)
}

/**
 * Clears two legs at a YES price. Uncovered against uncovered mints pairs, covered against uncovered
 * transfers contracts, covered against covered burns pairs (architecture 3). Fees go to the escrow. Returns
 * the change in open pairs.
 */
export function postFill(
  postings: Postings,
  terms: MarketTerms,
  fill: FillTerms,
  taker: FillLeg,
  maker: FillLeg,
): number {
  postLeg(postings, terms, fill, taker)
  postLeg(postings, terms, fill, maker)
  const pairs = fill.quantity - taker.covered - maker.covered
  postings.cash(terms.escrow, terms.payout * pairs + taker.fee.due + maker.fee.due)
  return pairs
}

/** Pays money from the operator, through the house, into the account of its quotes; back if negative. */
export function postHouseMoney(
  postings: Postings,
  { market, account }: { readonly market: MarketCode; readonly account: AccountNumber },
  change: number,
): void {
  const paidIn: CashEntry = { account: HOUSE, kind: change > 0 ? 'deposit' : 'withdrawal', change, market }
  const passedOn: CashEntry = { account: HOUSE, kind: 'house_quotes', change: -change, market }
  const received: CashEntry = { account, kind: 'house_quotes', change, market }
  postings.cash(EXTERNAL, -change)
  const lines = [paidIn, passedOn, received]
  // Each account has the money before it passes it on.
  for (const line of change > 0 ? lines : lines.reverse()) postings.enter(line)
}

/** Redeems a user's free YES/NO pairs for cash: each pair is worth the payout. */
export function postMerge(
  postings: Postings,
  terms: MarketTerms,
  account: AccountNumber,
  quantity: QuantityLots,
): void {
  const value = times(terms.payout, quantity)
  postings.contracts(terms.code, account, 'yes', -quantity)
  postings.contracts(terms.code, account, 'no', -quantity)
  postings.flow({ account, kind: 'merge', change: value, market: terms.code }, poolCode(terms))
  postings.cash(terms.escrow, -value)
}

/** Moves the fees of a pool to the account of fees, once it has paid every contract. */
export function postSweep(postings: Postings, escrow: AccountNumber, fees: number): void {
  if (fees === 0) return
  postings.cash(escrow, -fees)
  postings.cash(FEES, fees)
}

/** Exchanges a user's contracts in a group for others and cash. */
export function postConversion(
  postings: Postings,
  { code, escrow }: GroupTerms,
  { account, lots: quantity, number }: { account: AccountNumber; lots: QuantityLots; number: number },
  { takes, gives, cash }: ConversionEffect,
): void {
  assert(escrow !== undefined, 'only contracts of an exclusive group are converted')
  for (const market of takes.markets) postings.contracts(market, account, takes.side, -quantity)
  for (const market of gives.markets) postings.contracts(market, account, gives.side, quantity)
  postings.flow({ account, kind: 'conversion', change: cash, market: code, trade: number }, code)
  postings.cash(escrow, -cash)
}

/** Settles one user's position: pays the winning contracts, or refunds net payments in a voided market. */
export function postSettlement(
  postings: Postings,
  terms: SettledTerms,
  outcome: Outcome,
  position: SettledPosition,
): Settlement {
  const [account, yes, no, paid] = position
  const { code: market, payout, escrow } = terms
  postings.contracts(market, account, 'yes', -yes)
  postings.contracts(market, account, 'no', -no)
  let payment: number
  if (outcome === 'void') {
    payment = postRefund(postings, terms, position)
  } else {
    payment = times(payout, outcome === 'yes' ? yes : no)
    postings.flow({ account, kind: 'settlement', change: payment, market }, poolCode(terms))
    postings.cash(escrow, -payment)
  }
  return { market, account, outcome, yes, no, paid, payment }
}

/**
 * Reverses one user's net cash flow. A user who is ahead pays back what the desk could hold of it; the house
 * covers the rest with money from the operator. Returns the user's payment.
 */
function postRefund(postings: Postings, terms: SettledTerms, position: SettledPosition): number {
  const [account, , , paid, held] = position
  const { code: market, escrow } = terms
  const payment = paid > 0 ? paid : -held
  const shortfall = payment - paid
  postings.flow({ account, kind: 'void', change: payment, market }, poolCode(terms))
  postings.forgive(poolCode(terms), account, paid - payment)
  postings.cash(escrow, -paid)
  if (shortfall > 0) {
    postings.cash(EXTERNAL, -shortfall)
    postings.enter({ account: HOUSE, kind: 'deposit', change: shortfall, market })
    postings.enter({ account: HOUSE, kind: 'shortfall', change: -shortfall, market })
  }
  return payment
}

function postLeg(postings: Postings, terms: MarketTerms, fill: FillTerms, leg: FillLeg): void {
  const opposite = oppositeSide(leg.side)
  const { trade, price, quantity } = fill
  const { fee } = leg
  const { code: market, payout } = terms
  const bought = lots(quantity - leg.covered)
  const cost = times(unitCost(leg.side, price, payout), bought)
  const proceeds = times(unitCost(opposite, price, payout), leg.covered)
  const { owner: account, order } = leg
  const change = proceeds - cost - fee.due
  const paid = fee.due > 0 ? { fee: fee.due } : {}
  postings.flow({ account, kind: 'trade', change, ...paid, market, order, trade }, poolCode(terms))
  if (cost + fee.held > 0) postings.held(leg.owner, -(cost + fee.held))
  if (bought > 0) {
    postings.contracts(market, leg.owner, leg.side, bought)
  }
  if (leg.covered > 0) {
    postings.contracts(market, leg.owner, opposite, -leg.covered)
    postings.locked(market, leg.owner, opposite, -leg.covered)
  }
}
