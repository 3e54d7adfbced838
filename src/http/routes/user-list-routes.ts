import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import type { UserAnswer } from '../../api/portfolio/portfolio-answer.js'
import { amount, amountToRupees } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { pageOf } from '../middleware/query.js'

const ACCOUNT_NUMBER = /^\d{1,15}$/

/** Lists accounts and their money to operators, page by page, in order of arrival. */
export function userListRoutes(exchange: Exchange, guards: OperatorGuards): Hono {
  return new Hono().get('/', guards.read, async c => {
    const { limit, after = 0 } = pageOf(c, accountIn)
    const rows = unlessBusy(await exchange.archive.users(after, limit + 1))
    return answerPage(c, {
      message: DONE.usersFetched,
      field: 'users',
      rows,
      limit,
      view: ({ userId, cash, held }): UserAnswer => ({
        userid: userId,
        cash: amountToRupees(cash),
        held: amountToRupees(held),
        available: amountToRupees(amount(cash - held)),
      }),
      cursorOf: ({ number }) => String(number),
    })
  })
}

function accountIn(cursor: string): number | undefined {
  return ACCOUNT_NUMBER.test(cursor) ? Number(cursor) : undefined
}
