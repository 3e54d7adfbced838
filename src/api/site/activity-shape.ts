/** The fills of one order when it came. */
export interface Taking {
  /** 1, 2, 3, … since the exchange started. */
  readonly number: number
  readonly event_id: string
  readonly title: string
  /** The user who placed the order; null unless their profile is public. */
  readonly userid: string | null
  readonly offer_type: 'buy' | 'sell'
  readonly outcome: 'yes' | 'no'
  readonly qty: number
  /** Paid or received for it in INR, without fees. */
  readonly amount: number
  readonly ts: string
}
