import type { Amount, TimeMs } from '../units.js'
import type { EntryRow } from './statement-record.js'

/** A user's money and contracts right before a moment. */
export interface WorthPoint {
  readonly at: TimeMs
  readonly cash: Amount
  /** The contracts at the last price before the moment. */
  readonly contracts: Amount
  /** Money paid in since the first point, less money paid out. */
  readonly paidIn: Amount
}

/** The changes of a user's cash in a range of time, summed by kind. */
export type CashTotals = Readonly<Partial<Record<EntryRow['kind'], Amount>>>

/** How a user's portfolio did in a range of time. */
export interface Performance {
  readonly from: TimeMs
  readonly to: TimeMs
  /** False if the range begins later than requested, because the lines before are too many. */
  readonly isComplete: boolean
  readonly lines: number
  readonly totals: CashTotals
  /** Oldest first, from the beginning of the range to its end. */
  readonly points: readonly WorthPoint[]
}
