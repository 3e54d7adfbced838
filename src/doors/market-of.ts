import { ApiError } from '../api/api-error.js'
import { REFUSED } from '../api/refusal-texts.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'

/** Returns the market with a code that a client wrote. Throws 404. */
export function marketOf(exchange: Exchange, code: string): DeskMarket {
  const market = exchange.marketWritten(code)
  if (market === undefined) throw new ApiError(404, REFUSED.eventNotFound, 'event_not_found')
  return market
}
