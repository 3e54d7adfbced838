import { ConfigError } from '../../server/config.js'
import type { Written } from '../flags.js'
import { eventCode } from './event-code.js'
import { momentOf } from './moment.js'

/** What the exchange takes a market order's price for: a hint, which has to be a price all the same. */
const HINT = 0.1
const NUMBER = /^\d{1,12}(?:\.\d{1,9})?$/

/**
 * The body of an order from words such as `1000001 buy 10 @ 6.5` or `1000001 sell 4 no @ market` and from its
 * flags, without its user; undefined where the words are no order. Throws ConfigError.
 */
export function offerFrom({ words, texts, switches }: Written, now: number): object | undefined {
  const [code, offer = '', quantity = '', ...rest] = words
  const terms = termsOf(rest)
  if (code === undefined || terms === undefined) return undefined
  eventCode(code)
  if (offer !== 'buy' && offer !== 'sell') throw new ConfigError(`"${offer}" is no offer: give buy or sell`)
  const isMarket = terms.price === 'market'
  const { expires, 'valid-until': validUntil, 'time-in-force': force, 'self-trade': selfTrade } = texts
  return {
    event_id: code,
    l1_expected_price: isMarket ? HINT : numberIn(terms.price, 'price'),
    l1_order_quantity: numberIn(quantity, 'quantity'),
    offer_type: offer,
    order_type: isMarket ? 'MO' : 'LO',
    outcome: terms.outcome,
    ...(force !== undefined && { time_in_force: force.toUpperCase() }),
    ...(expires !== undefined && { expires_at: momentOf('expires', expires, now) }),
    ...(validUntil !== undefined && { valid_until: momentOf('valid-until', validUntil, now) }),
    ...(selfTrade !== undefined && { self_trade_prevention: selfTrade }),
    ...(switches['post-only'] && { post_only: true }),
    ...(switches['reduce-only'] && { reduce_only: true }),
  }
}

/** What follows a quantity: `@ 6.5`, `@6.5`, `at market`, `no @ 3.5`. */
function termsOf(words: readonly string[]): { readonly outcome: string; readonly price: string } | undefined {
  const text = words.join(' ').toLowerCase()
  const [, outcome = 'yes', price] = /^(?:(yes|no) )?(?:@|at ) ?(\S+)$/.exec(text) ?? []
  return price === undefined ? undefined : { outcome, price }
}

function numberIn(text: string, what: string): number {
  if (NUMBER.test(text)) return Number(text)
  const more = what === 'price' ? ', or market for the best there is' : ''
  throw new ConfigError(`"${text}" is no ${what}: give a number, such as 6.5${more}`)
}
