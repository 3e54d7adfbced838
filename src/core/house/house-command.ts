import type { Signed } from '../signed.js'
import type { AccountNumber, Amount, MarketCode } from '../units.js'
import type { QuoteTable } from './quote-table.js'

/** Opens an account of the house for a market, pays the budget into it, and sets what it quotes. */
export interface FundQuotes extends Signed {
  readonly type: 'FUND_QUOTES'
  readonly id: string
  readonly market: MarketCode
  /** The new account: it never owns anything else. */
  readonly account: AccountNumber
  /** Counts the times that the market has been funded, from 1. */
  readonly round: number
  readonly budget: Amount
  readonly table: QuoteTable
}

/** Cancels all quotes of an account of the house; it places no others. */
export interface StopQuotes extends Signed {
  readonly type: 'STOP_QUOTES'
  readonly id: string
  readonly market: MarketCode
  readonly account: AccountNumber
}

/** Pays free money of an account of the house back, once it quotes no more. */
export interface ReturnHouseMoney {
  readonly type: 'RETURN_HOUSE_MONEY'
  readonly id: string
  readonly market: MarketCode
  readonly account: AccountNumber
  readonly amount: Amount
}

/** Commands that begin and end house quotes. */
export type HouseMoneyCommand = FundQuotes | StopQuotes | ReturnHouseMoney

/** The user id of the house's orders: no user has it. */
export const HOUSE_USER_ID = ''

/** The most orders that rest on a side. */
export const RESTS_MAX = 15
