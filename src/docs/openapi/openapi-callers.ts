import type { Scope } from '../../access/scopes.js'
import type { ErrorCode } from '../../api/errors.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { scopeMissing } from '../../api/scope-missing.js'
import type { Group, Operation } from './operation.js'
import type { Json } from './schema-shelf.js'

/**
 * The callers of an operation: everybody, with any token; everybody whose token, if any, is valid; readers of
 * market data; users about themselves; people who are signed in, and admins; those who may create events;
 * operators.
 */
type Callers = 'everybody' | 'visitors' | 'readers' | 'owners' | 'people' | 'creators' | 'operators'

type Refusals = Partial<Record<ErrorCode, readonly string[]>>

const CREDENTIALS: readonly Json[] = [{ bearer: [] }, { session: [] }]

const BY_GROUP: Readonly<Partial<Record<Group, Callers>>> = {
  Events: 'readers',
  Orders: 'owners',
  Portfolio: 'owners',
  People: 'readers',
}
const BY_ID: Readonly<Record<string, Callers>> = {
  createEvent: 'creators',
  getTime: 'readers',
  postComment: 'owners',
  deleteComment: 'owners',
  getDoors: 'visitors',
  openWebSocket: 'visitors',
}

const NOTES: Readonly<Record<Callers, string | undefined>> = {
  everybody: undefined,
  visitors: undefined,
  readers: 'In the mode jwt it needs a token, unless the exchange is started with --public-reads.',
  owners: 'In the modes accounts and jwt, users see and change their own only; operators all.',
  people: undefined,
  creators: 'In the modes accounts and jwt it is for operators, unless --event-creation says otherwise.',
  operators: 'For operators.',
}

const NOT_SIGNED_IN = [REFUSED.tokenMissing, REFUSED.tokenWrong]

/** Returns an operation's security requirements, one of which must be met. */
export function securityOf(operation: Operation): readonly Json[] {
  const callers = callersOf(operation)
  if (callers === 'operators' || callers === 'people') return CREDENTIALS
  return callers === 'everybody' ? [] : [{}, ...CREDENTIALS]
}

/** Returns an operation's description, with a sentence on who may call it. */
export function describedWithCallers(operation: Operation): string | undefined {
  const texts = [operation.description, NOTES[callersOf(operation)]].filter(text => text !== undefined)
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** Returns the refusals of callers who may not call an operation. */
export function callerRefusals(operation: Operation): Refusals {
  const lacking = scopeMissing(scopeOf(operation))
  switch (callersOf(operation)) {
    case 'everybody':
    case 'people':
      return {}
    case 'visitors':
      return { 401: [REFUSED.tokenWrong] }
    case 'readers':
      return { 401: NOT_SIGNED_IN }
    case 'owners':
      return { 401: NOT_SIGNED_IN, 403: namesUser(operation) ? [REFUSED.otherUser, lacking] : [lacking] }
    case 'creators':
    case 'operators':
      return { 401: NOT_SIGNED_IN, 403: [REFUSED.operatorOnly, lacking] }
  }
}

function callersOf({ id, group, refusals, isOperators }: Operation): Callers {
  if (isOperators) return 'operators'
  // Operations about accounts have refusals of their own.
  if (group === 'Accounts') return refusals[401]?.includes(REFUSED.tokenMissing) ? 'people' : 'visitors'
  return BY_ID[id] ?? BY_GROUP[group] ?? 'everybody'
}

function scopeOf({ id, method, group }: Operation): Scope {
  if (method === 'get') return 'read'
  if (['Orders', 'Portfolio', 'People'].includes(group)) return 'trade'
  return id === 'deposit' || id === 'withdraw' ? 'money' : 'operate'
}

/** Tells whether a request names its user; an order of somebody else is not found. */
function namesUser({ id, path, query }: Operation): boolean {
  return (
    id === 'placeOrder' ||
    id === 'postComment' ||
    path.includes(':userid') ||
    query?.shape.userid !== undefined
  )
}
