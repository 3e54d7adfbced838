import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { authSchemas } from '../../api/auth/auth-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import type { AuthDoor } from './auth-door.js'
import { unlessRefused } from './auth-door.js'
import { moment } from './auth-views.js'
import { welcome } from './sign-in-handlers.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { authRoutes } from '../../api/auth/auth-routes.js'

/** Signs operators in with the operator key or a code, without an account, in every mode. */
export function operatorSessionHandlers(door: AuthDoor): Binding[] {
  const { store } = door
  return [
    handle(authRoutes.useCode, async call => {
      const client = door.clientOf(call)
      const { code } = validate(authSchemas.code, await readJson(call))
      const session = unlessRefused(store.adminLinks.redeem(code, client))
      return welcome(door, call, 200, DONE.signedIn, { session })
    }),
    handle(authRoutes.openOperatorSession, async call => {
      const client = door.clientOf(call)
      const { kind } = call.caller
      if (kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
      if (kind !== 'operator_key') throw new ApiError(403, REFUSED.operatorOnly, 'operator_only')
      const session = store.sessions.openOperator(client, 'with the operator key')
      return welcome(door, call, 200, DONE.signedIn, { session })
    }),
    handle(authRoutes.makeAdminLink, async call => {
      const author = door.admin(call)
      const { code, expiresAt } = unlessRefused(store.adminLinks.make(call.caller, author))
      const url = `${door.siteOf(call).origin}/admin#code=${code}`
      return success(call, 201, DONE.adminLinkMade, { url, expires_at: moment(expiresAt) })
    }),
  ]
}
