import { assert } from './assert.js'

declare const UNIT: unique symbol
type Branded<Name extends string> = number & { readonly [UNIT]: Name }

/** A price: 1 tick = ₹0.01 a contract. */
export type PriceTicks = Branded<'PriceTicks'>
/** A quantity: 1 lot = 0.01 contract. */
export type QuantityLots = Branded<'QuantityLots'>
/** Money: ticks × lots, so 1 = ₹0.0001 and price × quantity is exact. */
export type Amount = Branded<'Amount'>
/** Milliseconds since 1970, UTC. */
export type TimeMs = Branded<'TimeMs'>

/** A market's code, the API's event code: 1000001, 1000002, … */
export type MarketCode = Branded<'MarketCode'>
/** An order's number within its market: 1, 2, 3, … in the order of arrival. */
export type OrderNumber = Branded<'OrderNumber'>
/** The highest: books keep the numbers of orders in 32 bits. */
export const ORDER_NUMBER_MAX = 2 ** 31 - 1
/** An account's number, dense over the whole exchange. */
export type AccountNumber = Branded<'AccountNumber'>
/** A position in a numbered sequence: the journal, or the messages of one market. */
export type Sequence = Branded<'Sequence'>

export const TICKS_PER_RUPEE = 100
export const LOTS_PER_CONTRACT = 100
/** Prices and quantities alike have two decimals. */
const STEPS_PER_UNIT = 100
const STEP_TOLERANCE = 1e-9
export const UNITS_PER_RUPEE = TICKS_PER_RUPEE * LOTS_PER_CONTRACT

/** The largest order, 1 billion contracts: times the highest payout it stays below 2^53. */
export const QUANTITY_LOTS_MAX = 1e11

export const ticks = (value: number) => value as PriceTicks
export const lots = (value: number) => value as QuantityLots
export const amount = (value: number) => value as Amount

export const NOTHING = amount(0)
export const NO_LOTS = lots(0)

/** Returns price × quantity, exactly. */
export function times(price: PriceTicks, quantity: QuantityLots): Amount {
  const product = price * quantity
  assert(Number.isSafeInteger(product), 'an amount is an integer below 2^53')
  return amount(product)
}

/** Returns the price of the other outcome: YES and NO together cost the payout. */
export function complement(price: PriceTicks, payout: PriceTicks): PriceTicks {
  return ticks(payout - price)
}

/** Returns the smaller of two quantities. */
export function least(a: QuantityLots, b: QuantityLots): QuantityLots {
  return a < b ? a : b
}

/**
 * Returns a JSON number as a whole count of 1/`perUnit`; undefined if it is not a multiple of that.
 * Exact for every decimal literal: n / perUnit rounds to the very double that the literal rounds to.
 */
export function wholeParts(value: number, perUnit: number): number | undefined {
  const parts = Math.round(value * perUnit)
  return Number.isSafeInteger(parts) && parts / perUnit === value ? parts : undefined
}

/**
 * Returns the multiple of 1/100 from which a price or quantity differs by at most 10⁻⁹: arithmetic on doubles
 * makes 4.6000000000000005 of 46 × 0.1. Every other number, and one that would become 0, stays as it is.
 */
export function nearestStep(value: number): number {
  const step = Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT
  return step > 0 && Math.abs(value - step) <= STEP_TOLERANCE ? step : value
}

/** Ticks as rupees, a number with at most two decimals. */
export const toRupees = (price: PriceTicks) => price / TICKS_PER_RUPEE
/** Lots as contracts, a number with at most two decimals. */
export const toContracts = (quantity: QuantityLots) => quantity / LOTS_PER_CONTRACT
/** An amount as rupees, a number with at most four decimals. */
export const amountToRupees = (value: Amount) => value / UNITS_PER_RUPEE
