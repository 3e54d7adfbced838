import { z } from 'zod'
import { accountListQuery, auditQuery, keyOwnerQuery, sessionOwnerQuery } from '../../api/auth/auth-query.js'
import { candleQuery } from '../../api/events/candle-query.js'
import { eventListQuery, orderBookQuery, tradeSummaryQuery } from '../../api/events/event-query.js'
import { longPageQuery } from '../../api/long-page-query.js'
import { actionQuery } from '../../api/operator/action-query.js'
import { healthHistoryQuery } from '../../api/operator/health-query.js'
import { previewQuery } from '../../api/operator/resolution-schema.js'
import { cancelAllQuery, namedOrderQuery, orderListQuery } from '../../api/orders/order-query.js'
import { pageQuery, rangedPage } from '../../api/page-query.js'
import { performanceQuery } from '../../api/portfolio/performance-answer.js'
import { settlementQuery } from '../../api/portfolio/statement-answer.js'
import { commentListQuery, ownCommentQuery } from '../../api/site/comment-schema.js'
import { leaderboardQuery } from '../../api/site/people-schema.js'
import { userListQuery } from '../../api/portfolio/user-list-query.js'

/**
 * Query parameters of each route, by method and path. A route that is not listed takes none: the app refuses
 * every other parameter.
 */
export const knownQueries: Readonly<Record<string, z.ZodObject>> = {
  'GET /events': z.object({ ...eventListQuery.shape, ...pageQuery.shape }),
  'GET /events/tradeSummary': tradeSummaryQuery,
  'GET /events/:code/orderbook': orderBookQuery,
  'GET /events/:code/trades': rangedPage,
  'GET /events/:code/candles': candleQuery,
  'GET /events/:code/settlement': previewQuery,
  'GET /events/:code/comments': pageQuery,
  'GET /comments': commentListQuery,
  'DELETE /events/:code/comments/:number': ownCommentQuery,
  'GET /order': z.object({ ...orderListQuery.shape, ...rangedPage.shape }),
  'DELETE /order': cancelAllQuery,
  'GET /order/by-client-id/:key': namedOrderQuery,
  'DELETE /order/by-client-id/:key': namedOrderQuery,
  'GET /leaderboard': leaderboardQuery,
  'GET /portfolio': userListQuery,
  'GET /portfolio/:userid/positions': longPageQuery,
  'GET /portfolio/:userid/performance': performanceQuery,
  'GET /portfolio/:userid/fills': rangedPage,
  'GET /portfolio/:userid/statement': rangedPage,
  'GET /portfolio/:userid/settlements': settlementQuery,
  'GET /auth/sessions': sessionOwnerQuery,
  'DELETE /auth/sessions/:number': sessionOwnerQuery,
  'GET /auth/keys': keyOwnerQuery,
  'DELETE /auth/keys/:number': keyOwnerQuery,
  'GET /auth/users': accountListQuery,
  'GET /auth/audit': auditQuery,
  'GET /admin/actions': actionQuery,
  'GET /admin/health/history': healthHistoryQuery,
}
