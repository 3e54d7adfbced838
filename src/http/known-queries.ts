import { z } from 'zod'
import { candleQuery } from './candle-query.js'
import { eventListQuery, orderBookQuery, tradeSummaryQuery } from './event-query.js'
import { cancelAllQuery } from './order-change-routes.js'
import { orderListQuery } from './order-list-routes.js'
import { pageQuery } from './query.js'
import { previewQuery } from './settlement-routes.js'

/**
 * The query parameters of each route, by method and path. A route that is not listed takes none: the app
 * refuses every parameter that is not in here.
 */
export const knownQueries: Readonly<Record<string, z.ZodObject>> = {
  'GET /events': z.object({ ...eventListQuery.shape, ...pageQuery.shape }),
  'GET /events/tradeSummary': tradeSummaryQuery,
  'GET /events/:code/orderbook': orderBookQuery,
  'GET /events/:code/trades': pageQuery,
  'GET /events/:code/candles': candleQuery,
  'GET /events/:code/settlement': previewQuery,
  'GET /order': z.object({ ...orderListQuery.shape, ...pageQuery.shape }),
  'DELETE /order': cancelAllQuery,
  'GET /portfolio': pageQuery,
  'GET /portfolio/:userid/fills': pageQuery,
  'GET /portfolio/:userid/statement': pageQuery,
  'GET /portfolio/:userid/settlements': pageQuery,
  'GET /admin/actions': pageQuery,
}
