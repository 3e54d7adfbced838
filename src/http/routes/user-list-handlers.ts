import { Hono } from 'hono'
import type { AccessStore } from '../../access/accounts/access-store.js'
import { DONE } from '../../api/answer-texts.js'
import type { UserAnswer } from '../../api/portfolio/portfolio-answer.js'
import { userListQuery } from '../../api/portfolio/user-list-query.js'
import { amount, amountToRupees } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { UserPlace } from '../../store/operator/user-rows.js'
import { placeOfUser } from '../../store/operator/user-rows.js'
import { unlessBusy } from '../middleware/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { userLimitRoutes } from '../operator/user-limit-handlers.js'

/** Lists accounts and their money to operators, page by page, and sets the limits of users. */
export function userListRoutes(
  exchange: Exchange,
  store: Pick<AccessStore, 'limits' | 'accounts'>,
  guards: OperatorGuards,
): Hono {
  const { limits } = store
  const list = new Hono().get('/', guards.read, async c => {
    const { q, sort, order, only } = queryOf(c, userListQuery)
    const { limit, after } = pageOf(c, cursor => placeIn(cursor, sort === 'userid'), userListQuery)
    const among = only === undefined ? undefined : limits.names(only === 'suspended')
    const filter = { q, sort, isDescending: order === 'desc', among }
    const rows = unlessBusy(await exchange.archive.users(filter, after, limit + 1))
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
        suspended: limits.of(userId)?.isSuspended ?? false,
      }),
      cursorOf: row => cursorOf(placeOfUser(row, sort)),
    })
  })
  return list.route('/', userLimitRoutes(exchange, store, guards))
}

const NUMBER = /^-?\d{1,15}$/

/** Writes a place: the account alone, or what it is sorted by before it. */
function cursorOf({ key, number }: UserPlace): string {
  if (key === number) return String(number)
  const text = typeof key === 'string' ? Buffer.from(key).toString('base64url') : key
  return `${number}.${text}`
}

function placeIn(cursor: string, isByName: boolean): UserPlace | undefined {
  const [number = '', key, ...rest] = cursor.split('.')
  if (!NUMBER.test(number) || Number(number) < 0 || rest.length > 0) return undefined
  if (key === undefined) return { key: Number(number), number: Number(number) }
  if (isByName) return { key: Buffer.from(key, 'base64url').toString(), number: Number(number) }
  return NUMBER.test(key) ? { key: Number(key), number: Number(number) } : undefined
}
