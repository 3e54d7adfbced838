import type { Context } from 'hono'
import { Hono } from 'hono'
import type { MarketCode } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import { success } from './envelope.js'
import { marketOf } from './event-routes.js'
import { cutPage, pageOf } from './query.js'
import { tradeView } from './trade-view.js'

/** How an event has traded so far (semantics 2). */
export function tradeRoutes(exchange: Exchange): Hono {
  return new Hono().get('/:code/trades', c => listTrades(exchange, c, c.req.param('code')))
}

async function listTrades(exchange: Exchange, c: Context, code: string): Promise<Response> {
  const { terms } = marketOf(exchange, code)
  const { limit, after } = pageOf(c, cursor => numberIn(cursor, terms.code))
  const rows = await exchange.archive.trades(terms.code, after, limit + 1)
  const views = rows.map(row => tradeView(terms, row))
  const { page, next_cursor } = cutPage(views, limit, ({ tradeId }) => tradeId)
  return success(c, 200, 'Trades fetched successfully', { trades: page, next_cursor })
}

/** The number of the trade with an id, which is the cursor of a page that ends with it. */
function numberIn(id: string, market: MarketCode): number | undefined {
  const [, code, number] = /^(\d{7})-(\d{1,15})$/.exec(id) ?? []
  return Number(code) === market ? Number(number) : undefined
}
