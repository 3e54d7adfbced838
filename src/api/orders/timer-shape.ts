/** A user's timer that cancels their orders unless it is set again. */
export interface CancelTimer {
  readonly userid: string
  /** Null if it is off. */
  readonly ends_at: string | null
  /** Null for all events. */
  readonly events: readonly string[] | null
}
