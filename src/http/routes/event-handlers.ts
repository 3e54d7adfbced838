import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { orderBookQuery, tradeSummaryQuery } from '../../api/events/event-query.js'
import { eventSchema, toMarketRequest } from '../../api/events/event-schema.js'
import { tradeSummaryView } from '../../api/events/event-view.js'
import { publicQuotes } from '../../api/operator/liquidity-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { ignoredFields } from '../../api/unknown-fields.js'
import { validate } from '../../api/validation.js'
import { marketOf } from '../../doors/market-of.js'
import type { Exchange } from '../../exchange/exchange.js'
import { BookTexts } from '../book-texts.js'
import { EventPages } from '../event-pages.js'
import type { EventRanks } from '../event-ranks.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../../doors/capacity-refusal.js'
import { envelopeText, success, successJson } from '../middleware/envelope.js'
import { ignoredHeader } from '../middleware/ignored-header.js'
import { queryOf } from '../middleware/query.js'
import { listEvents, shownEvent } from './event-list.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { eventRoutes } from '../../api/events/event-routes.js'
import type { CategoryAnswer } from '../../api/events/event-answer.js'
import type { Categories } from '../../exchange/markets/categories.js'

/** Creates, lists and shows events (specification 4.1, 4.2, 11). */
export function eventHandlers(exchange: Exchange, ranks: EventRanks): Binding[] {
  const books = new BookTexts()
  const pages = new EventPages(({ terms }) => exchange.tradersOf(terms.code))
  return [
    handle(eventRoutes.createEvent, async call => {
      const input = await readJson(call)
      const body = validate(eventSchema, input)
      const ignored = ignoredFields(eventSchema, input)
      const market = await exchange.createMarket({ ...toMarketRequest(body), by: byOf(call, body) })
      if (market === 'slug_used' || market === 'id_used')
        throw new ApiError(409, REFUSED.eventExists, 'event_exists')
      if (market === 'categories_full') throw new ApiError(422, REFUSED.categoriesFull)
      if (typeof market === 'string') throw busy(market)
      const created = successJson(201, DONE.eventCreated, String(market.terms.code))
      return envelopeText(call, 201, created, { ...ignoredHeader(ignored) })
    }),
    handle(eventRoutes.getTradeSummary, call => {
      const { eventId } = validate(tradeSummaryQuery, call.c.req.query())
      const view = tradeSummaryView(marketOf(exchange, eventId))
      return success(call, 200, DONE.tradeSummaryFetched, view)
    }),
    handle(eventRoutes.listCategories, call =>
      success(call, 200, DONE.categoriesFetched, {
        categories: categoryCounts(exchange.directory.categories),
      }),
    ),
    handle(eventRoutes.listEvents, call => listEvents({ exchange, pages, ranks }, call)),
    handle(eventRoutes.getEvent, call => {
      const market = marketOf(exchange, call.params.code)
      const house_quotes = publicQuotes(market, exchange.house.shown(market))
      const view = { ...shownEvent(exchange, market), ...(house_quotes !== undefined && { house_quotes }) }
      return success(call, 200, DONE.eventFetched, view)
    }),
    handle(eventRoutes.getOrderBook, call => {
      const market = marketOf(exchange, call.params.code)
      const { depth } = queryOf(call, orderBookQuery)
      return envelopeText(call, 200, books.read(market, depth), {})
    }),
  ]
}

/** Returns the categories of all events, those with the most events to trade first. */
function categoryCounts(categories: Categories): readonly CategoryAnswer[] {
  return Array.from(categories.all(), ({ spelling, trading, events }) => ({
    category: spelling,
    trading,
    events,
  })).sort((a, b) => b.trading - a.trading || b.events - a.events || (a.category < b.category ? -1 : 1))
}
