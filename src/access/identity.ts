import type { Role, Scope } from './scopes.js'
import { SCOPES_OF } from './scopes.js'

/** The sender of a request. */
export interface Identity {
  /** `open` is everybody in `open` mode, who may act for any user. */
  readonly kind: 'open' | 'anonymous' | 'operator_key' | 'operator_session' | 'session' | 'api_key' | 'jwt'
  /** The user it acts for; the name of an account is its user id. */
  readonly userId: string | undefined
  readonly role: Role | undefined
  readonly scopes: ReadonlySet<Scope>
  /** Names the credential, such as `session:12` or `key:7`: its sockets close when it ends. */
  readonly credential: string | undefined
  /** When it expires, in milliseconds since 1970; undefined if it lasts until it is revoked. */
  readonly expiresAt: number | undefined
}

const nobody = { userId: undefined, role: undefined, credential: undefined, expiresAt: undefined }

/** Everybody, where no credentials are needed. */
export const OPEN: Identity = { ...nobody, kind: 'open', scopes: new Set<Scope>(['read', 'trade']) }

/** A caller without credentials, where they are needed. */
export const ANONYMOUS: Identity = { ...nobody, kind: 'anonymous', scopes: new Set() }

/** Returns whether nothing is known of a caller. */
export function isStranger({ kind }: Identity): boolean {
  return kind === 'anonymous' || kind === 'open'
}

/** The holder of the operator's key. */
export const KEY_HOLDER: Identity = {
  ...nobody,
  kind: 'operator_key',
  role: 'admin',
  scopes: SCOPES_OF.admin,
}
