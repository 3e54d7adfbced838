/**
 * The rights of a credential. `money` covers deposits and withdrawals; `operate` covers all other changes
 * that operators make.
 */
export const SCOPES = ['read', 'trade', 'money', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

/** Each role has the rights of those before it; an admin also manages accounts. */
export const ROLES = ['viewer', 'trader', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

const ALL: ReadonlySet<Scope> = new Set(SCOPES)

/** The scopes of a role; a key or token can have fewer. */
export const SCOPES_OF: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>(['read']),
  trader: new Set<Scope>(['read', 'trade']),
  operator: ALL,
  admin: ALL,
}
