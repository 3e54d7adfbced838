import { assert } from './assert.js'
import type { PriceTicks } from './units.js'
import { complement } from './units.js'

/** Which outcome an order buys: on the YES price axis, `yes` orders are bids and `no` orders are asks. */
export type Side = 'yes' | 'no'
/** `LO` limit, `MO` market (specification 2.5). */
export type OrderType = 'LO' | 'MO'
/** Good till cancelled, good till date, immediate or cancel, fill or kill. */
export type TimeInForce = 'GTC' | 'GTD' | 'IOC' | 'FOK'
/**
 * Which order is cancelled when a trader would match their own order: the taker's rest, the maker, or
 * neither.
 */
export type SelfTradePrevention = 'taker' | 'maker' | 'off'

/** Why an order was refused; clients read it in `ORDER_REJECTED` and in the order's `reason`. */
export type Refusal =
  | 'market_not_open'
  | 'market_halted'
  | 'market_closed'
  | 'order_expired'
  | 'order_would_take'
  | 'order_changed'
  | 'position_insufficient'
  | 'price_out_of_range'
  | 'price_off_tick'
  | 'quantity_off_step'
  | 'quantity_too_large'
  | 'bet_below_min'
  | 'bet_above_max'
  | 'funds_insufficient'

/** Why the open rest of an order was cancelled; clients read it in `ORDER_CANCELLED`. */
export type CancelReason =
  | 'user_cancelled'
  | 'user_disconnected'
  | 'timer_ended'
  | 'season_turn'
  | 'self_trade'
  | 'no_liquidity'
  | 'funds_insufficient'
  | 'bet_above_max'
  | 'event_capacity'
  | 'match_limit'
  | 'market_closed'
  | 'order_expired'
  | 'fill_or_kill'
  | 'order_replaced'
  | 'quotes_replaced'

/**
 * The most resting orders that one order may fill or, by the self-trade rule `maker`, cancel. It bounds the
 * messages, rows and memory of a command. An order takes the number along in its admission, so a replay
 * decides it by the number of its time.
 */
export const MAKERS_MAX = 10_000

export type OrderState =
  | 'queued'
  | 'resting'
  | 'partially_filled'
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'rejected'

const ORDER_TRANSITIONS: Readonly<Record<OrderState, readonly OrderState[]>> = {
  queued: ['resting', 'partially_filled', 'filled', 'cancelled', 'rejected'],
  resting: ['partially_filled', 'filled', 'cancelled', 'expired'],
  partially_filled: ['partially_filled', 'filled', 'cancelled', 'expired'],
  filled: [],
  cancelled: [],
  expired: [],
  rejected: [],
}

/** All states of an order, in the order of its life. */
export const ORDER_STATES = Object.keys(ORDER_TRANSITIONS) as readonly OrderState[]

/** Returns the next state; asserts that the transition is allowed. */
export function moveOrder(from: OrderState, to: OrderState): OrderState {
  assert(ORDER_TRANSITIONS[from].includes(to), () => `an order never moves from ${from} to ${to}`)
  return to
}

/** Returns true for an order that rests in the book or is queued for it; every other state is final. */
export function isOpen(state: OrderState): boolean {
  return ORDER_TRANSITIONS[state].length > 0
}

/** Returns the other side: YES against NO. */
export function oppositeSide(side: Side): Side {
  return side === 'yes' ? 'no' : 'yes'
}

/** Returns the cost of one lot at a YES price: the price for `yes`, payout − price for `no`. */
export function unitCost(side: Side, price: PriceTicks, payout: PriceTicks): PriceTicks {
  return side === 'yes' ? price : complement(price, payout)
}
