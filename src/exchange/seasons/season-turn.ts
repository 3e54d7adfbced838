import { assert } from '../../core/assert.js'
import type { Season } from '../../core/season.js'
import { cashAtTurn, turnTxnId } from '../../core/season.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import { amount } from '../../core/units.js'
import type { TransferRequest } from '../accounts/transfers.js'
import type { Desk } from '../desk.js'

/** The positions and accounts looked at in one turn of the event loop: some milliseconds. */
const SLICE_LENGTH = 8192

/** The sums of a season's turn, as it is or would be now. Money is in units. */
export interface TurnSums {
  /** Users, and those whose cash changes. */
  readonly accounts: number
  readonly changed: number
  /** Paid in and out in all. */
  readonly paidIn: number
  readonly paidOut: number
  /** Users who have put more than the stake into events that are not over: their cash is 0. */
  readonly floored: number
}

/** A user's cash at the turn, and what it becomes. */
export interface Turned {
  readonly account: AccountNumber
  readonly userId: string
  readonly change: number
  readonly isFloored: boolean
}

/** Gives other work a turn. */
export type Breather = () => Promise<void>

/** Yields what a season's turn makes of each user's cash, as the desk is now. */
export async function* turnedAccounts(desk: Desk, season: Season, breathe: Breather): AsyncGenerator<Turned> {
  const paid = await paidByAccount(desk, breathe)
  let looked = 0
  for (const [account, userId] of desk.users.all()) {
    const net = paid.get(account) ?? 0
    const change = cashAtTurn(season, net) - desk.ledger.balance(account).cash
    yield { account, userId, change, isFloored: net > season.stake }
    looked++
    if (looked % SLICE_LENGTH === 0) await breathe()
  }
}

/** Returns what each user has put into events and groups that are not over. */
async function paidByAccount(desk: Desk, breathe: Breather): Promise<Map<AccountNumber, number>> {
  const paid = new Map<AccountNumber, number>()
  let looked = 0
  for (const code of openPools(desk)) {
    for (const [account, position] of desk.ledger.positions(code)) {
      if (position.paid !== 0) paid.set(account, (paid.get(account) ?? 0) + position.paid)
      looked++
      if (looked % SLICE_LENGTH === 0) await breathe()
    }
  }
  return paid
}

/** Returns the codes under which net payments to events that are not over are kept. */
function openPools({ markets }: Desk): Set<MarketCode> {
  const pools = new Set<MarketCode>()
  for (const { terms } of markets.live()) pools.add(terms.pool ?? terms.code)
  return pools
}

/** Adds up what a turn does. */
export async function sumsOf(turned: AsyncIterable<Turned>): Promise<TurnSums> {
  const sums = { accounts: 0, changed: 0, paidIn: 0, paidOut: 0, floored: 0 }
  for await (const { change, isFloored } of turned) {
    sums.accounts++
    if (change !== 0) sums.changed++
    if (change > 0) sums.paidIn += change
    else sums.paidOut -= change
    if (isFloored) sums.floored++
  }
  return sums
}

/** Returns the transfer that gives a user what the turn gives them. */
export function turnTransfer({ number }: Season, { account, userId, change }: Turned): TransferRequest {
  assert(change !== 0, 'a transfer moves money')
  const direction = change > 0 ? 'deposit' : 'withdrawal'
  const txnId = turnTxnId(number, account)
  return { userId, direction, amount: amount(Math.abs(change)), txnId, isTurn: true }
}
