import type { Order } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'

/** The result of an order, to show at once. */
export interface TicketResult {
  readonly mood: 'good' | 'bad' | 'neutral'
  readonly words: string
}

/** Describes an order’s result: quantity filled, price, and the rest. */
export function resultOf(order: Order): TicketResult {
  const { state, reason, outcome, offer_type, filled_quantity, remaining_quantity, average_price, price } =
    order
  const name = outcome.toUpperCase()
  const done = offer_type === 'buy' ? 'Bought' : 'Sold'
  const why = reason === null ? '' : reasonText(reason)
  const filled =
    filled_quantity === 0
      ? ''
      : `${done} ${countText(filled_quantity)} ${name} at ${rupeesText(average_price ?? price)}.`
  if (state === 'rejected') return { mood: 'bad', words: `Not placed${because(why)}` }
  if (state === 'filled') return { mood: 'good', words: filled }
  if (state === 'cancelled' || state === 'expired') {
    return filled === ''
      ? { mood: 'bad', words: `Not filled${because(why)}` }
      : { mood: 'neutral', words: `${filled} The rest was cancelled${because(why)}` }
  }
  const waiting = `${countText(remaining_quantity)} ${name} resting at ${rupeesText(price)}.`
  return { mood: 'good', words: filled === '' ? `Placed: ${waiting}` : `${filled} ${waiting}` }
}

/** Joins a reason to the statement before it: `Not filled: no matching orders.` */
function because(why: string): string {
  return why === '' ? '.' : `: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
}
