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
import type { Shown } from '../event-pages.js'
import { EventPages } from '../event-pages.js'
import { readJson } from '../middleware/body.js'
import { busy, unlessBusy } from '../middleware/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { envelopeText, outboxFull, success } from '../middleware/envelope.js'
import type { ListRows } from '../middleware/list-page.js'
import { answerPage, writePage } from '../middleware/list-page.js'
import { byOf } from '../middleware/operator-guard.js'
import { hasRoom } from '../middleware/outbox.js'
import { askedPage, queryOf } from '../middleware/query.js'

/** Creates, lists and shows events (specification 4.1, 4.2, 11). */
export function eventRoutes(exchange: Exchange, door: MiddlewareHandler): Hono {
  const books = new BookTexts()
  const pages = new EventPages(({ terms }) => exchange.tradersOf(terms.code))
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
    .get('/', c => listEvents(exchange, pages, c))
    .get('/:code', c => {
      const market = marketOf(exchange, c.req.param('code'))
      const view = eventView(market, exchange.tradersOf(market.terms.code))
      return success(c, 200, DONE.eventFetched, view)
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

function listEvents(exchange: Exchange, pages: EventPages, c: Context): Answer | Promise<Response> {
  const query = queryOf(c, eventListQuery)
  const { q = '', description } = query
  const { limit, after = 0 } = askedPage(c, codeOf)
  const isSearch = q.trim() !== ''
  const key = [limit, after, query.status, description, query.sot].join(' ')
  const known = isSearch ? undefined : pages.find(key, eventsFrom(exchange, query, after, limit + 1))
  if (known !== undefined) return envelopeText(c, 200, known, {})
  if (!hasRoom(c)) throw outboxFull()
  const page: Omit<ListRows<DeskMarket>, 'rows'> = {
    message: DONE.eventsFetched,
    field: 'events',
    limit,
    view: market => {
      const view = eventView(market, exchange.tradersOf(market.terms.code))
      return description === 'no' ? { ...view, description: undefined } : view
    },
    cursorOf: ({ terms }) => String(terms.code),
  }
  if (isSearch) return answerPage(c, { ...page, rows: foundEvents(exchange, query, after) })
  return keptPage(c, pages, key, page, () => eventsFrom(exchange, query, after, limit + 1))
}

/** Makes a page of events and keeps it. */
async function keptPage(
  c: Context,
  pages: EventPages,
  key: string,
  page: Omit<ListRows<DeskMarket>, 'rows'>,
  read: () => readonly DeskMarket[],
): Promise<Response> {
  let rows: readonly DeskMarket[] = []
  const shown: Shown[] = []
  const view = (market: DeskMarket) => {
    shown.push(pages.note(market))
    return page.view(market)
  }
  const text = await writePage(() => {
    rows = read()
    return { ...page, rows, view }
  })
  return envelopeText(c, 200, pages.keep(key, rows, shown, text), {})
}

/** Returns the first events that match, of those after a code. */
function eventsFrom(
  exchange: Exchange,
  query: EventListQuery,
  after: number,
  countMax: number,
): readonly DeskMarket[] {
  const events: DeskMarket[] = []
  for (const market of exchange.markets()) {
    if (!isListed(market, query, after)) continue
    events.push(market)
    if (events.length === countMax) break
  }
  return events
}

async function* foundEvents(
  exchange: Exchange,
  query: EventListQuery,
  after: number,
): AsyncGenerator<DeskMarket> {
  for await (const found of exchange.archive.search(query.q ?? '', after)) {
    const market = unlessBusy(found)
    if (isListed(market, query, after)) yield market
  }
}

function isListed(
  { terms, listing, progress }: DeskMarket,
  { status, sot }: EventListQuery,
  after: number,
): boolean {
  if (terms.code <= after || (status !== undefined && progress.status !== status)) return false
  return sot === undefined || listing.sot === sot
}

/** Returns the code in a cursor, which need not exist: the list continues after it. */
function codeOf(cursor: string): number | undefined {
  return /^\d{1,7}$/.test(cursor) ? Number(cursor) : undefined
}
