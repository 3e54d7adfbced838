import type { CancelReason, Refusal } from '../../core/order.js'

interface OrderReasonText {
  /** A phrase for people. */
  readonly words: string
  /** Advice for people, in sentences. */
  readonly hint?: string
  /** For the documents: when the exchange gives this reason. */
  readonly when: string
}

/** Reasons for rejecting an order or cancelling its rest, as in the field `reason` of orders and messages. */
export const ORDER_REASONS: Readonly<Record<Refusal | CancelReason, OrderReasonText>> = {
  market_not_open: { words: 'trading has not started yet', when: 'rejected before start_date' },
  market_halted: {
    words: 'trading is halted',
    hint: 'Resting orders stay in the book; you can cancel yours.',
    when: 'rejected while the event is halted',
  },
  market_closed: {
    words: 'trading has closed',
    when: 'rejected after end_date, or once the event is closed; cancelled because it closed',
  },
  order_expired: {
    words: 'the order expired',
    when: 'rejected because expires_at or valid_until has passed; expired at expires_at',
  },
  order_would_take: {
    words: 'a post-only order would have traded immediately',
    when: 'rejected because it is post-only and would not have rested',
  },
  order_changed: {
    words: 'the order changed in the meantime',
    hint: 'Review it and try again.',
    when: 'rejected because the order to be amended was filled or ended in the meantime',
  },
  position_insufficient: {
    words: 'not enough contracts to sell',
    hint: 'Cancel orders that lock them, or sell fewer.',
    when: 'rejected because it is reduce-only and for more than its user holds',
  },
  price_out_of_range: {
    words: 'the price is outside this market’s range',
    when: 'rejected below ₹0.10 and above payout − ₹0.10',
  },
  price_off_tick: {
    words: 'the price is not a multiple of this market’s price step',
    when: 'rejected because its price is not a multiple of tick_size',
  },
  quantity_off_step: {
    words: 'quantities can have at most two decimals',
    when: 'rejected because its quantity is not a multiple of 0.01',
  },
  quantity_too_large: {
    words: 'the quantity is above the maximum for one order',
    when: 'rejected above a billion contracts',
  },
  bet_below_min: {
    words: 'below this market’s minimum order',
    when: "rejected because it costs less than the event's min_bet",
  },
  bet_above_max: {
    words: 'above this market’s maximum order',
    when: "rejected, or cancelled if it is a market order, because it costs more than the event's max_bet",
  },
  funds_insufficient: {
    words: 'insufficient balance',
    when: 'rejected because its user cannot pay for it; cancelled because the money ran out',
  },
  user_cancelled: { words: 'cancelled by the user', when: 'cancelled by its user' },
  user_disconnected: {
    words: 'the trading program lost its connection',
    when: 'cancelled because a connection with cancel_on_disconnect ended',
  },
  timer_ended: {
    words: 'the cancel timer ran out',
    hint: 'The trading program did not renew it in time.',
    when: 'cancelled because the timer of cancel-after ended',
  },
  season_turn: {
    words: 'a new season begins',
    when: 'cancelled because a season begins',
  },
  self_trade: {
    words: 'it would have traded with an order of the same user',
    hint: 'Cancel that order first.',
    when: 'cancelled because it would have met an order of the same user',
  },
  no_liquidity: { words: 'no matching orders', when: 'cancelled because nothing matched the rest of it' },
  event_capacity: {
    words: 'this market has reached its open-interest cap',
    when: "cancelled because the event's quantity of contracts is used up",
  },
  match_limit: {
    words: 'it matched 10,000 resting orders, the most one order can',
    hint: 'Place another order for the rest.',
    when: 'cancelled because it had filled or cancelled 10,000 resting orders, the most that one order may',
  },
  fill_or_kill: {
    words: 'it could not be filled completely (fill or kill)',
    when: 'cancelled because it could not be filled completely at once',
  },
  order_replaced: {
    words: 'replaced by an amended order',
    when: 'cancelled because an amended order replaced it',
  },
  quotes_replaced: {
    words: 'replaced by other quotes of its set',
    when: 'cancelled because its set of quotes was replaced',
  },
}

/** Returns an order's reason for people, as half a sentence, even if a newer exchange added it. */
export function reasonWords(reason: string): string {
  return textOf(reason)?.words ?? reason
}

/** Returns an order's reason for people, in whole sentences. */
export function reasonSentence(reason: string): string {
  const text = textOf(reason)
  if (text === undefined) return `Reason: ${reason}.`
  const { words, hint } = text
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.${hint === undefined ? '' : ` ${hint}`}`
}

function textOf(reason: string): OrderReasonText | undefined {
  return Object.hasOwn(ORDER_REASONS, reason) ? ORDER_REASONS[reason as Refusal | CancelReason] : undefined
}
