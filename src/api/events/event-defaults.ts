/** The fields of a new event that its operator leaves alone, on the page and on the command line. */
export const EVENT_DEFAULTS = {
  /** The operator decides. */
  sot: 'Operator',
  min_bet: 1,
  max_bet: 10_000,
  quantity: 100_000,
  payout: 10,
  tick_size: 0.01,
} as const
