import type { AccessStore } from '../../access/accounts/access-store.js'
import { DONE } from '../../api/answer-texts.js'
import type { UserAnswer } from '../../api/portfolio/portfolio-answer.js'
import { userListQuery } from '../../api/portfolio/user-list-query.js'
import { amount, amountToRupees } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { PersonSums } from '../../exchange/reads/people-figures.js'
import type { UserPlace } from '../../store/operator/user-rows.js'
import { isFigure } from '../../store/operator/user-rows.js'
import { unlessBusy } from '../../doors/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { userLimitHandlers } from '../operator/user-limit-handlers.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { operatorRoutes } from '../../api/operator/operator-routes.js'

/** Lists accounts and their money to operators, page by page, and sets the limits of users. */
export function userListHandlers(
  exchange: Exchange,
  store: Pick<AccessStore, 'limits' | 'accounts'>,
): Binding[] {
  const { limits } = store
  return [
    handle(operatorRoutes.listUsers, async call => {
      const { q, sort, order, only, figures } = queryOf(call, userListQuery)
      const { limit, after } = pageOf(call, cursor => placeIn(cursor, sort === 'userid'), userListQuery)
      const among = only === undefined ? undefined : limits.names(only === 'suspended')
      const filter = { q, sort, isDescending: order === 'desc', among }
      // Counts what has happened since, by which the list is sorted.
      if (isFigure(sort)) unlessBusy(await exchange.archive.people.sumsOf([]))
      const rows = unlessBusy(await exchange.archive.users(filter, after, limit + 1))
      const accounts = rows.map(({ number }) => number)
      const sums = figures === 'yes' ? unlessBusy(await exchange.archive.people.sumsOf(accounts)) : []
      const sumOf = new Map(accounts.map((number, place) => [number, sums[place]]))
      return answerPage(call, {
        message: DONE.usersFetched,
        field: 'users',
        rows,
        limit,
        view: ({ number, userId, cash, held }): UserAnswer => ({
          userid: userId,
          cash: amountToRupees(cash),
          held: amountToRupees(held),
          available: amountToRupees(amount(cash - held)),
          suspended: limits.of(userId)?.isSuspended ?? false,
          ...figuresView(sumOf.get(number)),
        }),
        cursorOf: row => cursorOf(row),
      })
    }),
    ...userLimitHandlers(exchange, store),
  ]
}

/** Returns a user's figures where they were asked for. */
function figuresView(sums: PersonSums | undefined): Pick<UserAnswer, 'figures'> {
  if (sums === undefined) return {}
  const { profit, volume, lastSeen } = sums
  return {
    figures: {
      profit: amountToRupees(amount(profit)),
      volume: amountToRupees(amount(volume)),
      last_seen: lastSeen === undefined ? null : new Date(lastSeen).toISOString(),
    },
  }
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
