import { assert } from '../assert.js'
import type { MarketTerms } from '../market.js'
import { PRICE_MARGIN } from '../market.js'
import type { Side } from '../order.js'
import { unitCost } from '../order.js'
import type { Amount, PriceTicks, QuantityLots } from '../units.js'
import { amount, lots, QUANTITY_LOTS_MAX, ticks } from '../units.js'

/**
 * The prices of house quotes, and what is for sale between them. The lots of cell i, between rung i and rung
 * i + 1, are for sale at rung i + 1; once sold, they are bought back at rung i.
 *
 * ```
 *   rung    low                    start price                      high
 *            |  lots[0]  |  lots[1]  |  lots[2]  |  lots[3]  |  …  |
 *                 bids at the start <-- --> asks at the start
 * ```
 */
export interface QuoteTable {
  readonly low: PriceTicks
  /** From one rung to the next. */
  readonly step: PriceTicks
  /** The number of cells below the start price. */
  readonly start: number
  readonly lots: readonly QuantityLots[]
}

/** The terms of a market that a table depends on. */
export interface QuotedTerms {
  readonly payout: PriceTicks
  readonly startPrice: PriceTicks
  readonly step: PriceTicks
  readonly budget: Amount
}

type PriceGrid = Pick<MarketTerms, 'payout' | 'tickSize'>

/** The most steps of a payout, unless a step is given. */
const STEPS_USUAL = 100

/** Returns the step of quotes for which none is given: a multiple of the tick, about 1/100 of the payout. */
export function usualStep({ payout, tickSize }: PriceGrid): PriceTicks {
  return ticks(Math.ceil(payout / STEPS_USUAL / tickSize) * tickSize)
}

/** Returns the price on the grid that is nearest to an even share of the payout. */
export function evenPrice({ payout, tickSize }: PriceGrid, outcomesCount: number): PriceTicks {
  const lowest = Math.ceil(PRICE_MARGIN / tickSize)
  const highest = Math.floor((payout - PRICE_MARGIN) / tickSize)
  const even = Math.round(payout / outcomesCount / tickSize)
  return ticks(Math.min(highest, Math.max(lowest, even)) * tickSize)
}

/** Why there is no table: with the least budget that gives each cell a lot, where there is one. */
export type TableRefusal =
  | { readonly refusal: 'no_rungs' | 'rungs_too_many' }
  | { readonly refusal: 'budget_too_small'; readonly atLeast: Amount }

/** The most cells of a table, which bounds the command that carries it. */
export const CELLS_MAX = 1000

/**
 * Makes the table of the logarithmic market scoring rule whose worst loss is within the budget, for the
 * largest liquidity with which that is so. The only place with floats: everything after it reads integers.
 */
export function newTable({ payout, startPrice, step, budget }: QuotedTerms): QuoteTable | TableRefusal {
  const below = Math.floor((startPrice - PRICE_MARGIN) / step)
  const above = Math.floor((payout - PRICE_MARGIN - startPrice) / step)
  const count = below + above
  if (below < 0 || above < 0 || count === 0) return { refusal: 'no_rungs' }
  if (count > CELLS_MAX) return { refusal: 'rungs_too_many' }
  const low = ticks(startPrice - below * step)
  const widths = Array.from({ length: count }, (_, cell) => {
    return logit((low + (cell + 1) * step) / payout) - logit((low + cell * step) / payout)
  })
  const tableOf = (liquidity: number): QuoteTable => {
    return { low, step, start: below, lots: widths.map(width => lots(Math.floor(liquidity * width))) }
  }
  // A little more than one lot in the narrowest cell, for rounding.
  const narrowest = widths.reduce((min, width) => Math.min(min, width))
  const least = (1 / narrowest) * (1 + 1e-12)
  const atLeast = lossMax(tableOf(least), payout)
  if (budget < atLeast) return { refusal: 'budget_too_small', atLeast: amount(atLeast) }
  return tableOf(largest(least, liquidity => fits(tableOf(liquidity), payout, budget)))
}

const logit = (chance: number) => Math.log(chance / (1 - chance))

/** Returns the largest number for which a test holds: it holds for `least`, and not from some number on. */
function largest(least: number, holds: (value: number) => boolean): number {
  let [known, beyond] = [least, least * 2]
  while (holds(beyond)) [known, beyond] = [beyond, beyond * 2]
  for (;;) {
    const middle = known + (beyond - known) / 2
    if (middle <= known || middle >= beyond) return known
    if (holds(middle)) known = middle
    else beyond = middle
  }
}

function fits(table: QuoteTable, payout: PriceTicks, budget: Amount): boolean {
  return lossMax(table, payout) <= budget && table.lots.every(inCell => inCell <= QUANTITY_LOTS_MAX)
}

/**
 * Returns the most that a table can lose: if everything above the start is sold and YES wins, or everything
 * below is bought and NO wins. Sums beyond 2^53 are inexact, but larger than any budget.
 */
export function lossMax(table: QuoteTable, payout: PriceTicks): number {
  let [ifYes, ifNo] = [0, 0]
  for (const [cell, inCell] of table.lots.entries()) {
    if (cell < table.start) ifNo += inCell * rungPrice(table, cell)
    else ifYes += inCell * (payout - rungPrice(table, cell + 1))
  }
  return Math.max(ifYes, ifNo)
}

