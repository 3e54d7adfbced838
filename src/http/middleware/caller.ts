import type { Context } from 'hono'
import { callerIn } from '../../access/caller-environment.js'
import type { Identity } from '../../access/identity.js'
import { mayActFor } from '../../access/rights.js'
import type { Scope } from '../../access/scopes.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { scopeMissing } from '../../api/scope-missing.js'

/** Returns who sent a request: everybody in the mode `open`, nobody in particular without credentials. */
export function callerOf(c: Context): Identity {
  return callerIn(c.env)
}

/** Returns who sent a request that needs a scope. Throws 401 or 403. */
export function callerWith(c: Context, scope: Scope): Identity {
  const caller = callerOf(c)
  checkScope(caller, scope)
  return caller
}

/** Throws 401 for an anonymous caller, 403 for one without the scope. */
export function checkScope(caller: Identity, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  if (caller.kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
  throw new ApiError(403, scopeMissing(scope), 'scope_missing')
}

/** Throws 403 if a caller names a user for whom they may not act. */
export function checkUser(caller: Identity, userId: string, scope: Scope): void {
  if (!mayActFor(caller, userId, scope)) throw new ApiError(403, REFUSED.otherUser, 'other_user')
}

/** Adds the caller's own user id to fields that name no user. */
export function withOwnUser(caller: Identity, fields: unknown): unknown {
  if (caller.userId === undefined || typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    return fields
  }
  return (fields as { userid?: unknown }).userid === undefined ? { ...fields, userid: caller.userId } : fields
}
