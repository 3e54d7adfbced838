import { DONE } from '../../api/answer-texts.js'
import { longPageQuery } from '../../api/long-page-query.js'
import { performanceQuery } from '../../api/portfolio/performance-answer.js'
import { performanceView } from '../../api/portfolio/performance-view.js'
import type { BalanceAnswer } from '../../api/portfolio/portfolio-answer.js'
import { fillView, positionView } from '../../api/portfolio/portfolio-view.js'
import { settlementQuery } from '../../api/portfolio/statement-answer.js'
import { placeOf, placeText } from '../../api/portfolio/statement-cursor.js'
import { entryView, settlementView } from '../../api/portfolio/statement-view.js'
import type { MarketTerms } from '../../core/market.js'
import type { Performance } from '../../core/records/performance-record.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import { amount, amountToRupees, NOTHING } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SettlementPlace } from '../../store/rows/settlement-rows.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { marketOf } from '../../doors/market-of.js'
import { NO_ROWS, userFound } from './user-found.js'
import { checkUser } from '../../doors/own-user.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { portfolioRoutes } from '../../api/portfolio/portfolio-routes.js'

/** Serves a user's money and contracts, and their history (specification 11). */
export function portfolioHandlers(exchange: Exchange): Binding[] {
  return [
    handle(portfolioRoutes.getBalance, call => showBalance(exchange, call, userOf(call, call.params.userid))),
    handle(portfolioRoutes.listPositions, call =>
      showPositions(exchange, call, userOf(call, call.params.userid)),
    ),
    handle(portfolioRoutes.getPerformance, call =>
      showPerformance(exchange, call, userOf(call, call.params.userid)),
    ),
    handle(portfolioRoutes.listFills, async call => {
      const userId = userOf(call, call.params.userid)
      const { limit, after } = pageOf(call, placeOf)
      const range = rangeIn(call.c.req.query())
      const read = unlessBusy(await exchange.archive.fills(userId, range, after, limit + 1))
      const found = userFound(call, userId, read, NO_ROWS)
      return answerPage(call, {
        message: DONE.fillsFetched,
        field: 'fills',
        rows: found.rows,
        limit,
        view: fill => fillView(fill, termsOf(exchange, fill)),
        cursorOf: placeText,
        next: found.searchedTo === undefined ? null : placeText(found.searchedTo),
      })
    }),
    handle(portfolioRoutes.listStatement, async call => {
      const userId = userOf(call, call.params.userid)
      const { limit, after } = pageOf(call, placeOf)
      const range = rangeIn(call.c.req.query())
      const read = unlessBusy(await exchange.archive.statement(userId, range, after, limit + 1))
      const found = userFound(call, userId, read, NO_ROWS)
      return answerPage(call, {
        message: DONE.statementFetched,
        field: 'entries',
        rows: found.rows,
        limit,
        view: entryView,
        cursorOf: placeText,
        next: found.searchedTo === undefined ? null : placeText(found.searchedTo),
      })
    }),
    handle(portfolioRoutes.listSettlements, async call => {
      const userId = userOf(call, call.params.userid)
      const { limit, after } = pageOf(call, settlementOf)
      const { event_id } = queryOf(call, settlementQuery)
      const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
      const filter = { market, ...rangeIn(call.c.req.query()) }
      const read = unlessBusy(await exchange.archive.settlements(userId, filter, after, limit + 1))
      const rows = userFound(call, userId, read, [])
      return answerPage(call, {
        message: DONE.settlementsFetched,
        field: 'settlements',
        rows,
        limit,
        view: settlementView,
        cursorOf: ({ at, market }) => `${at}-${market}`,
      })
    }),
  ]
}

/** Returns the user in the address. Throws 401 or 403 if the caller may not read about them. */
function userOf(call: Call, userId: string): string {
  checkUser(call.caller, userId, 'read')
  return userId
}

function termsOf(exchange: Exchange, { market }: { readonly market: MarketCode }): MarketTerms {
  return marketOf(exchange, String(market)).terms
}

function showBalance(exchange: Exchange, call: Call, userid: string): Answer {
  const unused = { cash: exchange.startingBalance, held: NOTHING }
  const balance = userFound(call, userid, exchange.balance(userid), unused)
  const view: BalanceAnswer = {
    userid: exchange.archive.userNamed(userid).userId,
    cash: amountToRupees(balance.cash),
    held: amountToRupees(balance.held),
    // Holds for orders that are not on disk yet are not shown.
    available: amountToRupees(amount(balance.cash - balance.held)),
    user_seq: exchange.userChannel.userSeq(userid),
  }
  return success(call, 200, DONE.balanceFetched, view)
}

function codeOf(cursor: string): MarketCode | undefined {
  return /^\d{7}$/.test(cursor) ? (Number(cursor) as MarketCode) : undefined
}

function settlementOf(cursor: string): SettlementPlace | undefined {
  const [, at, market] = /^(\d{1,15})-(\d{7})$/.exec(cursor) ?? []
  if (at === undefined || market === undefined) return undefined
  return { at: Number(at) as TimeMs, market: Number(market) as MarketCode }
}

async function showPositions(exchange: Exchange, call: Call, userid: string): Promise<Response> {
  const { limit, after } = pageOf(call, codeOf, longPageQuery)
  const read = unlessBusy(await exchange.archive.positions(userid, after, limit))
  const found = userFound(call, userid, read, NO_ROWS)
  return answerPage(call, {
    message: DONE.positionsFetched,
    field: 'positions',
    rows: found.rows,
    limit,
    view: position => positionView(position, termsOf(exchange, position)),
    cursorOf: ({ market }) => String(market),
    next: found.searchedTo === undefined ? null : String(found.searchedTo),
  })
}

async function showPerformance(exchange: Exchange, call: Call, userid: string): Promise<Response> {
  const { points } = queryOf(call, performanceQuery)
  const range = rangeIn(call.c.req.query())
  const read = unlessBusy(await exchange.archive.performance(userid, range, points))
  const found = userFound(call, userid, read, noPerformance(range.to ?? exchange.now()))
  return success(call, 200, DONE.performanceFetched, performanceView(found))
}

/** Returns the performance of a user without an account. */
function noPerformance(at: TimeMs): Performance {
  return { from: at, to: at, isComplete: true, lines: 0, totals: {}, points: [] }
}
