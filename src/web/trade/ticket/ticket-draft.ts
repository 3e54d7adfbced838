import { TICKS_PER_RUPEE } from '../../kit/grid.js'

export type Outcome = 'yes' | 'no'

/** What somebody is about to order, as far as they have said it. */
export interface TicketDraft {
  readonly deal: 'buy' | 'sell'
  readonly outcome: Outcome
  readonly orderType: 'LO' | 'MO'
  /** The price of the outcome, in ticks of ₹0.01; undefined while it is no number. Not for market orders. */
  readonly priceTicks: number | undefined
  /** In lots of 0.01 contract. */
  readonly lots: number | undefined
}

/** The rules of the market that a ticket is for, in the exchange's own units. */
export interface TicketTerms {
  readonly payoutTicks: number
  readonly tickTicks: number
  readonly minBetUnits: number
  readonly maxBetUnits: number
}

/** What the user can use: contracts that are not locked, in lots, and money, in units of ₹0.0001. */
export interface BuyingPower {
  readonly yesLots: number
  readonly noLots: number
  /** Undefined where it is not known, which judges nothing. */
  readonly moneyUnits: number | undefined
}

/** The other of the two. */
export function otherOutcome(outcome: Outcome): Outcome {
  return outcome === 'yes' ? 'no' : 'yes'
}

/** The side of the YES price axis that an offer takes: buying YES and selling NO are `yes`. */
export function sideOf({ deal, outcome }: Pick<TicketDraft, 'deal' | 'outcome'>): Outcome {
  return deal === 'buy' ? outcome : otherOutcome(outcome)
}

/** The terms of an event, in units. */
export function termsOf(event: {
  readonly payout: number
  readonly tick_size: number
  readonly min_bet: number
  readonly max_bet: number
}): TicketTerms {
  return {
    payoutTicks: Math.round(event.payout * TICKS_PER_RUPEE),
    tickTicks: Math.round(event.tick_size * TICKS_PER_RUPEE),
    minBetUnits: Math.round(event.min_bet * 10_000),
    maxBetUnits: Math.round(event.max_bet * 10_000),
  }
}
