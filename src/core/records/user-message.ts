import type { Balance, Contracts } from '../ledger.js'
import type { OrderRecord } from '../order-record.js'
import type { Amount, MarketCode, TimeMs } from '../units.js'
import type { HeldContracts } from './position-record.js'
import type { FillRow } from './trade-record.js'

/** A message of a user's channel: the state after its batch. */
export type UserMessage = { readonly userSeq: number; readonly at: TimeMs } & (
  | { readonly type: 'fill'; readonly fill: FillRow }
  | { readonly type: 'order'; readonly order: OrderRecord }
  | { readonly type: 'position'; readonly position: HeldContracts }
  | { readonly type: 'balance'; readonly cash: Amount; readonly held: Amount }
)

/** A user's contracts in one market. */
export interface HeldIn {
  readonly market: MarketCode
  readonly contracts: Contracts
}

/** A user's state as of one message of their channel. */
export interface UserSnapshot {
  readonly userSeq: number
  /** Undefined if the user has no account yet. */
  readonly balance: Balance | undefined
  /** By market, the lowest codes. */
  readonly positions: readonly HeldIn[]
  /** True if the user has more positions than these. */
  readonly hasMorePositions: boolean
  /** The newest of the open orders, newest first. */
  readonly orders: readonly OrderRecord[]
  /** True if the user has more open orders than these. */
  readonly hasMoreOrders: boolean
}
