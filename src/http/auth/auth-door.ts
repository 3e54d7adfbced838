import { generateCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { Access } from '../../access/access.js'
import type { Author, Client } from '../../access/accounts/access-context.js'
import { authorOf } from '../../access/accounts/access-context.js'
import type { AccessStore } from '../../access/accounts/access-store.js'
import type { Account } from '../../access/accounts/accounts.js'
import { sessionOf } from '../../access/accounts/admin-links.js'
import type { OpenedSession, SessionOwner } from '../../access/accounts/sessions.js'
import type { Identity } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import type { AuthRefusal } from '../../api/auth/auth-refusals.js'
import { AUTH_REFUSED } from '../../api/auth/auth-refusals.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { headerOf } from '../middleware/header-of.js'
import type { SiteOrigin } from './site-origin.js'
import { checkTls, siteOriginOf } from './site-origin.js'
import { checkAdmin, checkScope } from '../routing/needs.js'
import { addressOf, credentialsOf } from '../routing/sender.js'
import type { Call } from '../routing/handle.js'

/** Accounts, and how people get them. */
export interface AccountOptions {
  readonly store: AccessStore
  readonly signUp: 'open' | 'invitation'
  /** The address for links and cookies, without a trailing slash. */
  readonly publicUrl: string | undefined
  readonly now: () => number
}

/** A signed-in account and its session. */
export interface OwnAccount {
  readonly account: Account
  /** The id of the session. */
  readonly session: number
}

/** A caller's session and its owner. */
interface OwnSession {
  readonly owner: SessionOwner
  readonly session: number
  readonly author: Author
}

/** Names whose sessions are meant. */
interface SessionOwnerQuery {
  readonly user?: string | undefined
  readonly operator?: 'true' | undefined
}

const COOKIE = 'raay_session'
/** Binds a sign-in with the OpenID provider to its browser. */
const OIDC_COOKIE = 'raay_oidc'
const OIDC_COOKIE_MS = 10 * 60_000
const MS_PER_SECOND = 1000

/** The checks and cookies that the routes below `/auth` share. */
export class AuthDoor {
  readonly access: Access
  readonly options: AccountOptions
  readonly store: AccessStore
  /** Returns false while this exchange follows another one, which may have other accounts. */
  readonly leads: () => boolean

  constructor(access: Access, options: AccountOptions, leads: () => boolean) {
    this.access = access
    this.options = options
    this.leads = leads
    this.store = options.store
  }

  /** Throws 404 in modes without accounts. */
  checkAccounts(): void {
    if (this.access.mode !== 'accounts') throw refused('accounts_off')
  }

  /** Returns the signed-in account. Throws 401, and 403 for keys. */
  ownAccount({ caller }: Call): OwnAccount {
    this.checkAccounts()
    const account = caller.userId === undefined ? undefined : this.store.accounts.named(caller.userId)
    if (caller.kind !== 'session' || account === undefined) throw notSignedIn(caller)
    return { account, session: sessionOf(caller) }
  }

  /** Returns the owner of the session that a request comes from, and its id. Throws 401, and 403 for keys. */
  ownSession(call: Call): OwnSession {
    const { caller } = call
    const author = authorOf(caller, addressOf(call.c))
    if (caller.kind === 'operator_session') return { owner: 'operator', session: sessionOf(caller), author }
    if (this.access.mode !== 'accounts') throw notSignedIn(caller)
    const { account, session } = this.ownAccount(call)
    return { owner: account, session, author }
  }

  /**
   * Returns whose sessions a request is about: the caller's own, or those that an admin names. The holder of
   * the operator's key has those of the operator. Throws 401, 403 or 404.
   */
  sessionOwner(call: Call, { user, operator }: SessionOwnerQuery): OwnSession {
    const { caller } = call
    const isOwn = user === undefined && operator === undefined
    if (isOwn && caller.kind !== 'operator_key') return this.ownSession(call)
    const author = this.admin(call)
    const session = sessionOf(caller)
    if (user === undefined) return { owner: 'operator', session, author }
    return { owner: this.found(this.store.accounts.named(user)), session, author }
  }

  /** Returns the author of what only admins do. Throws 401 or 403; API keys are refused, too. */
  admin({ c, caller, route }: Call): Author {
    checkAdmin(caller)
    // A token of an identity provider can have the right to change what it may not see.
    if (route.method === 'GET') checkScope(caller, 'read')
    return authorOf(caller, addressOf(c))
  }

  /**
   * Returns the account whose keys a request is about: its own, or in every mode one that an admin names, so
   * that idle keys can be revoked.
   */
  keyOwner(call: Call, named: string | undefined): { account: Account; author: Author } {
    if (named === undefined) {
      this.checkAccounts()
      if (call.caller.kind === 'operator_key') {
        throw new ApiError(403, REFUSED.keysOfNobody, 'session_needed')
      }
      const { account } = this.ownAccount(call)
      return { account, author: authorOf(call.caller, addressOf(call.c)) }
    }
    const { caller } = call
    const account = this.store.accounts.named(named)
    const isOwn = caller.kind === 'session' && account?.name === caller.userId
    const author = isOwn ? authorOf(caller, addressOf(call.c)) : this.admin(call)
    return { account: this.found(account), author }
  }

  /** Throws 404 for an account that does not exist. */
  found(account: Account | undefined): Account {
    if (account === undefined) throw new ApiError(404, REFUSED.userNotFound, 'user_not_found')
    return account
  }

  /** Returns the client of a request that signs someone in. Throws 403 without TLS. */
  clientOf(call: Call): Client {
    checkTls(call, this.siteOf(call))
    return { address: addressOf(call.c), browser: headerOf(call.c, 'user-agent') ?? '' }
  }

  siteOf(call: Call): SiteOrigin {
    return siteOriginOf(call, this.options.publicUrl)
  }

  /** Returns the header that gives a session to a browser. */
  cookie(call: Call, session: Pick<OpenedSession, 'token' | 'expiresAt'>): Record<string, string> {
    return this.#cookie(call, COOKIE, session)
  }

  /** Returns the header that binds a sign-in with the OpenID provider to a browser. */
  oidcCookie(call: Call, token: string): Record<string, string> {
    return this.#cookie(call, OIDC_COOKIE, { token, expiresAt: this.options.now() + OIDC_COOKIE_MS })
  }

  /** Returns the secret in that cookie; that of another site or port of the domain does not count. */
  oidcCookieOf(call: Call): string | undefined {
    const cookie = headerOf(call.c, 'cookie') ?? ''
    const prefix = this.#isTls(call) ? '__Host-' : ''
    return parse(cookie, `${prefix}${OIDC_COOKIE}`)[`${prefix}${OIDC_COOKIE}`]
  }

  #isTls(call: Call): boolean {
    return this.siteOf(call).isTls || this.options.publicUrl?.startsWith('https:') === true
  }

  #cookie(
    call: Call,
    name: string,
    { token, expiresAt }: Pick<OpenedSession, 'token' | 'expiresAt'>,
  ): Record<string, string> {
    const isTls = this.#isTls(call)
    const maxAge = Math.max(0, Math.floor((expiresAt - this.options.now()) / MS_PER_SECOND))
    const cookie = generateCookie(name, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge,
      ...(isTls && { secure: true, prefix: 'host' as const }),
    })
    return { 'Set-Cookie': cookie }
  }

  /** Returns the header that takes it away again. */
  noCookie(call: Call): Record<string, string> {
    return this.cookie(call, { token: '', expiresAt: 0 })
  }

  /** Ends the session that a browser had before it opened another one. */
  endFormer(call: Call, kept: OpenedSession): void {
    const { session } = credentialsOf(call.c)
    if (session === undefined) return
    const caller = session.startsWith('rs_') ? this.store.find(session, addressOf(call.c)) : undefined
    // A link opened in the browser that made it: the new session would end with the former.
    if (caller === undefined || this.store.sessions.endsWith(kept.id, sessionOf(caller))) return
    const account = caller.userId === undefined ? undefined : this.store.accounts.named(caller.userId)
    const author = authorOf(caller, addressOf(call.c))
    this.store.sessions.end(account ?? 'operator', sessionOf(caller), 'sign_out', author)
  }
}

