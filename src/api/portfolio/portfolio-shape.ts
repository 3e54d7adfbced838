import type { Side } from '../../core/order.js'

export interface Balance {
  readonly cash: number
  readonly held: number
  readonly available: number
}

/** A user's balance. */
export interface UserBalance extends Balance {
  readonly userid: string
}

/** A user's balance, and the last message of their channel that it includes. */
export interface NumberedBalance extends UserBalance {
  readonly user_seq: number
}

/** A user in the operator's list. */
export interface ListedUser extends UserBalance {
  /** True while new orders of the user are refused. */
  readonly suspended: boolean
  /** Only where they were asked for. */
  readonly figures?: UserFigures | undefined
}

/** Figures of all that a user has done, in INR; counted half a minute ago at most. */
export interface UserFigures {
  /** In events that were resolved. */
  readonly profit: number
  readonly volume: number
  /** When their money last changed; null if that has not been counted yet. */
  readonly last_seen: string | null
}

/** Contracts in one event. `ValuedPosition` adds cost and gain. */
export interface Position {
  readonly event_id: string
  readonly yes: number
  readonly no: number
  readonly yes_locked: number
  readonly no_locked: number
}

export interface ValuedPosition extends Position {
  readonly average_price: number | null
  readonly realised: number | null
  readonly unrealised: number | null
}

/** A user's part in a trade. `price` refers to the outcome that the order names. */
export interface Fill {
  readonly tradeId: string
  readonly event_id: string
  readonly order_id: string
  readonly side: Side
  readonly outcome: Side
  readonly price: number
  readonly qty: number
  readonly role: 'taker' | 'maker'
  readonly ts: string
  /** The same moment in epoch milliseconds. */
  readonly ts_ms: number
  /** Change of the user's cash, the fee included. */
  readonly amount: number
  /** Absent if there was none. */
  readonly fee?: number | undefined
}
