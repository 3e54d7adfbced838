import { Hono } from 'hono'
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

/** Signs operators in with the operator key or a code, without an account, in every mode. */
export function operatorSessionRoutes(door: AuthDoor): Hono {
  const { store } = door
  return new Hono()
    .post('/code', async c => {
      const client = door.clientOf(c)
      const { code } = validate(authSchemas.code, await readJson(c))
      const session = unlessRefused(store.adminLinks.redeem(code, client))
      return welcome(door, c, 200, DONE.signedIn, { session })
    })
    .post('/operator', async c => {
      const client = door.clientOf(c)
      const { kind } = await door.callerOf(c)
      if (kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
      if (kind !== 'operator_key') throw new ApiError(403, REFUSED.operatorOnly, 'operator_only')
      const session = store.sessions.openOperator(client, 'with the operator key')
      return welcome(door, c, 200, DONE.signedIn, { session })
    })
    .post('/admin-link', async c => {
      const author = await door.admin(c)
      const { code, expiresAt } = unlessRefused(store.adminLinks.make(await door.callerOf(c), author))
      const url = `${door.siteOf(c).origin}/admin#code=${code}`
      return success(c, 201, DONE.adminLinkMade, { url, expires_at: moment(expiresAt) })
    })
}
