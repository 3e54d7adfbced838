import type { Context } from 'hono'
import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { orderListQuery } from '../../api/orders/order-query.js'
import { orderView } from '../../api/orders/order-view.js'
import { validate } from '../../api/validation.js'
import type { MarketCode, OrderNumber, TimeMs } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { OrderPlace } from '../../store/rows/order-rows.js'
import { callerWith, checkUser, withOwnUser } from '../middleware/caller.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { marketOf } from './event-handlers.js'
import { NO_ROWS, userFound } from './user-found.js'

/** Lists a user's orders, page by page. */
export function orderListRoutes(exchange: Exchange): Hono {
  return new Hono().get('/', c => listOrders(exchange, c))
}

async function listOrders(exchange: Exchange, c: Context): Promise<Response> {
  const caller = callerWith(c, 'read')
  const { userid, event_id, state } = validate(orderListQuery, withOwnUser(caller, c.req.query()))
  checkUser(caller, userid, 'read')
  const { limit, after } = pageOf(c, placeOf)
  const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
  const filter = { market, state, ...rangeIn(c.req.query()) }
  const found = unlessBusy(await exchange.archive.orders(userid, filter, after, limit + 1))
  const { rows, searchedTo } = userFound(c, userid, found, NO_ROWS)
  return answerPage(c, {
    message: DONE.ordersFetched,
    field: 'orders',
    rows,
    limit,
    view: order => orderView(order, marketOf(exchange, String(order.market)).terms.payout),
    cursorOf: placeText,
    // If no more rows match, the next page resumes after the rows searched so far.
    next: searchedTo === undefined ? null : placeText(searchedTo),
  })
}

function placeText({ createdAt, market, number }: OrderPlace): string {
  return `${createdAt}-${market}-${number}`
}

function placeOf(cursor: string): OrderPlace | undefined {
  const [, createdAt, market, number] = /^(\d{1,15})-(\d{7})-(\d{1,10})$/.exec(cursor) ?? []
  if (number === undefined) return undefined
  return {
    createdAt: Number(createdAt) as TimeMs,
    market: Number(market) as MarketCode,
    number: Number(number) as OrderNumber,
  }
}