/** Returns the exception of a refusal. */
export function refused(reason: AuthRefusal): ApiError {
  const [code, message] = AUTH_REFUSED[reason]
  return new ApiError(code, message, reason)
}

/** Returns an outcome that was not refused. Throws its refusal otherwise. */
export function unlessRefused<Outcome>(
  outcome: Outcome,
): Exclude<Outcome, string | { readonly fault: string } | { readonly waitMs: number }> {
  if (typeof outcome === 'string') throw refusalNamed(outcome)
  if (typeof outcome === 'object' && outcome !== null) {
    if ('fault' in outcome) throw new ApiError(422, String(outcome.fault))
    if ('waitMs' in outcome) throw slowed(Number(outcome.waitMs))
  }
  return outcome as Exclude<Outcome, string | { readonly fault: string } | { readonly waitMs: number }>
}

function refusalNamed(reason: string): ApiError {
  if (reason === 'scope_missing') {
    return new ApiError(403, 'scopes: The role of the account has fewer rights', 'scope_missing')
  }
  return refused(reason as AuthRefusal)
}

function slowed(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / MS_PER_SECOND)
  const message = `Too many failed attempts: try again in ${seconds} seconds`
  return new ApiError(429, message, 'too_many_requests', { 'Retry-After': String(seconds) })
}

function notSignedIn({ kind }: Identity): ApiError {
  if (kind === 'anonymous') return new ApiError(401, REFUSED.tokenMissing, 'token_missing')
  return refused('session_needed')
}
