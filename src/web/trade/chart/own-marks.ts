import type { Fill } from '../../../client/shapes.js'
import type { Side } from '../../../core/order.js'

/** A user’s marks on a chart: their trades, and the price from which on they win. */
export interface OwnMarks {
  readonly fills: readonly OwnFill[]
  /** The average cost of their contracts, as a price of YES in rupees; undefined without contracts. */
  readonly average: number | undefined
}

/** One of the user’s trades on the axis of YES. */
export interface OwnFill {
  /** In ms since 1970. */
  readonly at: number
  /** The YES price, in rupees. */
  readonly price: number
  /** The outcome that the trade moved the user towards. */
  readonly side: Side
}

interface Holding {
  readonly yes: number
  readonly no: number
  readonly average_price: number | null
}

/** Returns the marks of a user in an event, their fills in any order. */
export function ownMarks(fills: readonly Fill[], holding: Holding | undefined, payout: number): OwnMarks {
  const { yes = 0, no = 0, average_price = null } = holding ?? {}
  const outcome = yes > 0 ? 'yes' : no > 0 ? 'no' : undefined
  return {
    fills: fills.map(({ ts_ms, price, outcome: named, side }) => ({
      at: ts_ms,
      price: named === 'yes' ? price : payout - price,
      side,
    })),
    // The average of a user who holds both is of neither.
    average:
      average_price === null || outcome === undefined || (yes > 0 && no > 0)
        ? undefined
        : outcome === 'yes'
          ? average_price
          : payout - average_price,
  }
}
