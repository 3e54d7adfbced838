import type { MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { orderBookQuery, tradeSummaryQuery } from '../../api/events/event-query.js'
import { eventSchema, toMarketRequest } from '../../api/events/event-schema.js'
import { tradeSummaryView } from '../../api/events/event-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { BookTexts } from '../book-texts.js'
import { categoryCounts } from '../category-counts.js'
import { EventPages } from '../event-pages.js'
import type { EventRanks } from '../event-ranks.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../middleware/capacity-refusal.js'
import { envelopeText, success } from '../middleware/envelope.js'
import { byOf } from '../middleware/operator-guard.js'
import { queryOf } from '../middleware/query.js'
import { listEvents, shownEvent } from './event-list.js'

/** Creates, lists and shows events (specification 4.1, 4.2, 11). */
export function eventRoutes(exchange: Exchange, ranks: EventRanks, door: MiddlewareHandler): Hono {
  const books = new BookTexts()
  const pages = new EventPages(({ terms }) => exchange.tradersOf(terms.code))
  return new Hono()
    .post('/create', door, async c => {
      const body = validate(eventSchema, await readJson(c))
      const market = await exchange.createMarket({ ...toMarketRequest(body), by: byOf(c, body) })
      if (market === 'slug_used' || market === 'id_used')
        throw new ApiError(409, REFUSED.eventExists, 'event_exists')
      if (market === 'categories_full') throw new ApiError(422, REFUSED.categoriesFull)
      if (typeof market === 'string') throw busy(market)
      return success(c, 201, DONE.eventCreated, String(market.terms.code))
    })
    .get('/tradeSummary', c => {
      const { eventId } = validate(tradeSummaryQuery, c.req.query())
      const view = tradeSummaryView(marketOf(exchange, eventId))
      return success(c, 200, DONE.tradeSummaryFetched, view)
    })
    .get('/categories', c =>
      success(c, 200, DONE.categoriesFetched, { categories: categoryCounts(exchange.directory.categories) }),
    )
    .get('/', c => listEvents({ exchange, pages, ranks }, c))
    .get('/:code', c => {
      const market = marketOf(exchange, c.req.param('code'))
      return success(c, 200, DONE.eventFetched, shownEvent(exchange, market))
    })
    .get('/:code/orderbook', c => {
      const market = marketOf(exchange, c.req.param('code'))
      const { depth } = queryOf(c, orderBookQuery)
      return envelopeText(c, 200, books.read(market, depth), {})
    })
}

/** Returns the market with a code that a client wrote. Throws 404. */
export function marketOf(exchange: Exchange, code: string): DeskMarket {
  const market = exchange.marketWritten(code)
  if (market === undefined) throw new ApiError(404, REFUSED.eventNotFound, 'event_not_found')
  return market
}
