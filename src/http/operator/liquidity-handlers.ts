import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { liquidityRoutes } from '../../api/operator/liquidity-routes.js'
import type { AskedQuotes } from '../../api/operator/liquidity-schema.js'
import {
  groupLiquiditySchema,
  liquidityQuery,
  liquiditySchema,
  toAskedQuotes,
} from '../../api/operator/liquidity-schema.js'
import { groupQuotesView, quotesView } from '../../api/operator/liquidity-view.js'
import type { ShownQuotes } from '../../api/operator/shown-quotes.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { By } from '../../core/command.js'
import { priceRefusal } from '../../core/market.js'
import { toRupees } from '../../core/units.js'
import { busy } from '../../doors/capacity-refusal.js'
import { fundingRefusal, gridText, priceText } from '../../doors/funding-refusal.js'
import { groupOf } from '../../doors/group-of.js'
import { marketOf } from '../../doors/market-of.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { FundingRequest } from '../../exchange/house/house-budgets.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { queryOf } from '../middleware/query.js'
import type { Binding, Call } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { byOf } from '../routing/needs.js'

type Quotes = ReadonlyMap<DeskMarket, ShownQuotes>

/** Funds, shows and stops house quotes, behind the guard. */
export function liquidityHandlers(exchange: Exchange): Binding[] {
  const ofMarket = (market: DeskMarket) => quotesView(market, shownOf(exchange, market))
  const ofGroup = (group: DeskGroup, quotes = groupQuotes(exchange, group)) =>
    groupQuotesView(group.terms.code, quotes)
  return [
    handle(liquidityRoutes.fundEventQuotes, async call => {
      const isPreview = asksPreview(call)
      const body = validate(liquiditySchema, await readJson(call))
      const market = marketOf(exchange, call.params.code)
      const requests = requestsFor(exchange, [market], toAskedQuotes(body))
      if (isPreview) {
        const [shown] = [...previewed(exchange, requests).values()]
        return success(call, 200, DONE.quotesPreviewed, quotesView(market, shown as ShownQuotes))
      }
      await fund(exchange, requests, byOf(call, body))
      return success(call, 201, DONE.quotesFunded, ofMarket(market))
    }),
    handle(liquidityRoutes.getEventQuotes, call => {
      const market = marketOf(exchange, call.params.code)
      const shown = exchange.house.shown(market)
      return success(call, 200, DONE.quotesFetched, shown === undefined ? null : quotesView(market, shown))
    }),
    handle(liquidityRoutes.stopEventQuotes, async call => {
      const market = marketOf(exchange, call.params.code)
      shownOf(exchange, market)
      await stop(exchange, [market], byOf(call))
      return success(call, 200, DONE.quotesStopped, ofMarket(market))
    }),
    handle(liquidityRoutes.fundGroupQuotes, async call => {
      const isPreview = asksPreview(call)
      const body = validate(groupLiquiditySchema, await readJson(call))
      const group = groupOf(exchange, call.params.code)
      const markets = group.live
      if (markets.length === 0) throw new ApiError(409, REFUSED.groupOver)
      const requests = requestsFor(exchange, markets, toAskedQuotes(body))
      if (isPreview) {
        const view = ofGroup(group, previewed(exchange, requests))
        return success(call, 200, DONE.quotesPreviewed, view)
      }
      await fund(exchange, requests, byOf(call, body))
      return success(call, 201, DONE.quotesFunded, ofGroup(group))
    }),
    handle(liquidityRoutes.getGroupQuotes, call => {
      const group = groupOf(exchange, call.params.code)
      const quotes = groupQuotes(exchange, group)
      return success(call, 200, DONE.quotesFetched, quotes.size === 0 ? null : ofGroup(group, quotes))
    }),
    handle(liquidityRoutes.stopGroupQuotes, async call => {
      const group = groupOf(exchange, call.params.code)
      if (groupQuotes(exchange, group).size === 0) throw quotesNotFound()
      await stop(exchange, group.markets, byOf(call))
      return success(call, 200, DONE.quotesStopped, ofGroup(group))
    }),
  ]
}

function asksPreview(call: Call): boolean {
  return queryOf(call, liquidityQuery).preview !== undefined
}

/** Returns the last quotes of a market. Throws 404 if it has had none. */
function shownOf(exchange: Exchange, market: DeskMarket): ShownQuotes {
  const shown = exchange.house.shown(market)
  if (shown === undefined) throw quotesNotFound()
  return shown
}

function quotesNotFound(): ApiError {
  return new ApiError(404, REFUSED.quotesNotFound, 'quotes_not_found')
}

/** Returns the last quotes of the outcomes of a group that have had any. */
function groupQuotes(exchange: Exchange, { markets }: DeskGroup): Quotes {
  const quotes = new Map<DeskMarket, ShownQuotes>()
  for (const market of markets) {
    const shown = exchange.house.shown(market)
    if (shown !== undefined) quotes.set(market, shown)
  }
  return quotes
}

/** Returns what to fund in each market. Throws 422 for prices that are not on its grid. */
function requestsFor(
  { house }: Exchange,
  markets: readonly DeskMarket[],
  { budget, startPrice, step }: AskedQuotes,
): FundingRequest[] {
  for (const { terms } of markets) {
    if (startPrice !== undefined && priceRefusal(terms, toRupees(startPrice), startPrice) !== undefined) {
      throw new ApiError(422, `start_price: Expected a price of the event: ${gridText(terms)}`)
    }
    if (step !== undefined && step % terms.tickSize !== 0) {
      throw new ApiError(422, `step: Expected a multiple of ${priceText(terms.tickSize)}`)
    }
  }
  return house.funding.evenly(markets, budget, {
    ...(startPrice !== undefined && { startPrice }),
    ...(step !== undefined && { step }),
  })
}

function previewed({ house }: Exchange, requests: readonly FundingRequest[]): Quotes {
  const shown = house.funding.preview(requests)
  if (!Array.isArray(shown)) throw fundingRefusal(shown, requests.length)
  return new Map(requests.map(({ market }, index) => [market, shown[index] as ShownQuotes]))
}

async function fund({ house }: Exchange, requests: readonly FundingRequest[], by: By): Promise<void> {
  const refusal = await house.funding.fund(requests, by)
  if (refusal !== undefined) throw fundingRefusal(refusal, requests.length)
}

/** Stops all quotes that run in markets; resolves when that is committed. */
async function stop({ house }: Exchange, markets: readonly DeskMarket[], by: By): Promise<void> {
  const refusals = await Promise.all(markets.map(market => house.stop(market, by)))
  const refusal = refusals.find(found => found !== undefined)
  if (refusal !== undefined) throw busy(refusal)
}
