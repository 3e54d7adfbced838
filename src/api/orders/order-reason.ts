import { z } from 'zod'
import { REFUSAL_REASONS } from '../reasons.js'

/** What each reason says of an order that was not taken, or whose rest was cancelled. */
const MEANINGS = {
  market_not_open: 'rejected before start_date',
  market_halted: 'rejected while the event is halted',
  market_closed: 'rejected after end_date, or once the event is closed; cancelled because it closed',
  order_expired: 'rejected because expires_at or valid_until has passed; expired because its date came',
  order_would_take: 'rejected because it is post-only and would not have rested',
  order_changed: 'rejected because the order to be amended had been filled or had ended meanwhile',
  position_insufficient: 'rejected because it is reduce-only and for more than its user holds',
  price_out_of_range: 'rejected below ₹0.10 and above payout − ₹0.10',
  price_off_tick: 'rejected because its price is no multiple of the tick',
  quantity_off_step: 'rejected because its quantity is no multiple of 0.01',
  quantity_too_large: 'rejected above a billion contracts',
  bet_below_min: "rejected because it costs less than the event's min_bet",
  bet_above_max:
    "rejected, or cancelled where it is a market order, because it costs more than the event's max_bet",
  funds_insufficient: 'rejected because its user cannot pay for it; cancelled because the money ran out',
  user_cancelled: 'cancelled by its user',
  self_trade: 'cancelled because it would have met an order of the same user',
  no_liquidity: 'cancelled because the rest of it found nobody',
  event_capacity: "cancelled because the event's quantity of contracts is used up",
  fill_or_kill: 'cancelled because it could not be filled whole at once',
  order_replaced: 'cancelled because an amendment put another order in its stead',
}

const NAMES = Object.keys(MEANINGS) as (keyof typeof MEANINGS)[]

/** Why an order was rejected, or its rest cancelled. */
export const orderReason = z.enum(NAMES).meta({
  id: 'OrderReason',
  description: Object.entries(MEANINGS)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}.`)
    .join('\n\n'),
})

const DOOR_NAMES = Object.keys(REFUSAL_REASONS) as (keyof typeof REFUSAL_REASONS)[]

/** Why a request was refused: at the door, or by the market with the reason of an order. */
export const refusalReason = z.enum([...DOOR_NAMES, ...NAMES]).meta({
  id: 'RefusalReason',
  description: [
    ...Object.entries(REFUSAL_REASONS).map(([name, [code, meaning]]) => `\`${name}\` (${code}): ${meaning}.`),
    'The market refuses orders with the reasons of `OrderReason`.',
  ].join('\n\n'),
})
