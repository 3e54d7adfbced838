/** Why the exchange said no, or stopped, in words for the one who asked; the codes are those of the API. */
const WORDS: Readonly<Record<string, string>> = {
  market_not_open: 'Trading has not started yet.',
  market_halted: 'Trading is halted. Resting orders stay in the book; you can cancel yours.',
  market_closed: 'Trading has closed.',
  order_expired: 'The order expired.',
  order_would_take: 'A post-only order would have traded immediately.',
  order_changed: 'The order changed in the meantime. Review it and try again.',
  order_replaced: 'Replaced by an amended order.',
  fill_or_kill: 'It could not be filled completely (fill or kill).',
  price_out_of_range: 'The price is outside this market’s range.',
  price_off_tick: 'The price is not a multiple of this market’s price step.',
  quantity_off_step: 'Quantities can have at most two decimals.',
  quantity_too_large: 'The quantity is above the maximum for one order.',
  bet_below_min: 'Below this market’s minimum order.',
  bet_above_max: 'Above this market’s maximum order.',
  funds_insufficient: 'Insufficient balance.',
  position_insufficient:
    'You do not have that many contracts to sell. Cancel orders that lock them, or sell fewer.',
  self_trade: 'It would have traded with your own order. Cancel that order first.',
  event_capacity: 'This market has reached its open-interest cap.',
  no_liquidity: 'No matching orders.',
  user_cancelled: 'Cancelled by you.',
}

/** The words for a reason; one that is not known is shown as it came. */
export function refusalWords(reason: string): string {
  return WORDS[reason] ?? `Reason: ${reason}.`
}
