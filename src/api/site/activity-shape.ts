/** What one order took from a book at once. */
export interface Taking {
  /** 1, 2, 3, … since the exchange started. */
  readonly number: number
  readonly event_id: string
  readonly title: string
  /** Who placed the order; null unless their profile is public. */
  readonly userid: string | null
  readonly offer_type: 'buy' | 'sell'
  readonly outcome: 'yes' | 'no'
  readonly qty: number
  /** What was paid or received for it in INR, without fees. */
  readonly amount: number
  readonly ts: string
}
