import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import type { DeskMarket } from '../exchange/desk-market.js'
import type { Exchange } from '../exchange/exchange.js'
import { byOf } from './admin-guard.js'
import { readJson } from './body.js'
import { busy } from './busy.js'
import { ApiError, success } from './envelope.js'
import { eventSchema, toMarketRequest } from './event-schema.js'
import { eventView, orderBookView, tradeSummaryView } from './event-view.js'
import { cutPage, depthOf, pageOf } from './query.js'
import { validate } from './validation.js'

const Q_LENGTH_MAX = 200

/** Events: create, list, look at (spec 4.1, 4.2; semantics 2). */
export function eventRoutes(exchange: Exchange, door: MiddlewareHandler): Hono {
  return new Hono()
    .post('/create', door, async c => {
      const body = validate(eventSchema, await readJson(c))
      const market = await exchange.createMarket({ ...toMarketRequest(body), by: byOf(c, body) })
      if (market === 'slug_used') throw new ApiError(409, 'Event already exists')
      if (typeof market === 'string') throw busy(market)
      return success(c, 201, 'Event created successfully', String(market.terms.code))
    })
    .get('/tradeSummary', c => {
      const code = c.req.query('eventId')
      if (code === undefined || code === '') throw new ApiError(422, 'eventId: Required')
      return success(c, 200, 'Trade summary fetched successfully', tradeSummaryView(marketOf(exchange, code)))
    })
    .get('/', c => listEvents(exchange, c))
    .get('/:code', c => {
      const market = marketOf(exchange, c.req.param('code'))
      const view = eventView(market, exchange.tradersOf(market.terms.code))
      return success(c, 200, 'Event fetched successfully', view)
    })
    .get('/:code/orderbook', c => {
      const market = marketOf(exchange, c.req.param('code'))
      return success(c, 200, 'Order book fetched successfully', orderBookView(market, depthOf(c)))
    })
}

/** The market with a code that a client wrote. Throws 404. */
export function marketOf(exchange: Exchange, code: string): DeskMarket {
  const market = exchange.marketWritten(code)
  if (market === undefined) throw new ApiError(404, 'Event not found')
  return market
}

async function listEvents(exchange: Exchange, c: Context): Promise<Response> {
  const { status, sot, q = '' } = c.req.query()
  const { limit, after = 0 } = pageOf(c, codeOf)
  if (q.length > Q_LENGTH_MAX) throw new ApiError(422, `q: Expected at most ${Q_LENGTH_MAX} characters`)
  const found: DeskMarket[] = []
  const candidates = q.trim() === '' ? exchange.markets() : exchange.archive.search(q, after)
  for await (const market of candidates) {
    const { terms, listing, progress } = market
    if (terms.code <= after) continue
    if (status !== undefined && progress.status !== status) continue
    if (sot !== undefined && listing.sot !== sot) continue
    found.push(market)
    if (found.length > limit) break
  }
  const { page, next_cursor } = cutPage(found, limit, ({ terms }) => String(terms.code))
  const events = page.map(market => eventView(market, exchange.tradersOf(market.terms.code)))
  return success(c, 200, 'Events fetched successfully', { events, next_cursor })
}

/** Any code will do, also one that is not given yet: the list goes on behind it. */
function codeOf(cursor: string): number | undefined {
  return /^\d{1,7}$/.test(cursor) ? Number(cursor) : undefined
}
