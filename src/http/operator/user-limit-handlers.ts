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
import { success } from '../middleware/envelope.js'
import { checkUser } from '../../doors/own-user.js'
import { byOf } from '../routing/needs.js'
import { addressOf } from '../routing/sender.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { userLimitRoutes } from '../../api/operator/user-limit-routes.js'

type Store = Pick<AccessStore, 'limits' | 'accounts'>

/** Shows the limits of a user to themselves and to operators, who change them. */
export function userLimitHandlers(exchange: Exchange, store: Store): Binding[] {
  return [
    handle(userLimitRoutes.getUserLimits, call => {
      const caller = call.caller
      const userid = userIdIn(call.params)
      checkUser(caller, userid, 'read')
      const known = knownUser(exchange, store, userid)
      if (known === undefined && caller.userId !== userid) throw userUnknown()
      const userId = known ?? userid
      return success(call, 200, DONE.userLimitsFetched, limitsView(userId, store.limits.of(userId)))
    }),
    handle(userLimitRoutes.setUserLimits, async call => {
      const body = validate(userLimitsSchema, await readJson(call))
      const { suspended, reason, order_value_max, open_orders_max } = body
      const userId = knownUser(exchange, store, userIdIn(call.params))
      if (userId === undefined) throw userUnknown()
      const change = {
        isSuspended: suspended,
        reason,
        orderValueMax: unitsOf(order_value_max),
        openOrdersMax: open_orders_max,
      }
      const limit = store.limits.change(userId, change, { by: authorOf(call), address: addressOf(call.c) })
      return success(call, 200, DONE.userLimitsChanged, limitsView(userId, limit))
    }),
  ]
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
function authorOf(call: Call): string {
  const { who } = byOf(call)
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
