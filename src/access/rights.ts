import type { By } from '../core/command.js'
import type { Access } from './access.js'
import type { Identity } from './identity.js'
import type { Scope } from './scopes.js'

export function isOperator({ role }: Identity): boolean {
  return role === 'operator' || role === 'admin'
}

/**
 * Returns whether a caller may act for a user: for themselves within their scopes, and for all users as an
 * operator.
 */
export function mayActFor(caller: Identity, userId: string, scope: Scope): boolean {
  if (!caller.scopes.has(scope)) return false
  if (caller.kind === 'open' || caller.userId === userId) return true
  return isOperator(caller) && (scope === 'read' || caller.scopes.has('operate'))
}

/** Returns whether a caller may read market data: everybody where it is public, else members. */
export function mayReadMarkets({ scopes }: Identity, { publicReads }: Pick<Access, 'publicReads'>): boolean {
  return publicReads || scopes.has('read')
}

/** Returns how logs name an operator. */
export function whoOf({ kind, userId }: Identity): By['who'] {
  return userId === undefined || kind === 'operator_key' ? 'token' : `account:${userId}`
}
