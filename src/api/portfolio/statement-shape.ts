import type { Outcome } from '../../core/market.js'

/** One change of a user's cash, and the cash after it. */
export interface StatementEntry {
  readonly id: string
  readonly createdAt: string
  readonly type: EntryType
  readonly amount: number
  /** The fee of a trade, which `amount` includes; absent if there was none. */
  readonly fee?: number | undefined
  readonly cash: number
  readonly event_id: string | null
  readonly order_id: string | null
  readonly trade_id: string | null
  readonly txn_id: string | null
}

type EntryType =
  | 'opening'
  | 'deposit'
  | 'withdrawal'
  | 'trade'
  | 'merge'
  | 'conversion'
  | 'settlement'
  | 'void'
  | 'shortfall'
  | 'brought_forward'

/** Result of one event for a user. */
export interface Settlement {
  readonly event_id: string
  readonly outcome: Outcome
  readonly yes: number
  readonly no: number
  readonly paid: number
  readonly payment: number
  readonly result: number
  readonly settledAt: string
}

/** A deposit or a withdrawal: the same answer for one `txn_id`, however often it is sent. */
export interface TransferReceipt {
  readonly txn_id: string
  readonly userid: string
  readonly type: 'deposit' | 'withdrawal'
  readonly amount: number
  readonly cash: number
  readonly createdAt: string
}
