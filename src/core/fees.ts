import { assert } from './assert.js'
import type { Side } from './order.js'
import { unitCost } from './order.js'
import type { Amount, PriceTicks, QuantityLots } from './units.js'
import { amount, lots, NOTHING, ticks, times } from './units.js'

/** Fee rates in basis points of price × (payout − price) ÷ payout: of fills on arrival, and while resting. */
export interface FeeRates {
  readonly taker: number
  readonly maker: number
}

export const NO_FEES: FeeRates = { taker: 0, maker: 0 }

/** The highest rate. At 10 % of price × (payout − price) a fee is below what either side gets. */
export const FEE_RATE_MAX = 1000

const POINTS = 10_000

/**
 * A charged fee. `credit` is what the order has paid beyond its exact fee, in 1/(10,000 × payout) of a unit:
 * less than one unit of money, and the next fill uses it. So an order pays its exact fee, rounded up once,
 * into however many fills it is sliced.
 */
export interface Charge {
  readonly due: Amount
  readonly credit: number
}

/** A fill's fee: all of it, the part that was held for it, and the order's credit afterwards. */
export interface FillFee extends Charge {
  readonly held: Amount
}

/** The rate at which an order pays now, and its credit. */
export interface OrderFee {
  readonly rate: number
  readonly credit: number
}

export const NO_FILL_FEE: FillFee = { due: NOTHING, held: NOTHING, credit: 0 }
export const NO_ORDER_FEE: OrderFee = { rate: 0, credit: 0 }

/** Returns true if an order with these rates may have to pay. */
export function hasFees({ taker, maker }: FeeRates): boolean {
  return taker > 0 || maker > 0
}

/** Returns the fee of a quantity at a price, of either outcome: both have the same. */
export function chargeFee(
  rate: number,
  price: PriceTicks,
  payout: PriceTicks,
  quantity: QuantityLots,
  credit: number,
): Charge {
  if (rate === 0 || quantity === 0) return { due: NOTHING, credit }
  assert(rate > 0 && rate <= FEE_RATE_MAX, 'a fee rate is within its bounds')
  // A product of rate, prices and quantity may exceed 2^53.
  const exact = BigInt(rate * price * (payout - price)) * BigInt(quantity) - BigInt(credit)
  if (exact <= 0n) return { due: NOTHING, credit: Number(-exact) }
  const unit = BigInt(POINTS * payout)
  const due = (exact + unit - 1n) / unit
  return { due: amount(Number(due)), credit: Number(due * unit - exact) }
}

/** Returns the fee of a fill. Its covered part comes first, and its fee is paid from the proceeds. */
export function chargeFill(
  { rate, credit }: OrderFee,
  price: PriceTicks,
  payout: PriceTicks,
  covered: QuantityLots,
  uncovered: QuantityLots,
): FillFee {
  const sold = chargeFee(rate, price, payout, covered, credit)
  const bought = chargeFee(rate, price, payout, uncovered, sold.credit)
  return { due: amount(sold.due + bought.due), held: bought.due, credit: bought.credit }
}

/** The part of an order that rests, or is to rest. */
interface OpenPart {
  readonly side: Side
  /** The YES price. */
  readonly price: PriceTicks
  readonly lots: QuantityLots
  readonly covered: QuantityLots
}

/**
 * Returns the money that an open order holds: what its uncovered part costs, and the fee of that. The credit
 * counts once the covered part, which uses it first, is gone. A better price costs less, with its fee.
 */
export function restingHold(order: OpenPart, payout: PriceTicks, { rate, credit }: OrderFee): Amount {
  const { side, price, covered } = order
  const uncovered = lots(order.lots - covered)
  const cost = times(unitCost(side, price, payout), uncovered)
  if (rate === 0) return cost
  const { due } = chargeFee(rate, price, payout, uncovered, covered === 0 ? credit : 0)
  return amount(cost + due)
}

/** Returns the lots that money pays for at a price, with their fee. */
export function affordableWithFee(
  money: Amount,
  unit: PriceTicks,
  payout: PriceTicks,
  rate: number,
): QuantityLots {
  const perLot = BigInt(POINTS * payout * unit) + BigInt(rate * unit * (payout - unit))
  return lots(Number((BigInt(money) * BigInt(POINTS * payout)) / perLot))
}

/** Returns the most that a quantity may pay at this cost of a lot or less: fees are highest in the middle. */
export function feeMax(rate: number, unit: PriceTicks, payout: PriceTicks, quantity: QuantityLots): Amount {
  const worst = ticks(Math.min(unit, Math.floor(payout / 2)))
  return chargeFee(rate, worst, payout, quantity, 0).due
}

/** Returns the most that contracts of this cost may pay, at whatever prices. */
export function feeMaxOfCost(rate: number, cost: Amount): Amount {
  return rate === 0 ? NOTHING : amount(Number((BigInt(cost) * BigInt(rate) + 9_999n) / BigInt(POINTS)))
}
