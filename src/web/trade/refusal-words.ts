/** Why the exchange said no, or stopped, in words for the one who asked; the codes are those of the API. */
const WORDS: Readonly<Record<string, string>> = {
  market_not_open: 'Trading has not begun here yet.',
  market_halted: 'Trading is halted for the moment. Orders in the book stay; you can cancel yours.',
  market_closed: 'Trading is over here.',
  order_expired: 'The order’s time had run out.',
  order_would_take: 'The order would have traded at once, and it was only to wait.',
  order_changed: 'The order had changed meanwhile. Look again, then ask again.',
  order_replaced: 'Another order took its place.',
  fill_or_kill: 'It could not be filled whole at once.',
  price_out_of_range: 'The price is outside this market’s range.',
  price_off_tick: 'The price is between two steps of this market’s prices.',
  quantity_off_step: 'Contracts are counted in hundredths: give at most two decimals.',
  quantity_too_large: 'That is more than one order may be for.',
  bet_below_min: 'The order is smaller than this market allows.',
  bet_above_max: 'The order is larger than this market allows.',
  funds_insufficient: 'The money does not reach.',
  position_insufficient:
    'You hold fewer free contracts than that. Cancel orders that lock them, or sell fewer.',
  self_trade: 'It would have met an order of your own. Cancel that one first.',
  event_capacity: 'All contracts of this market are taken.',
  no_liquidity: 'Nobody else was there to trade with.',
  user_cancelled: 'You cancelled it.',
}

/** The words for a reason; one that is not known is shown as it came. */
export function refusalWords(reason: string): string {
  return WORDS[reason] ?? `The exchange said: ${reason}.`
}
