import type { StatementEntry } from './statement-shape.js'

/** A user's money and contracts right before a moment. */
export interface PerformancePoint {
  readonly ts: string
  readonly cash: number
  /** The contracts at the last price before the moment. */
  readonly positions_value: number
  /** Money paid in since the first point, less money paid out. */
  readonly paid_in: number
}

/** A portfolio's worth and its changes in a range of time. */
export interface Performance {
  readonly from: string
  readonly to: string
  /** False if the range begins later than requested. */
  readonly complete: boolean
  /** Number of statement lines in the range. */
  readonly lines: number
  /** The changes of the cash in the range, by the type of their statement lines. */
  readonly totals: Readonly<Record<StatementEntry['type'], number>>
  readonly points: readonly PerformancePoint[]
}
