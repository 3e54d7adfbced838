/** A signed-in caller. */
export interface Caller {
  readonly kind: 'operator_key' | 'operator_session' | 'session' | 'api_key' | 'jwt'
  /** The user it acts for; null for the operator. */
  readonly userid: string | null
  readonly role: Role | null
  readonly scopes: readonly Scope[]
  readonly expires_at: string | null
}

type Role = 'viewer' | 'trader' | 'operator' | 'admin'
type Scope = 'read' | 'trade' | 'money' | 'operate'

/** How to sign in here, and who has. */
export interface AuthSession {
  readonly mode: 'open' | 'accounts' | 'jwt'
  readonly sign_up: 'open' | 'invitation' | 'off'
  /** True until there is an admin. */
  readonly needs_admin: boolean
  /** True if passkeys work at this address. */
  readonly passkeys: boolean
  readonly caller: Caller | null
}

/** Returns true for those who may run the exchange. */
export function isOperator({ role }: Caller): boolean {
  return role === 'operator' || role === 'admin'
}
