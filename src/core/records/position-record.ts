import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots } from '../units.js'

export interface PositionRow {
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly yes: QuantityLots
  readonly no: QuantityLots
  readonly yesLocked: QuantityLots
  readonly noLocked: QuantityLots
  readonly paid: number
}

/** The part of a position that its user sees: contracts in lots, and the share that open orders lock. */
export type HeldContracts = Pick<PositionRow, 'market' | 'yes' | 'no' | 'yesLocked' | 'noLocked'>

/** A position with a contract's payout and the last price, by which it is valued. */
export interface PricedPositionRow extends PositionRow {
  readonly payout: PriceTicks
  readonly lastPrice: PriceTicks | null
  /** 1 if the user has converted contracts of the market's group, so that no fill tells what they cost. */
  readonly isConverted: 0 | 1
}

/** A user's contracts of one market, what they cost, and the last price. */
export interface ValuedPosition extends Omit<PositionRow, 'account'> {
  /** Undefined if the fills that opened the position are too far back, or conversions changed it. */
  readonly cost: Amount | undefined
  readonly lastPrice: PricedPositionRow['lastPrice']
}
