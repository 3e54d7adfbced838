/**
 * `planned` before its start, `turning` while its turn is under way, then `running`, then `over`; `skipped`
 * if the exchange was stopped from its start to its end.
 */
export type SeasonStatus = 'planned' | 'turning' | 'running' | 'over' | 'skipped'

/** A season: everyone starts with the same money. */
export interface Season {
  /** From 1 on. */
  readonly season: number
  readonly name: string
  readonly starts_at: string
  /** The first moment after it. */
  readonly ends_at: string
  /** In INR. */
  readonly stake: number
  readonly status: SeasonStatus
  /** When its turn began: results count from then on. */
  readonly began_at: string | null
}

/** A season to create; times are ISO 8601, money is in INR. */
export interface SeasonRequest {
  readonly name: string
  readonly starts_at: string
  readonly ends_at: string
  readonly stake: number
}

/** The turn of a season, as it would be now. Money is in INR. */
export interface SeasonTurn {
  readonly season: number
  /** Users, and those whose money changes. */
  readonly users: number
  readonly changed: number
  /** Open orders, which it cancels. */
  readonly open_orders: number
  readonly deposits: number
  readonly withdrawals: number
  /** Users whose cash becomes 0, since they have put more than the stake into open events. */
  readonly floored: number
}
