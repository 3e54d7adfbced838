/** Each role has the rights of those before it. */
export type Role = 'viewer' | 'trader' | 'operator' | 'admin'
/** A right: `money` is deposits and withdrawals, `operate` everything else that operators change. */
export type Scope = 'read' | 'trade' | 'money' | 'operate'

/** The sender of a request, and what they may do. */
export interface Caller {
  readonly kind: 'operator_key' | 'operator_session' | 'session' | 'api_key' | 'jwt'
  /** The user it acts for; null for the operator. */
  readonly userid: string | null
  readonly role: Role | null
  readonly scopes: readonly Scope[]
  /** Null if it lasts until it is revoked. */
  readonly expires_at: string | null
}

/** The mode of the exchange, and who asks. */
export interface SessionStatus {
  readonly mode: 'open' | 'accounts' | 'jwt'
  readonly sign_up: 'open' | 'invitation' | 'off'
  /** `members` if only those who sign in may see markets. */
  readonly reads: 'public' | 'members'
  /** True until there is an admin. */
  readonly needs_admin: boolean
  /** True while nobody can sign in, because the file of accounts is in doubt. */
  readonly is_closed: boolean
  /** True if passkeys work at this address. */
  readonly passkeys: boolean
  /** The name of the OpenID provider at which people sign in; null if there is none. */
  readonly provider: string | null
  /** False where only the last admin signs in with a password or passkey. */
  readonly passwords: boolean
  /** Null without a token or a session. */
  readonly caller: Caller | null
}

/** A browser that is signed in. */
export interface Session {
  readonly id: number
  readonly created_at: string
  readonly last_used_at: string
  /** When it ends, used or not. */
  readonly expires_at: string
  /** `operator key`, or the session whose link opened it; null for a sign-in to an account. */
  readonly opened_by: string | null
  readonly address: string
  readonly browser: string
  /** True for the session that asks. */
  readonly is_current: boolean
}

/** An API key of a user, without the key itself. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Addresses and networks from which it may be used; null for all. */
  readonly addresses: readonly string[] | null
  readonly expires_at: string | null
  readonly created_at: string
  readonly last_used_at: string | null
  readonly last_address: string | null
}

/** An API key that still works after a new password. */
export interface RemainingKey extends ApiKey {
  /** The account that it opens. */
  readonly user: string
}

/** The credentials that ended with a password, and those that remain. */
export interface PasswordReplaced {
  readonly sessions_ended: number
  /** Invitations to a role above trader that the account made and nobody used. */
  readonly invitations_ended: number
  readonly keys_ended: number
  /** Those of the account, then those that it made for others, 100 of these at most. */
  readonly keys: readonly RemainingKey[]
  readonly passkeys: number
}

/** A new API key; `key` is shown only now. */
export interface MadeApiKey extends ApiKey {
  readonly key: string
}

/** An account; its name is the user id. */
export interface Account {
  readonly name: string
  readonly role: Role
  readonly disabled: boolean
  readonly created_at: string
  readonly last_sign_in_at: string | null
  readonly sessions: number
  readonly keys: number
  readonly passkeys: number
}

/** An invitation that nobody has used yet. */
export interface Invitation {
  readonly id: number
  readonly role: Role
  /** The name that it reserves. */
  readonly name: string | null
  readonly made_by: string
  readonly created_at: string
  readonly expires_at: string
}

/** A link with a secret in its fragment. */
export interface SecretLink {
  readonly url: string
  readonly expires_at: string
}

/** A new invitation; `url` is shown only now. */
export interface MadeInvitation extends Invitation {
  readonly url: string
}
