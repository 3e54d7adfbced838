import type { Order } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import { t } from '../../texts/ticket.js'

/** The result of an order, to show at once. */
export interface TicketResult {
  readonly mood: 'good' | 'bad' | 'neutral'
  readonly words: string
  /** Set if something was traded: the result has a tick. */
  readonly isFilled?: boolean
}

/** Describes an order’s result: quantity filled, price, and the rest. */
export function resultOf(order: Order): TicketResult {
  const { state, reason, outcome, offer_type, filled_quantity, remaining_quantity, average_price, price } =
    order
  const name = t.outcome[outcome]
  const why = reason === null ? '' : reasonText(reason)
  const done = offer_type === 'buy' ? t.bought : t.sold
  // The total is true of fills at several prices, too.
  const money = rupeesText((average_price ?? price) * filled_quantity)
  const filled = filled_quantity === 0 ? '' : done(countText(filled_quantity), name, money)
  if (state === 'rejected') {
    return { mood: 'bad', words: reason === 'order_expired' ? t.tooLate : t.notPlaced(why) }
  }
  const isFilled = filled !== ''
  if (state === 'filled') return { mood: 'good', words: filled, isFilled }
  if (order.time_in_force === 'IOC' && order.order_type === 'LO' && reason === 'no_liquidity') {
    const left = t.noneLeft[offer_type](countText(remaining_quantity), name, rupeesText(price))
    return filled === '' ? { mood: 'bad', words: left } : { mood: 'neutral', words: `${filled} ${left}` }
  }
  if (state === 'cancelled' || state === 'expired') {
    return filled === ''
      ? { mood: 'bad', words: t.notFilled(why) }
      : { mood: 'neutral', words: t.restCancelled(filled, why) }
  }
  const waiting = t.resting(countText(remaining_quantity), name, rupeesText(price))
  return { mood: 'good', words: isFilled ? `${filled} ${waiting}` : t.placed(waiting), isFilled }
}
