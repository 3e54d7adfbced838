/** Rights of a caller: `money` covers deposits and withdrawals, `operate` all other acts of an operator. */
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

/** The caller of a request. */
export interface Identity {
  readonly kind: 'anonymous' | 'operator_key' | 'operator_session' | 'session' | 'api_key' | 'jwt'
  /** The user it acts for; the name of an account is its user id. */
  readonly userId: string | undefined
  readonly role: Role | undefined
  readonly scopes: ReadonlySet<Scope>
  /** Names the credential, such as `session:12` or `key:7`: its sockets close when it ends. */
  readonly credential: string | undefined
  /** When it expires, in milliseconds since 1970; undefined if it lasts until it is revoked. */
  readonly expiresAt: number | undefined
}
