import type { Identity } from '../access/identity.js'
import type { Scope } from '../access/scopes.js'
import { REFUSED } from '../api/refusal-texts.js'
import { scopeMissing } from '../api/scope-missing.js'
import type { Refused } from './budget.js'

/** Returns why a caller may not act for a user: no credentials, no scope, or somebody else's channel. */
export function refusalFor({ kind, scopes }: Identity, scope: Scope): Refused {
  if (kind === 'anonymous') return { code: 401, message: REFUSED.socketTokenMissing, reason: 'token_missing' }
  if (scopes.has(scope)) return { code: 403, message: REFUSED.otherUser, reason: 'other_user' }
  return { code: 403, message: scopeMissing(scope), reason: 'scope_missing' }
}
