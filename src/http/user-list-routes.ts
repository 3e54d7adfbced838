import type { MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { amount, amountToRupees } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import { success } from './envelope.js'
import type { UserAnswer } from './portfolio-answer.js'
import { cutPage, pageOf } from './query.js'

const ACCOUNT_NUMBER = /^\d{1,15}$/

/** Who has an account and what is in it, page by page, in the order in which they came, for the operator. */
export function userListRoutes(exchange: Exchange, guard: MiddlewareHandler): Hono {
  return new Hono().get('/', guard, async c => {
    const { limit, after = 0 } = pageOf(c, accountIn)
    const rows = await exchange.archive.users(after, limit + 1)
    const { page, next_cursor } = cutPage(rows, limit, ({ number }) => String(number))
    const users = page.map(
      ({ userId, cash, held }): UserAnswer => ({
        userid: userId,
        cash: amountToRupees(cash),
        held: amountToRupees(held),
        available: amountToRupees(amount(cash - held)),
      }),
    )
    return success(c, 200, 'Users fetched successfully', { users, next_cursor })
  })
}

function accountIn(cursor: string): number | undefined {
  return ACCOUNT_NUMBER.test(cursor) ? Number(cursor) : undefined
}
