import { assert } from './assert.js'

/**
 * Money of one owner. `cash` and `held` are committed; `inFlight` is held for orders not yet decided;
 * `opening` is the pending starting money of a new account.
 */
export interface Account {
  cash: number
  held: number
  inFlight: number
  opening: number
}

/** Asserts what holds for each account after each batch. @param mayOwe true for the other side of deposits */
export function assertAccount(account: Account, mayOwe: boolean): void {
  assert(Number.isSafeInteger(account.cash), 'cash is an integer below 2^53')
  if (mayOwe) return
  assert(account.held >= 0, 'holds are never negative')
  // Admission also subtracts holds in flight, so `cash − held − inFlight ≥ 0` keeps this true for the table.
  assert(account.held <= account.cash, 'holds never exceed cash')
}
