import type { Identity } from '../../access/identity.js'
import { DONE } from '../../api/answer-texts.js'
import { userIdOf } from '../../api/new-user-id.js'
import type { QuotesAnswer } from '../../api/orders/quote-routes.js'
import { quotesSchema, toQuoteRequests } from '../../api/orders/quote-routes.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy } from '../capacity-refusal.js'
import { marketOf } from '../market-of.js'
import { checkUser, withOwnUser } from '../own-user.js'
import type { Envelope } from './order-envelope.js'
import { viewOf } from './order-envelope.js'

/**
 * Validates a body and replaces the quotes of its user, the caller by default; resolves when that is on disk.
 * It arrives with this call. Throws 403, 404, 409, 422, 503.
 *
 * @param charge counts the quotes; may throw 429
 */
export async function replaceQuotesFrom(
  exchange: Exchange,
  caller: Identity,
  input: unknown,
  charge: (quotes: number) => void = () => undefined,
): Promise<Envelope<200, QuotesAnswer>> {
  const body = validate(quotesSchema, withOwnUser(caller, input))
  charge(body.quotes.length)
  checkUser(caller, body.userid, 'trade')
  const { terms } = marketOf(exchange, body.event_id)
  const userId = userIdOf(exchange.archive, body.userid)
  const quotes = toQuoteRequests(body, userId, terms)
  const request = { market: terms.code, userId, set: body.quote_set, quotes }
  const replaced = await exchange.ordersWaiting.until(exchange.quotes.replace(request))
  if (typeof replaced === 'string') throw busy(replaced)
  const results = replaced.quotes.map(({ result, order }) => ({
    result: order.state === 'rejected' ? ('rejected' as const) : result,
    order: viewOf(exchange, order),
  }))
  const additional = { results, ended: replaced.ended.length }
  return { status: true, code: 200, message: DONE.quotesReplaced, additional }
}
