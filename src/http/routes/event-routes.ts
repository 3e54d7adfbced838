import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { EventListQuery } from '../../api/events/event-query.js'
import { eventListQuery, orderBookQuery, tradeSummaryQuery } from '../../api/events/event-query.js'
import { eventSchema, toMarketRequest } from '../../api/events/event-schema.js'
import { eventView, tradeSummaryView } from '../../api/events/event-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { BookTexts } from '../book-texts.js'
import { byOf } from '../middleware/admin-guard.js'
import { readJson } from '../middleware/body.js'
import { busy, unlessBusy } from '../middleware/capacity-refusal.js'
import { envelopeText, success } from '../middleware/envelope.js'
import { answerPage, pageOf } from '../middleware/query.js'

/** Creates, lists and shows events (specification 4.1, 4.2, 11). */
export function eventRoutes(exchange: Exchange, door: MiddlewareHandler): Hono {
  const books = new BookTexts()
  return new Hono()
    .post('/create', door, async c => {
      const body = validate(eventSchema, await readJson(c))
      const market = await exchange.createMarket({ ...toMarketRequest(body), by: byOf(c, body) })
      if (market === 'slug_used') throw new ApiError(409, REFUSED.eventExists, 'event_exists')
      if (typeof market === 'string') throw busy(market)
      return success(c, 201, DONE.eventCreated, String(market.terms.code))
    })
    .get('/tradeSummary', c => {
      const { eventId } = validate(tradeSummaryQuery, c.req.query())
      const view = tradeSummaryView(marketOf(exchange, eventId))
      return success(c, 200, DONE.tradeSummaryFetched, view)
    })
    .get('/', c => listEvents(exchange, c))
    .get('/:code', c => {
      const market = marketOf(exchange, c.req.param('code'))
      const view = eventView(market, exchange.tradersOf(market.terms.code))
      return success(c, 200, DONE.eventFetched, view)
    })
    .get('/:code/orderbook', c => {
      const market = marketOf(exchange, c.req.param('code'))
      const { depth } = validate(orderBookQuery, c.req.query())
      return envelopeText(c, 200, books.read(market, depth), {})
    })
}

/** Returns the market with a code that a client wrote. Throws 404. */
export function marketOf(exchange: Exchange, code: string): DeskMarket {
  const market = exchange.marketWritten(code)
  if (market === undefined) throw new ApiError(404, REFUSED.eventNotFound, 'event_not_found')
  return market
}

function listEvents(exchange: Exchange, c: Context): Promise<Response> {
  const query = validate(eventListQuery, c.req.query())
  const { limit, after = 0 } = pageOf(c, codeOf)
  const { description } = query
  const view = (market: DeskMarket) => eventView(market, exchange.tradersOf(market.terms.code))
  return answerPage(c, {
    message: DONE.eventsFetched,
    field: 'events',
    rows: eventsFrom(exchange, query, after),
    limit,
    view: market => (description === 'no' ? { ...view(market), description: undefined } : view(market)),
    cursorOf: ({ terms }) => String(terms.code),
  })
}

async function* eventsFrom(
  exchange: Exchange,
  { status, sot, q = '' }: EventListQuery,
  after: number,
): AsyncGenerator<DeskMarket> {
  const candidates = q.trim() === '' ? exchange.markets() : exchange.archive.search(q, after)
  for await (const candidate of candidates) {
    const market = unlessBusy(candidate)
    const { terms, listing, progress } = market
    if (terms.code <= after) continue
    if (status !== undefined && progress.status !== status) continue
    if (sot !== undefined && listing.sot !== sot) continue
    yield market
  }
}

/** Returns the code in a cursor, which need not exist: the list continues after it. */
function codeOf(cursor: string): number | undefined {
  return /^\d{1,7}$/.test(cursor) ? Number(cursor) : undefined
}
