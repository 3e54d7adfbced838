import type { Context } from 'hono'
import type { Access } from '../../access/access.js'
import type { Identity } from '../../access/identity.js'
import { ANONYMOUS, OPEN } from '../../access/identity.js'
import { isOperator, mayReadMarkets, whoOf } from '../../access/rights.js'
import type { Scope } from '../../access/scopes.js'
import { ApiError } from '../../api/api-error.js'
import { AUTH_REFUSED } from '../../api/auth/auth-refusals.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Needs, RouteFacts } from '../../api/route.js'
import { isForStandbys } from '../../api/route.js'
import { scopeMissing } from '../../api/scope-missing.js'
import type { By } from '../../core/command.js'
import { busy } from '../../doors/capacity-refusal.js'
import { addressOf, credentialsOf } from './sender.js'
import type { Call } from './handle.js'

const OPERATORS: ReadonlySet<Needs> = new Set<Needs>([
  'create',
  'operator:read',
  'operator:money',
  'operator:operate',
])

/** Callers of these are identified in `open` mode, too, where all others are everybody. */
const IDENTIFIED: ReadonlySet<Needs> = new Set<Needs>([
  'identity',
  'session',
  'own',
  'admin',
  'operator:key',
  ...OPERATORS,
])

/** An address without a route. */
const NOWHERE: Pick<RouteFacts, 'method' | 'needs' | 'needsAccounts' | 'isOfProcess'> = {
  method: 'GET',
  needs: 'visit',
}

/**
 * Returns the caller of a route, or of an address without one. Throws 401, or rejects with it, for a
 * credential that is not valid.
 */
export function identify(
  access: Access,
  c: Context,
  route: RouteFacts | undefined,
): Identity | Promise<Identity> {
  const { needs, needsAccounts } = route ?? NOWHERE
  if (access.mode !== 'open') {
    if (needs === 'public') return ANONYMOUS
    return needs === 'markets' && access.publicReads ? reader(access, c) : access.identify(credentialsOf(c))
  }
  if (needsAccounts || !IDENTIFIED.has(needs)) return OPEN
  if (needs === 'create' && access.openCreation) return operatorOrAnybody(access, c)
  return access.identify(credentialsOf(c))
}

/**
 * Returns the caller of a route while this exchange follows another one: a stranger, whatever credentials are
 * sent, since the exchange that leads may have ended them. Throws 503 for what only that one answers. What is
 * for members is among it.
 */
export function visitorOf(access: Access, route: RouteFacts | undefined): Identity {
  const isForMembers = route?.needs === 'markets' && !access.publicReads
  if (isForMembers || !isForStandbys(route ?? NOWHERE)) throw busy('not_leader')
  return access.mode === 'open' ? OPEN : ANONYMOUS
}

/** Returns the reader of what everybody may read: a key used from elsewhere may read it like no key. */
function reader(access: Access, c: Context): Identity | Promise<Identity> {
  try {
    const found = access.identify(credentialsOf(c))
    return found instanceof Promise ? found.catch(anonymousElsewhere) : found
  } catch (error) {
    return anonymousElsewhere(error)
  }
}

function anonymousElsewhere(error: unknown): Identity {
  if (error instanceof ApiError && error.reason === 'address_refused') return ANONYMOUS
  throw error
}

/** Returns whether strangers are refused before anything else about their requests is checked. */
export function isForOperators({ needs }: RouteFacts): boolean {
  return OPERATORS.has(needs)
}

/**
 * Throws 401 or 403 if a caller may not call a route, and 404 if the mode lacks it: the one place where needs
 * are checked.
 */
export function checkNeeds(access: Access, caller: Identity, { needs, needsAccounts }: RouteFacts): void {
  if (needsAccounts && access.mode !== 'accounts') {
    throw new ApiError(...AUTH_REFUSED.accounts_off, 'accounts_off')
  }
  CHECKS[needs](caller, access)
}

const CHECKS: Readonly<Record<Needs, (caller: Identity, access: Access) => void>> = {
  public: () => {},
  visit: () => {},
  identity: () => {},
  own: () => {},
  markets: (caller, access) => {
    if (!mayReadMarkets(caller, access)) checkScope(caller, 'read')
  },
  read: caller => checkScope(caller, 'read'),
  trade: caller => checkScope(caller, 'trade'),
  create: (caller, { openCreation, publicReads, mode }) => {
    if (!openCreation) checkOperator(caller, 'operate')
    // A refusal would say which events there are.
    else if (mode === 'jwt' || !publicReads) checkIdentified(caller)
  },
  session: checkSession,
  admin: checkAdmin,
  'operator:read': caller => checkOperator(caller, 'read'),
  'operator:money': caller => checkOperator(caller, 'money'),
  'operator:operate': caller => checkOperator(caller, 'operate'),
  'operator:key': checkKeyHolder,
}

/** Returns the sender of an operator's request, or of one that anyone may send, and its fields. */
export function byOf({ c, caller }: Call, fields: By['fields'] = {}): By {
  return { who: isOperator(caller) ? whoOf(caller) : 'open', address: addressOf(c), fields }
}

/** Throws 401 for an anonymous caller, 403 for API keys and all but admins. */
export function checkAdmin(caller: Identity): void {
  checkIdentified(caller)
  if (caller.kind === 'api_key') throw new ApiError(...AUTH_REFUSED.session_needed, 'session_needed')
  if (caller.role !== 'admin') throw new ApiError(...AUTH_REFUSED.admin_only, 'admin_only')
  // A token of an identity provider can have the role without its rights.
  checkScope(caller, 'operate')
}

function checkOperator(caller: Identity, scope: Scope): void {
  if (caller.kind !== 'anonymous' && !isOperator(caller)) {
    throw new ApiError(403, REFUSED.operatorOnly, 'operator_only')
  }
  checkScope(caller, scope)
}

/** Throws 401 for an anonymous caller, 403 for one without the scope. */
export function checkScope(caller: Identity, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  checkIdentified(caller)
  throw new ApiError(403, scopeMissing(scope), 'scope_missing')
}

function checkSession(caller: Identity): void {
  checkIdentified(caller)
  if (caller.kind === 'session' || caller.kind === 'operator_session') return
  throw new ApiError(...AUTH_REFUSED.session_needed, 'session_needed')
}

function checkKeyHolder(caller: Identity): void {
  checkIdentified(caller)
  if (caller.kind !== 'operator_key') throw new ApiError(403, REFUSED.operatorOnly, 'operator_only')
}

function checkIdentified({ kind }: Identity): void {
  if (kind === 'anonymous') throw new ApiError(401, REFUSED.tokenMissing, 'token_missing')
}

/** Returns the operator who sends a request that anyone may send; for everybody else, `OPEN`. */
async function operatorOrAnybody(access: Access, c: Context): Promise<Identity> {
  try {
    const caller = await access.identify(credentialsOf(c))
    return isOperator(caller) ? caller : OPEN
  } catch {
    return OPEN
  }
}
