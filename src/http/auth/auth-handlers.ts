import { Hono } from 'hono'
import type { Access } from '../../access/access.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { accountRoutes, invitationRoutes } from './account-handlers.js'
import type { AccountOptions } from './auth-door.js'
import { AuthDoor } from './auth-door.js'
import { credentialRoutes } from './credential-handlers.js'
import { operatorSessionRoutes } from './operator-session-handlers.js'
import { passkeyRoutes } from './passkey-handlers.js'
import { signInRoutes } from './sign-in-handlers.js'

/** Serves accounts and their credentials. */
export function authRoutes(access: Access, options: AccountOptions, guards: OperatorGuards): Hono {
  const door = new AuthDoor(access, options)
  return new Hono()
    .use(async (c, next) => {
      // Otherwise an empty store would call every password wrong, and every link used.
      if (options.store.isClosed && !(c.req.method === 'GET' && c.req.path.endsWith('/auth/session'))) {
        throw new ApiError(503, REFUSED.signInClosed, 'sign_in_closed')
      }
      await next()
    })
    .route('/', signInRoutes(door))
    .route('/', operatorSessionRoutes(door))
    .route('/', credentialRoutes(door))
    .route('/', passkeyRoutes(door))
    .route('/', accountRoutes(door, guards))
    .route('/', invitationRoutes(door))
}