export function rungPrice({ low, step }: QuoteTable, rung: number): PriceTicks {
  return ticks(low + rung * step)
}

/** Lots at a price: one order of the house. */
export interface Rest {
  readonly side: Side
  /** The YES price. */
  readonly price: PriceTicks
  readonly lots: QuantityLots
}

/** The rests of one side, from the best price on. */
type Rests = readonly Rest[]

/**
 * Returns the orders that should rest once the house has sold `sold` YES, net: of each side the nearest ones,
 * at most `lengthMax`.
 */
export function desiredRests(table: QuoteTable, sold: number, lengthMax: number): Record<Side, Rests> {
  const { cell: middle, part } = placeOf(table, sold)
  const no: Rest[] = []
  const yes: Rest[] = []
  for (let cell = middle; cell < table.lots.length && no.length < lengthMax; cell++) {
    const inCell = table.lots[cell] as number
    const left = cell === middle ? inCell - part : inCell
    if (left > 0) no.push({ side: 'no', price: rungPrice(table, cell + 1), lots: lots(left) })
  }
  for (let cell = middle; cell >= 0 && yes.length < lengthMax; cell--) {
    const inCell = table.lots[cell] ?? 0
    const back = cell === middle ? part : inCell
    if (back > 0) yes.push({ side: 'yes', price: rungPrice(table, cell), lots: lots(back) })
  }
  return { yes, no }
}

/** Returns the lots that may rest at a price of a side; 0 where it is not a rung. */
export function desiredAt(table: QuoteTable, sold: number, { side, price }: Omit<Rest, 'lots'>): number {
  const rung = (price - table.low) / table.step
  const cell = side === 'yes' ? rung : rung - 1
  const inCell = table.lots[cell]
  if (inCell === undefined) return 0
  const { cell: middle, part } = placeOf(table, sold)
  if (cell === middle) return side === 'yes' ? part : inCell - part
  return cell < middle === (side === 'yes') ? inCell : 0
}

/** Returns the first cell that is not sold whole, and what is sold of it. */
function placeOf({ start, lots: cells }: QuoteTable, sold: number): { cell: number; part: number } {
  let left = sold
  for (let cell = 0; cell < start; cell++) left += cells[cell] as number
  assert(left >= 0, 'the house buys no more than its table has')
  let cell = 0
  for (; cell < cells.length && left >= (cells[cell] as number); cell++) left -= cells[cell] as number
  assert(cell < cells.length || left === 0, 'the house sells no more than its table has')
  return { cell, part: left }
}

/** Money in units of ₹0.0001, and contracts, in lots. */
export interface HouseMeans {
  readonly cash: number
  readonly yes: number
  readonly no: number
}

/** A rest, and its part that sells contracts the house has. */
export interface PaidRest extends Rest {
  readonly covered: QuantityLots
  readonly hold: Amount
}

/**
 * Returns what of the desired orders the house can pay for, nearest first, the sides in turn: contracts of
 * earlier fills pay the way back, cash the rest. The last order of a side may be smaller than desired.
 */
export function affordableRests(
  desired: Readonly<Record<Side, Rests>>,
  means: HouseMeans,
  payout: PriceTicks,
): PaidRest[] {
  const left = { ...means }
  const paid: PaidRest[] = []
  const ended = { yes: false, no: false }
  for (let index = 0; index < Math.max(desired.yes.length, desired.no.length); index++) {
    for (const side of ['no', 'yes'] as const) {
      const rest = desired[side][index]
      if (rest === undefined || ended[side]) continue
      const sells = side === 'yes' ? 'no' : 'yes'
      const covered = Math.min(left[sells], rest.lots)
      const unit = unitCost(side, rest.price, payout)
      const bought = Math.min(rest.lots - covered, Math.floor(left.cash / unit))
      const size = covered + bought
      ended[side] = size < rest.lots
      if (size === 0) continue
      left[sells] -= covered
      left.cash -= bought * unit
      paid.push({ ...rest, lots: lots(size), covered: lots(covered), hold: amount(bought * unit) })
    }
  }
  return paid
}

/** The results of the house, in units of ₹0.0001: what it has, less what it was given. */
export interface HouseResults {
  readonly ifYes: number
  readonly ifNo: number
  /** The lowest result that is still possible, whatever trades from now on. */
  readonly worst: number
}

/** Returns the results of the house as they are, and the worst of all that may come. */
export function houseResults(
  table: QuoteTable,
  sold: number,
  { cash, yes, no }: HouseMeans,
  { payout, budget }: Pick<QuotedTerms, 'payout' | 'budget'>,
): HouseResults {
  const ifYes = cash + payout * yes - budget
  const ifNo = cash + payout * no - budget
  const { yes: bids, no: asks } = desiredRests(table, sold, table.lots.length)
  let [ifAllSold, ifAllBought] = [ifYes, ifNo]
  for (const { price, lots: size } of asks) ifAllSold -= (payout - price) * size
  for (const { price, lots: size } of bids) ifAllBought -= price * size
  return { ifYes, ifNo, worst: Math.min(ifAllSold, ifAllBought) }
}
