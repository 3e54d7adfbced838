import type { ErrorCode } from '../../api/errors.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { scopeMissing } from '../../api/scope-missing.js'
import type { Needs, Route } from '../../api/route.js'
import type { Json } from './schema-shelf.js'

type Refusals = Partial<Record<ErrorCode, readonly string[]>>

const CREDENTIALS: readonly Json[] = [{ bearer: [] }, { session: [] }]

const READERS = 'Where only members may read (`reads` at /auth/session), it needs a session or a token.'
const OWNERS = 'In accounts and jwt mode, users see and change only their own; operators see and change all.'
const CREATORS = 'In accounts and jwt mode it is for operators, unless --event-creation says otherwise.'
const OPERATORS = 'For operators.'
const EVERYONE = 'For everyone, also where only members may read.'
const ADMINS = 'For admins who are signed in, and for the operator key.'

/** Says who may call a route; otherwise some would have no description. */
const NOTES: Readonly<Record<Needs, string>> = {
  public: 'For everyone; credentials are not looked at.',
  visit: EVERYONE,
  identity: EVERYONE,
  session: 'For people who are signed in, not for API keys and tokens.',
  own: 'Users see and change their own; admins may name others.',
  admin: ADMINS,
  markets: READERS,
  read: OWNERS,
  trade: OWNERS,
  create: CREATORS,
  'operator:read': OPERATORS,
  'operator:money': OPERATORS,
  'operator:operate': OPERATORS,
  'operator:key': OPERATORS,
}
/** The scopes that callers need. */
const SCOPES: Readonly<Partial<Record<Needs, string>>> = {
  markets: 'read',
  read: 'read',
  trade: 'trade',
  create: 'operate',
  'operator:read': 'read',
  'operator:money': 'money',
  'operator:operate': 'operate',
  'operator:key': 'operate',
}
const SIGNED_IN: ReadonlySet<Needs> = new Set(['session', 'own', 'admin'])

const NOT_SIGNED_IN = [REFUSED.tokenMissing, REFUSED.tokenWrong]

/** Returns a route's security requirements, one of which must be met. */
export function securityOf({ needs }: Route): readonly Json[] {
  if (SIGNED_IN.has(needs) || needs.startsWith('operator:')) return CREDENTIALS
  return needs === 'public' ? [] : [{}, ...CREDENTIALS]
}

/** Returns a route's description, with a sentence on who may call it. */
export function describedWithCallers({ description, needs }: Route): string {
  return [description, NOTES[needs]].filter(text => text !== undefined).join(' ')
}

/** Returns the refusals of callers who may not call a route; those of accounts are declared with it. */
export function callerRefusals(route: Route): Refusals {
  const { needs } = route
  const lacking = scopeMissing(SCOPES[needs] ?? '')
  switch (needs) {
    case 'public':
    case 'session':
    case 'own':
    case 'admin':
      return {}
    case 'visit':
      return { 401: [REFUSED.tokenWrong] }
    case 'identity':
      return { 401: [REFUSED.tokenWrong], 403: [REFUSED.keyDisabled] }
    case 'markets':
      return { 401: NOT_SIGNED_IN, 403: [lacking] }
    case 'read':
    case 'trade':
      return { 401: NOT_SIGNED_IN, 403: namesUser(route) ? [REFUSED.otherUser, lacking] : [lacking] }
    default:
      return { 401: NOT_SIGNED_IN, 403: [REFUSED.operatorOnly, lacking] }
  }
}

/** Returns whether a request names its user; an order of someone else is not found. */
function namesUser({ path, query, body }: Route): boolean {
  const { shape = {} } = (body?.schema ?? {}) as { readonly shape?: object }
  return path.includes(':userid') || query?.shape.userid !== undefined || 'userid' in shape
}
