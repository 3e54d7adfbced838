import { ApiError } from '../../api/api-error.js'
import { newUserIdFault } from '../../api/new-user-id.js'
import { plainName } from '../../core/plain-name.js'
import type { Role, Scope } from '../scopes.js'
import { ROLES, SCOPES_OF } from '../scopes.js'
import type { JsonObject } from './token-parts.js'
import { wrongToken } from './token-parts.js'

/** The claims that a token must make. */
export interface ExpectedClaims {
  readonly audience: string | undefined
  readonly issuer: string | undefined
  /** By how much the issuer's clock may differ. */
  readonly leewayMs: number
}

/** The claims that matter here. */
export interface Claims {
  readonly userId: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly expiresAtMs: number
}

/** The last second of the year 9999; a later `exp` is usually in milliseconds by mistake. */
const TIME_SECONDS_MAX = 253_402_300_799
const ROLE_DEFAULT: Role = 'trader'

/** Checks the claims of a verified token. Throws 401 `token_wrong` or `token_expired`. */
export function readClaims(claims: JsonObject, expected: ExpectedClaims, nowMs: number): Claims {
  const expiresAtMs = timeOf(claims, 'exp') * 1000 + expected.leewayMs
  if (nowMs >= expiresAtMs) throw new ApiError(401, 'The token has expired', 'token_expired')
  if (claims.nbf !== undefined && nowMs + expected.leewayMs < timeOf(claims, 'nbf') * 1000) {
    throw wrongToken('nbf: The token is not valid yet')
  }
  const { issuer, audience } = expected
  if (issuer !== undefined && claims.iss !== issuer) throw wrongToken('iss: Not the issuer accepted here')
  if (audience !== undefined && ![claims.aud].flat().includes(audience)) {
    throw wrongToken('aud: The token is for others')
  }
  const role = roleOf(claims.role)
  return { userId: userIdOf(claims.sub), role, scopes: scopesOf(claims.scope, role), expiresAtMs }
}

/** Returns a NumericDate of RFC 7519 in seconds. */
function timeOf(claims: JsonObject, name: 'exp' | 'nbf'): number {
  const seconds = claims[name]
  if (seconds === undefined) throw wrongToken(`${name}: Required`)
  if (typeof seconds === 'number' && Math.abs(seconds) <= TIME_SECONDS_MAX) return seconds
  throw wrongToken(`${name}: Expected a time in seconds since 1970`)
}

/**
 * Returns the subject as user id. It must be written as the exchange would store it: if two subjects could
 * become one user, one of them could take over the other's account.
 */
function userIdOf(subject: unknown): string {
  if (subject === undefined) throw wrongToken('sub: Required')
  if (typeof subject !== 'string') throw wrongToken('sub: Expected a text')
  const isStored = plainName(subject) === subject && !/[\0\p{Surrogate}]/u.test(subject)
  const fault = isStored ? newUserIdFault(subject) : 'Expected NFC without NUL or surrounding white space'
  if (fault !== undefined) throw wrongToken(`sub: ${fault}`)
  return subject
}

function roleOf(role: unknown = ROLE_DEFAULT): Role {
  const known = ROLES.find(name => name === role)
  if (known === undefined) throw wrongToken(`role: Expected ${ROLES.join(', ')}`)
  return known
}

/** Returns the role's scopes, or those that a `scope` claim names; its other words are ignored. */
function scopesOf(scope: unknown, role: Role): ReadonlySet<Scope> {
  if (scope === undefined) return SCOPES_OF[role]
  if (typeof scope !== 'string') throw wrongToken('scope: Expected words in one text')
  const words = new Set(scope.split(' '))
  return new Set([...SCOPES_OF[role]].filter(name => words.has(name)))
}
