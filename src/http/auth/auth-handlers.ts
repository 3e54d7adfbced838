import type { Access } from '../../access/access.js'
import { ApiError } from '../../api/api-error.js'
import { authRoutes } from '../../api/auth/auth-routes.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Binding } from '../routing/handle.js'
import { accountHandlers, accountListHandlers, invitationHandlers } from './account-handlers.js'
import type { AccountOptions } from './auth-door.js'
import { AuthDoor } from './auth-door.js'
import { credentialHandlers } from './credential-handlers.js'
import { operatorSessionHandlers } from './operator-session-handlers.js'
import { passkeyHandlers } from './passkey-handlers.js'
import { providerHandlers } from './provider-handlers.js'
import { signInHandlers } from './sign-in-handlers.js'

/** Serves accounts and their credentials. */
export function authHandlers(access: Access, options: AccountOptions, leads: () => boolean): Binding[] {
  const door = new AuthDoor(access, options, leads)
  const checkOpen = () => {
    // Otherwise an empty store would call every password wrong, and every link used.
    if (options.store.isClosed) throw new ApiError(503, REFUSED.signInClosed, 'sign_in_closed')
  }
  const handlers = [
    ...signInHandlers(door),
    ...providerHandlers(door),
    ...operatorSessionHandlers(door),
    ...credentialHandlers(door),
    ...passkeyHandlers(door),
    ...accountHandlers(door),
    ...accountListHandlers(door),
    ...invitationHandlers(door),
  ]
  return handlers.map(bound => (bound.route === authRoutes.getSession ? bound : { ...bound, checkOpen }))
}
