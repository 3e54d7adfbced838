import type { Context, MiddlewareHandler } from 'hono'
import type { Access } from '../../access/access.js'
import { isOperator, whoOf } from '../../access/rights.js'
import type { Scope } from '../../access/scopes.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { By } from '../../core/command.js'
import { checkScope } from './caller.js'
import { addressOf, credentialsOf, noteAdmitted } from './identify-callers.js'

declare module 'hono' {
  interface ContextVariableMap {
    /** The sender, for the audit log. */
    letIn: Pick<By, 'who' | 'address'>
  }
}

/** Guards of operators' routes, one for each scope that they need. */
export interface OperatorGuards {
  readonly read: MiddlewareHandler
  readonly money: MiddlewareHandler
  readonly operate: MiddlewareHandler
}

/** Returns the guards of operators' routes. */
export function operatorGuards(access: Access): OperatorGuards {
  return {
    read: operatorGuard(access, 'read'),
    money: operatorGuard(access, 'money'),
    operate: operatorGuard(access, 'operate'),
  }
}

/** Admits operators with a scope; refuses with 401 or 403 before anything else in the request is read. */
function operatorGuard(access: Access, scope: Scope): MiddlewareHandler {
  return async (c, next) => {
    const caller = await access.identify(credentialsOf(c))
    if (caller.kind !== 'anonymous' && !isOperator(caller)) {
      throw new ApiError(403, REFUSED.operatorOnly, 'operator_only')
    }
    checkScope(caller, scope)
    noteAdmitted(c, caller)
    c.set('letIn', { who: whoOf(caller), address: addressOf(c) })
    await next()
  }
}

/** Admits those who may create events: everybody, or operators; notes who it was. */
export function creationGuard(access: Access, guards: OperatorGuards): MiddlewareHandler {
  return async (c, next) => {
    if (!access.openCreation) return guards.operate(c, next)
    const caller = await Promise.resolve()
      .then(() => access.identify(credentialsOf(c)))
      .catch(() => undefined)
    const who = caller !== undefined && isOperator(caller) ? whoOf(caller) : 'open'
    c.set('letIn', { who, address: addressOf(c) })
    await next()
  }
}

/** Returns the sender of a request that passed a guard, and its fields. */
export function byOf(c: Context, fields: By['fields'] = {}): By {
  return { ...c.get('letIn'), fields }
}
