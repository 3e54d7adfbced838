import { oppositeSide } from '../../../core/order.js'
import { TICKS_PER_RUPEE } from '../../../core/units.js'

export type Outcome = 'yes' | 'no'
/** The unit in which the ticket’s quantity is typed. */
export type Unit = 'rupees' | 'contracts'

/** An order being written; numbers are undefined while they are not valid. */
export interface TicketDraft {
  readonly deal: 'buy' | 'sell'
  readonly outcome: Outcome
  readonly orderType: 'LO' | 'MO'
  /**
   * The outcome’s price in ticks of ₹0.01: the limit typed, undefined if it is not a number; at market the
   * worst price that is accepted, undefined if there is nobody to trade with.
   */
  readonly priceTicks: number | undefined
  /** The price as typed, with more decimals than the exchange has. */
  readonly typedTicks?: number
  /** In lots of 0.01 contract. */
  readonly lots: number | undefined
  /** The amount that the lots were reckoned from, in units of ₹0.0001; unless they were typed themselves. */
  readonly amount?: { readonly spendUnits: number | undefined; readonly leftUnits: number }
}

/** The trading terms of the ticket’s market, in the exchange’s units. */
export interface TicketTerms {
  readonly payoutTicks: number
  readonly tickTicks: number
  readonly minBetUnits: number
  readonly maxBetUnits: number
  /** Fee rates in basis points of price × (payout − price) ÷ payout; absent without fees. */
  readonly fees?: { readonly taker: number; readonly maker: number }
}

/** Free contracts in lots, and available money in units of ₹0.0001. */
export interface BuyingPower {
  readonly yesLots: number
  readonly noLots: number
  /** Undefined while unknown; then it is not checked. */
  readonly moneyUnits: number | undefined
  /** True if the user has no money at all, not even in open orders. */
  readonly isPenniless?: boolean
}

/** The side of the YES price axis that an offer takes: buying YES and selling NO are `yes`. */
export function sideOf({ deal, outcome }: Pick<TicketDraft, 'deal' | 'outcome'>): Outcome {
  return deal === 'buy' ? outcome : oppositeSide(outcome)
}

/** Converts an outcome’s price to the YES price. */
export function yesTicks(outcome: 'yes' | 'no', priceTicks: number, payoutTicks: number): number {
  return outcome === 'yes' ? priceTicks : payoutTicks - priceTicks
}

/** The terms of an event, in units. */
export function termsOf(event: {
  readonly payout: number
  readonly tick_size: number
  readonly min_bet: number
  readonly max_bet: number
  readonly fee_taker_bp?: number | undefined
  readonly fee_maker_bp?: number | undefined
}): TicketTerms {
  const fees = { taker: event.fee_taker_bp ?? 0, maker: event.fee_maker_bp ?? 0 }
  return {
    payoutTicks: Math.round(event.payout * TICKS_PER_RUPEE),
    tickTicks: Math.round(event.tick_size * TICKS_PER_RUPEE),
    minBetUnits: Math.round(event.min_bet * 10_000),
    maxBetUnits: Math.round(event.max_bet * 10_000),
    ...(fees.taker + fees.maker > 0 && { fees }),
  }
}

/** Returns the most that an order holds for its fee, as a share of what it costs at a price a lot. */
export function feeShare({ fees, payoutTicks }: TicketTerms, unit: number): number {
  if (fees === undefined) return 0
  return (Math.max(fees.taker, fees.maker) * (payoutTicks - unit)) / (10_000 * payoutTicks)
}
