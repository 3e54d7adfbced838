import { DONE } from '../../api/answer-texts.js'
import { orderListQuery } from '../../api/orders/order-query.js'
import { orderView } from '../../api/orders/order-view.js'
import { validate } from '../../api/validation.js'
import type { MarketCode, OrderNumber, TimeMs } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { OrderPlace } from '../../store/rows/order-rows.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { marketOf } from '../../doors/market-of.js'
import { NO_ROWS, userFound } from './user-found.js'
import { checkUser, withOwnUser } from '../../doors/own-user.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { orderRoutes } from '../../api/orders/order-routes.js'

/** Lists a user's orders, page by page. */
export function orderListHandlers(exchange: Exchange): Binding[] {
  return [handle(orderRoutes.listOrders, call => listOrders(exchange, call))]
}

async function listOrders(exchange: Exchange, call: Call): Promise<Response> {
  const caller = call.caller
  const { userid, event_id, state } = validate(orderListQuery, withOwnUser(caller, call.c.req.query()))
  checkUser(caller, userid, 'read')
  const { limit, after } = pageOf(call, placeOf)
  const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
  const filter = { market, state, ...rangeIn(call.c.req.query()) }
  const found = unlessBusy(await exchange.archive.orders(userid, filter, after, limit + 1))
  const { rows, searchedTo } = userFound(call, userid, found, NO_ROWS)
  return answerPage(call, {
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
