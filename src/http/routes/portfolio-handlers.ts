import type { Context } from 'hono'
import { Hono } from 'hono'
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
import { callerWith, checkUser } from '../middleware/caller.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { marketOf } from './event-handlers.js'
import { NO_ROWS, userFound } from './user-found.js'

/** Serves a user's money and contracts, and their history (specification 11). */
export function portfolioRoutes(exchange: Exchange): Hono {
  return new Hono()
    .get('/:userid/balance', c => showBalance(exchange, c, userOf(c, c.req.param('userid'))))
    .get('/:userid/positions', c => showPositions(exchange, c, userOf(c, c.req.param('userid'))))
    .get('/:userid/performance', c => showPerformance(exchange, c, userOf(c, c.req.param('userid'))))
    .get('/:userid/fills', async c => {
      const userId = userOf(c, c.req.param('userid'))
      const { limit, after } = pageOf(c, placeOf)
      const range = rangeIn(c.req.query())
      const read = unlessBusy(await exchange.archive.fills(userId, range, after, limit + 1))
      const found = userFound(c, userId, read, NO_ROWS)
      return answerPage(c, {
        message: DONE.fillsFetched,
        field: 'fills',
        rows: found.rows,
        limit,
        view: fill => fillView(fill, termsOf(exchange, fill)),
        cursorOf: placeText,
        next: found.searchedTo === undefined ? null : placeText(found.searchedTo),
      })
    })
    .get('/:userid/statement', async c => {
      const userId = userOf(c, c.req.param('userid'))
      const { limit, after } = pageOf(c, placeOf)
      const range = rangeIn(c.req.query())
      const read = unlessBusy(await exchange.archive.statement(userId, range, after, limit + 1))
      const found = userFound(c, userId, read, NO_ROWS)
      return answerPage(c, {
        message: DONE.statementFetched,
        field: 'entries',
        rows: found.rows,
        limit,
        view: entryView,
        cursorOf: placeText,
        next: found.searchedTo === undefined ? null : placeText(found.searchedTo),
      })
    })
    .get('/:userid/settlements', async c => {
      const userId = userOf(c, c.req.param('userid'))
      const { limit, after } = pageOf(c, settlementOf)
      const { event_id } = queryOf(c, settlementQuery)
      const market = event_id === undefined ? undefined : marketOf(exchange, event_id).terms.code
      const filter = { market, ...rangeIn(c.req.query()) }
      const read = unlessBusy(await exchange.archive.settlements(userId, filter, after, limit + 1))
      const rows = userFound(c, userId, read, [])
      return answerPage(c, {
        message: DONE.settlementsFetched,
        field: 'settlements',
        rows,
        limit,
        view: settlementView,
        cursorOf: ({ at, market }) => `${at}-${market}`,
      })
    })
}

/** Returns the user in the address. Throws 401 or 403 if the caller may not read about them. */
function userOf(c: Context, userId: string): string {
  checkUser(callerWith(c, 'read'), userId, 'read')
  return userId
}

function termsOf(exchange: Exchange, { market }: { readonly market: MarketCode }): MarketTerms {
  return marketOf(exchange, String(market)).terms
}

function showBalance(exchange: Exchange, c: Context, userid: string): Answer {
  const unused = { cash: exchange.startingBalance, held: NOTHING }
  const balance = userFound(c, userid, exchange.balance(userid), unused)
  const view: BalanceAnswer = {
    userid: exchange.archive.userNamed(userid).userId,
    cash: amountToRupees(balance.cash),
    held: amountToRupees(balance.held),
    // Holds for orders that are not on disk yet are not shown.
    available: amountToRupees(amount(balance.cash - balance.held)),
    user_seq: exchange.userChannel.userSeq(userid),
  }
  return success(c, 200, DONE.balanceFetched, view)
}

function codeOf(cursor: string): MarketCode | undefined {
  return /^\d{7}$/.test(cursor) ? (Number(cursor) as MarketCode) : undefined
}

function settlementOf(cursor: string): SettlementPlace | undefined {
  const [, at, market] = /^(\d{1,15})-(\d{7})$/.exec(cursor) ?? []
  if (at === undefined || market === undefined) return undefined
  return { at: Number(at) as TimeMs, market: Number(market) as MarketCode }
}

async function showPositions(exchange: Exchange, c: Context, userid: string): Promise<Response> {
  const { limit, after } = pageOf(c, codeOf, longPageQuery)
  const read = unlessBusy(await exchange.archive.positions(userid, after, limit))
  const found = userFound(c, userid, read, NO_ROWS)
  return answerPage(c, {
    message: DONE.positionsFetched,
    field: 'positions',
    rows: found.rows,
    limit,
    view: position => positionView(position, termsOf(exchange, position)),
    cursorOf: ({ market }) => String(market),
    next: found.searchedTo === undefined ? null : String(found.searchedTo),
  })
}

async function showPerformance(exchange: Exchange, c: Context, userid: string): Promise<Answer> {
  const { points } = queryOf(c, performanceQuery)
  const range = rangeIn(c.req.query())
  const read = unlessBusy(await exchange.archive.performance(userid, range, points))
  const found = userFound(c, userid, read, noPerformance(range.to ?? exchange.now()))
  return success(c, 200, DONE.performanceFetched, performanceView(found))
}

/** Returns the performance of a user without an account. */
function noPerformance(at: TimeMs): Performance {
  return { from: at, to: at, isComplete: true, lines: 0, totals: {}, points: [] }
}
