import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { candleRangeIn } from '../../api/events/candle-query.js'
import { candleView, tradeView } from '../../api/events/trade-view.js'
import { LIMITS } from '../../api/limits.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { CANDLE_TRADES_MAX } from '../../store/rows/candle-rows.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { marketOf } from '../../doors/market-of.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { eventRoutes } from '../../api/events/event-routes.js'

const { candlesMax: CANDLES_MAX } = LIMITS

const TOO_MANY = {
  candles_too_many: `from: Expected at most ${CANDLES_MAX} candles: name a later time or a longer interval`,
  trades_too_many: `from: Expected at most ${CANDLE_TRADES_MAX} trades in all candles: name a later time`,
}

/** Serves the trading history of an event (specification 11). */
export function tradeHandlers(exchange: Exchange): Binding[] {
  return [
    handle(eventRoutes.listTrades, call => listTrades(exchange, call, call.params.code)),
    handle(eventRoutes.listCandles, call => showCandles(exchange, call, call.params.code)),
  ]
}

async function listTrades(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const { terms } = marketOf(exchange, code)
  const { limit, after } = pageOf(call, cursor => numberIn(cursor, terms.code))
  const rows = unlessBusy(
    await exchange.archive.trades(terms.code, rangeIn(call.c.req.query()), after, limit + 1),
  )
  return answerPage(call, {
    message: DONE.tradesFetched,
    field: 'trades',
    rows: rows.map(row => tradeView(terms, row)),
    limit,
    view: trade => trade,
    cursorOf: ({ tradeId }) => tradeId,
  })
}

async function showCandles(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const market = marketOf(exchange, code).terms.code
  const candles = unlessBusy(await exchange.archive.candles(market, candleRangeIn(call.c.req.query())))
  if (typeof candles === 'string') throw new ApiError(422, TOO_MANY[candles])
  return success(call, 200, DONE.candlesFetched, { candles: candles.map(candleView) })
}

/** Returns the number in a trade's id, which is the cursor of a page that ends with it. */
function numberIn(id: string, market: MarketCode): number | undefined {
  const [, code, number] = /^(\d{7})-(\d{1,15})$/.exec(id) ?? []
  return Number(code) === market ? Number(number) : undefined
}
