import type { Identity } from '../access/identity.js'
import { mayActFor } from '../access/rights.js'
import type { Scope } from '../access/scopes.js'
import { ApiError } from '../api/api-error.js'
import { REFUSED } from '../api/refusal-texts.js'

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
