import type { Context } from 'hono'
import { Hono } from 'hono'
import { OPERATOR } from '../../access/accounts/access-context.js'
import type { AccessStore } from '../../access/accounts/access-store.js'
import type { UserLimit } from '../../access/accounts/user-limits.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import type { UserLimitsAnswer } from '../../api/operator/user-limits-schema.js'
import { userLimitsSchema } from '../../api/operator/user-limits-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { userIdIn } from '../../api/user-id.js'
import { validate } from '../../api/validation.js'
import type { Amount } from '../../core/units.js'
import { amount, amountToRupees, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { callerWith, checkUser } from '../middleware/caller.js'
import { success } from '../middleware/envelope.js'
import { addressOf } from '../middleware/identify-callers.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'

type Store = Pick<AccessStore, 'limits' | 'accounts'>

/** Shows the limits of a user to themselves and to operators, who change them. */
export function userLimitRoutes(exchange: Exchange, store: Store, guards: OperatorGuards): Hono {
  return new Hono()
    .get('/:userid/limits', c => {
      const caller = callerWith(c, 'read')
      const userid = userIdIn(c.req.param())
      checkUser(caller, userid, 'read')
      const known = knownUser(exchange, store, userid)
      if (known === undefined && caller.userId !== userid) throw userUnknown()
      const userId = known ?? userid
      return success(c, 200, DONE.userLimitsFetched, limitsView(userId, store.limits.of(userId)))
    })
    .patch('/:userid/limits', guards.operate, async c => {
      const body = validate(userLimitsSchema, await readJson(c))
      const { suspended, reason, order_value_max, open_orders_max } = body
      const userId = knownUser(exchange, store, userIdIn(c.req.param()))
      if (userId === undefined) throw userUnknown()
      const change = {
        isSuspended: suspended,
        reason,
        orderValueMax: unitsOf(order_value_max),
        openOrdersMax: open_orders_max,
      }
      const limit = store.limits.change(userId, change, { by: authorOf(c), address: addressOf(c) })
      return success(c, 200, DONE.userLimitsChanged, limitsView(userId, limit))
    })
}

/** Returns the id of a user on the exchange or of an account that has not traded yet. */
function knownUser(exchange: Exchange, { accounts }: Store, written: string): string | undefined {
  const { userId, isKnown } = exchange.archive.userNamed(written)
  return isKnown ? userId : accounts.named(written)?.name
}

function userUnknown(): ApiError {
  return new ApiError(404, REFUSED.userNotFound, 'user_not_found')
}

/** Returns the author of a change, as the audit log of access names it. */
function authorOf(c: Context): string {
  const { who } = byOf(c)
  return who.startsWith('account:') ? who.slice('account:'.length) : OPERATOR
}

function unitsOf(rupees: number | null | undefined): Amount | null | undefined {
  if (rupees === undefined || rupees === null) return rupees
  return amount(wholeParts(rupees, UNITS_PER_RUPEE) ?? 0)
}

function limitsView(userid: string, limit: UserLimit | undefined): UserLimitsAnswer {
  const { isSuspended = false, reason = '', orderValueMax, openOrdersMax, changedAt } = limit ?? {}
  return {
    userid,
    suspended: isSuspended,
    reason: isSuspended ? reason : null,
    order_value_max: orderValueMax === undefined ? null : amountToRupees(orderValueMax),
    open_orders_max: openOrdersMax ?? null,
    changed_at: changedAt === undefined ? null : new Date(changedAt).toISOString(),
  }
}
