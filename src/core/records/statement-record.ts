import type { TransferDirection } from '../command.js'
import type { Settlement } from '../engine-event.js'
import type { CashEntry } from '../postings.js'
import type { AccountNumber, Amount, MarketCode, Sequence, TimeMs } from '../units.js'

/** A line of a statement as clients page through it: newest first. */
export interface EntryRow {
  readonly sequence: Sequence
  readonly line: number
  readonly at: TimeMs
  /** Lines of house quotes are the house's own, and in no statement. */
  readonly kind: Exclude<CashEntry['kind'], 'house_quotes'> | 'brought_forward'
  readonly change: number
  /** The fee of a trade, which `change` includes. */
  readonly fee: number
  /** The account's cash after this line. */
  readonly cash: Amount
  readonly market: MarketCode | null
  readonly orderNumber: number | null
  readonly orderSuffix: string | null
  readonly trade: number | null
  readonly txnId: string | null
}

/** A line's place, unique among all statements; a page begins after it. */
export type EntryPlace = Pick<EntryRow, 'sequence' | 'line'>

/** How a market ended for one account. */
export type SettlementRow = Settlement & { readonly at: TimeMs }

/** A deposit or a withdrawal, and the account's cash right after it. */
export interface TransferRow {
  readonly txnId: string
  readonly account: AccountNumber
  readonly direction: TransferDirection
  readonly amount: Amount
  readonly cash: Amount
  readonly at: TimeMs
}
