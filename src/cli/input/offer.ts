import type { OrderRequest, Side } from '../../client/node-client.js'
import { UsageError } from '../exit-errors.js'
import { eventCode } from './event-code.js'

/** A market order needs a price as well, which the exchange takes as a hint. */
const HINT = 0.1
const NUMBER = /^\d{1,12}(?:\.\d{1,9})?$/

/** The words of an order: the event, what to trade, and at which price. */
export type Offer = Pick<
  OrderRequest,
  'event_id' | 'offer_type' | 'quantity' | 'price' | 'order_type' | 'outcome'
>

/**
 * Reads an order from words such as `1000001 buy 10 @ 6.5` or `1000001 sell 4 no @ market`. Returns undefined
 * where the words have another shape. Throws UsageError where one of them is wrong.
 */
export function offerIn([code, offer = '', quantity = '', ...rest]: readonly string[]): Offer | undefined {
  const terms = termsIn(rest)
  if (code === undefined || terms === undefined) return undefined
  eventCode(code)
  if (offer !== 'buy' && offer !== 'sell') {
    throw new UsageError(`"${offer}" is not a valid side: give buy or sell`)
  }
  const isMarket = terms.price === 'market'
  return {
    event_id: code,
    price: isMarket ? HINT : numberIn(terms.price, 'price'),
    quantity: numberIn(quantity, 'quantity'),
    offer_type: offer,
    order_type: isMarket ? 'MO' : 'LO',
    outcome: terms.outcome,
  }
}

/** Reads the words behind a quantity: `@ 6.5`, `@6.5`, `at market`, `no @ 3.5`. */
function termsIn(words: readonly string[]): { readonly outcome: Side; readonly price: string } | undefined {
  const text = words.join(' ').toLowerCase()
  const [, outcome = 'yes', price] = /^(?:(yes|no) )?(?:@|at ) ?(\S+)$/.exec(text) ?? []
  return price === undefined ? undefined : { outcome: outcome === 'no' ? 'no' : 'yes', price }
}

function numberIn(text: string, name: 'price' | 'quantity'): number {
  if (NUMBER.test(text)) return Number(text)
  const more = name === 'price' ? ', or market for the best price available' : ''
  throw new UsageError(`"${text}" is not a valid ${name}: give a number, such as 6.5${more}`)
}
