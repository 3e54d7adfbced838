import type { ListOptions } from './lists.js'
import { listRows } from './lists.js'
import type { Rest } from './rest.js'
import type * as Shown from './shapes.js'

/** Whose keys are meant: by default those of the caller; admins may name another user. */
interface OfAccount {
  readonly user?: string | undefined
}

/** Whose sessions are meant: by default the caller's. */
interface OfSessions extends OfAccount {
  /** Those of operators without an account. */
  readonly operator?: true
}

/** A new API key. Its scopes are among those of the user's role. */
export interface KeyRequest extends OfAccount {
  /** Says what the key is for. */
  readonly name: string
  readonly scopes: readonly Shown.Scope[]
  /** Addresses and networks from which it may be used, such as `203.0.113.0/24`; by default all. */
  readonly addresses?: readonly string[]
  readonly expires_at?: string
}

/** A new account; without a password, its user sets one with a recovery link. */
export interface AccountRequest {
  readonly name: string
  readonly role: Shown.Role
  readonly password?: string
}

/** A new invitation; `name` reserves a name, also that of a user who exists. */
export interface InvitationRequest {
  readonly role?: Shown.Role
  readonly name?: string
  readonly expires_at?: string
}

/**
 * Calls about accounts, for exchanges in `accounts` mode. All but those about one's own keys are reserved
 * for admins.
 */
export class Accounts {
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>

  constructor(rest: Rest, headers: Readonly<Record<string, string>>) {
    this.#rest = rest
    this.#headers = headers
  }

  /** Returns the API keys of a user, newest first. */
  async fetchKeys({ user }: OfAccount = {}): Promise<readonly Shown.ApiKey[]> {
    const answer = await this.#send<{ readonly keys: readonly Shown.ApiKey[] }>('GET', '/keys', { user })
    return answer.keys
  }

  /** Makes an API key. It is not sent again if no answer arrives: the key would be lost. */
  createKey(request: KeyRequest): Promise<Shown.MadeApiKey> {
    return this.#send('POST', '/keys', {}, request)
  }

  /** Revokes an API key; its connections end. */
  async revokeKey(id: number, { user }: OfAccount = {}): Promise<void> {
    await this.#send('DELETE', `/keys/${id}`, { user })
  }

  /** Returns accounts by name. */
  fetchAccounts({ q, limit }: ListOptions & { readonly q?: string } = {}): Promise<Shown.Account[]> {
    return listRows(this.#rest, {
      path: '/auth/users',
      field: 'users',
      query: { q },
      limit,
      headers: this.#headers,
    })
  }

  createAccount(request: AccountRequest): Promise<Shown.Account> {
    return this.#send('POST', '/users', {}, request)
  }

  setRole(name: string, role: Shown.Role): Promise<Shown.Account> {
    return this.#send('POST', `${pathOf(name)}/role`, {}, { role })
  }

  /** Disables an account: its sessions end, and its keys are refused. */
  disable(name: string): Promise<Shown.Account> {
    return this.#send('POST', `${pathOf(name)}/disable`)
  }

  enable(name: string): Promise<Shown.Account> {
    return this.#send('POST', `${pathOf(name)}/enable`)
  }

  /** Makes a link with which the user of an account sets a new password, once. */
  createRecoveryLink(name: string): Promise<Shown.SecretLink> {
    return this.#send('POST', `${pathOf(name)}/recovery`)
  }

  /**
   * Sets a new password with the token of a recovery link; ends all sessions of the account, and with
   * `end_keys` its API keys.
   */
  recover(token: string, password: string, { end_keys = false } = {}): Promise<Shown.PasswordReplaced> {
    return this.#send('POST', '/recover', {}, { token, password, end_keys })
  }

  async fetchInvitations(): Promise<readonly Shown.Invitation[]> {
    type Answer = { readonly invitations: readonly Shown.Invitation[] }
    return (await this.#send<Answer>('GET', '/invitations')).invitations
  }

  createInvitation(request: InvitationRequest = {}): Promise<Shown.MadeInvitation> {
    return this.#send('POST', '/invitations', {}, request)
  }

  async withdrawInvitation(id: number): Promise<void> {
    await this.#send('DELETE', `/invitations/${id}`)
  }

  /** Returns the sessions of a user, newest first. */
  async fetchSessions({ user, operator }: OfSessions = {}): Promise<readonly Shown.Session[]> {
    type Answer = { readonly sessions: readonly Shown.Session[] }
    const query = { user, operator: operator && 'true' }
    return (await this.#send<Answer>('GET', '/sessions', query)).sessions
  }

  /** Ends a session, and those that its links opened. */
  async endSession(id: number, { user, operator }: OfSessions = {}): Promise<void> {
    await this.#send('DELETE', `/sessions/${id}`, { user, operator: operator && 'true' })
  }

  /** Makes a link that signs one browser in once. */
  createAdminLink(): Promise<Shown.SecretLink> {
    return this.#send('POST', '/admin-link')
  }

  #send<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    query: Readonly<Record<string, string | undefined>> = {},
    body?: unknown,
  ): Promise<T> {
    return this.#rest.call({ method, path: `/auth${path}`, query, body, headers: this.#headers })
  }
}

function pathOf(name: string): string {
  return `/users/${encodeURIComponent(name)}`
}
