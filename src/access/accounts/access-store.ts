import { ApiError } from '../../api/api-error.js'
import type { AuditRefusal } from '../../api/auth/audit-kinds.js'
import type { RefusalReason } from '../../api/reasons.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { CompanionOptions } from '../../store/companions/companion.js'
import { Companion } from '../../store/companions/companion.js'
import type { ForgedToken } from '../access.js'
import type { AccessMode } from '../access-mode.js'
import type { Identity } from '../identity.js'
import type { OidcProvider } from '../oidc/oidc-provider.js'
import { OneTimeCodes } from '../one-time-codes.js'
import { digestOf } from '../secrets.js'
import type { AccessContext, UsersLike } from './access-context.js'
import { ACCESS_FILE } from './access-schema.js'
import type { Account } from './accounts.js'
import { Accounts } from './accounts.js'
import { AdminLinks } from './admin-links.js'
import { ApiKeys } from './api-keys.js'
import { AuditLog } from './audit-log.js'
import { Credentials } from './credentials.js'
import type { EndedListener } from './endings.js'
import { Endings } from './endings.js'
import { FamiliarAddresses } from './familiar-addresses.js'
import { Identities } from './identities.js'
import { Invitations } from './invitations.js'
import { withdrawOfOtherKeys, withdrawOfPasswords } from './made-credentials.js'
import { Passkeys } from './passkeys/passkeys.js'
import type { HashCost } from './passwords.js'
import { Passwords } from './passwords.js'
import { ProviderSignIn } from './provider-sign-in.js'
import { RecoveryLinks } from './recovery-links.js'
import type { ListedSession, SessionOwner } from './sessions.js'
import { Sessions } from './sessions.js'
import { SignIn } from './sign-in.js'
import { SignInBrake } from './sign-in-brake.js'
import { UserLimits } from './user-limits.js'
import { StoredWebhooks } from './stored-webhooks.js'

/** The file, such as `data/access.db`, and what must fit it; and what the store depends on. */
export interface AccessStoreOptions extends CompanionOptions {
  /** Epoch milliseconds, of a clock that is not followed where it jumps ahead: what expires is deleted. */
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly random: (bytes: number) => Buffer
  /** Asked once the exchange is open. */
  readonly usersLike: UsersLike
  /** Outside `accounts` only operators' sessions count. */
  readonly mode: AccessMode
  /** Sessions, invitations and recovery links made with another operator's key end. */
  readonly operatorKey: string
  readonly signUps: 'open' | 'invitation'
  /** The OpenID provider at which people sign in, if there is one. */
  readonly provider?: OidcProvider | undefined
  /** False where only the last admin may sign in otherwise. */
  readonly hasPasswords?: boolean
  /** Returns the household of an address, which shares its failed sign-ins. */
  readonly addressGroup?: (address: string) => string
  readonly hashCost?: HashCost
}

/** The kinds of refused keys in the audit log, by reason. */
const KINDS: Partial<Record<RefusalReason, AuditRefusal>> = {
  address_refused: 'address_refused',
  account_disabled: 'account_disabled',
}

const SWEEP_MS = 60 * 60_000
const FLUSH_MS = 10_000

/** Accounts and their credentials, in a file apart from the ledger. */
export class AccessStore {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly invitations: Invitations
  readonly recoveryLinks: RecoveryLinks
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  readonly signIn: SignIn
  readonly identities: Identities
  /** Undefined without an OpenID provider. */
  readonly providerSignIn: ProviderSignIn | undefined
  readonly hasPasswords: boolean
  readonly adminLinks: AdminLinks
  /** Suspended users, and the limits of single users' orders. */
  readonly limits: UserLimits
  readonly webhooks: StoredWebhooks
  readonly audit: AuditLog
  /** The file, which is perhaps in doubt. */
  readonly file: Companion
  readonly #watch: () => number
  readonly #credentials: Credentials
  readonly #endings = new Endings()
  #sweptAt = Number.NEGATIVE_INFINITY
  readonly #withdraw: () => void
  #changes = 0
  #flushedAt: number

  /** Opens the file. If it is in doubt, the store is empty, and refuses changes. */
  constructor(options: AccessStoreOptions) {
    const { now, watch, random, usersLike, mode, operatorKey, hashCost } = options
    const database = new Companion(options, ACCESS_FILE)
    this.file = database
    this.#watch = watch
    this.#flushedAt = watch()
    this.audit = new AuditLog(database, now)
    this.#endings.onEnded(() => this.#changes++)
    const issuer = digestOf(operatorKey)
    const [audit, endings] = [this.audit, this.#endings]
    const context: AccessContext = { database, now, watch, random, audit, endings, issuer }
    this.#credentials = new Credentials(context, mode === 'accounts')
    this.accounts = new Accounts(context, usersLike)
    this.sessions = new Sessions(context)
    this.keys = new ApiKeys(context, this.sessions)
    this.invitations = new Invitations(context, usersLike)
    this.recoveryLinks = new RecoveryLinks(context)
    this.passkeys = new Passkeys(context, this.accounts)
    this.passwords = new Passwords(random, hashCost)
    this.limits = new UserLimits(context)
    this.webhooks = new StoredWebhooks(context)
    const { accounts, sessions, keys, invitations, recoveryLinks, passkeys, passwords } = this
    const familiar = new FamiliarAddresses(context)
    const brake = new SignInBrake(watch)
    const { addressGroup = address => address } = options
    const adminCodes = new OneTimeCodes<number | undefined>(now)
    const own = { accounts, sessions, keys, invitations, recoveryLinks, passkeys, passwords, adminCodes }
    const { provider, hasPasswords = true } = options
    this.hasPasswords = hasPasswords
    const parts = { context, ...own, familiar, brake, addressGroup }
    this.signIn = new SignIn(parts, () => options.signUps, hasPasswords)
    this.identities = new Identities(context)
    const { signIn, identities } = this
    const asked = { accounts, sessions, identities, signIn, addressGroup }
    this.providerSignIn = provider && new ProviderSignIn({ context, ...asked, provider })
    this.#withdraw = () => {
      withdrawOfOtherKeys(database, issuer)
      if (!hasPasswords && mode === 'accounts') withdrawOfPasswords(database)
    }
    if (!database.follows) this.#withdraw()
    const shared = { context, accounts, sessions, signIn: this.signIn }
    this.adminLinks = new AdminLinks({ ...shared, credentials: this.#credentials, codes: adminCodes })
  }

  /** Forgets whom it knows: another exchange has changed the file. */
  noteFollowed(): void {
    this.#changes++
    this.#credentials.forget()
  }

  /** Goes on with the file that another exchange has changed. What the settings of this one end, ends now. */
  lead(): void {
    this.noteFollowed()
    this.limits.reread()
    this.audit.recount()
    this.#withdraw()
  }

  /** How often credentials have ended or changed their rights. */
  get changes(): number {
    return this.#changes
  }

  /** Returns true if nobody can sign in, because the file was in doubt at the start. */
  get isClosed(): boolean {
    return this.file.isStandIn
  }

  /**
   * Returns whose session or key a token is; see `Credentials.find`. Counts refused keys. Throws 503 for a
   * key while nobody can tell whose it is.
   */
  find(token: string, address: string): Identity | undefined {
    if (this.isClosed && token.startsWith('rk_')) {
      throw new ApiError(503, REFUSED.signInClosed, 'sign_in_closed')
    }
    try {
      const found = this.#credentials.find(token, address)
      if (found === undefined && token.startsWith('rk_')) this.#countRefused('token_refused', address)
      return found
    } catch (error) {
      if (error instanceof ApiError) this.#countRefused(KINDS[error.reason] ?? 'token_refused', address)
      throw error
    }
  }

  /** Counts a token that is neither a key or a session of this store nor valid otherwise. */
  countForged(what: ForgedToken, address: string): void {
    this.audit.count('token_refused', { name: '', by: '', address, detail: what })
  }

  /** Returns the sessions of an owner, with their last use. */
  sessionsOf(owner: SessionOwner): ListedSession[] {
    return this.sessions.list(owner).map(session => {
      const use = this.#credentials.unwrittenUse(`session:${session.id}`)
      return use === undefined ? session : { ...session, lastUsedAt: use.at }
    })
  }

  /** Counts the sessions and keys of accounts, which outside the mode `accounts` open nothing. */
  countOfAccounts(): { readonly sessions: number; readonly keys: number } {
    const count = (from: string) =>
      this.file.prepare<unknown[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0
    return { sessions: count('sessions WHERE account IS NOT NULL'), keys: count('api_keys') }
  }

  /** True once someone has an account. */
  get hasAccounts(): boolean {
    return this.file.prepare('SELECT 1 FROM accounts LIMIT 1').get() !== undefined
  }

  /** Returns whether an account has a password or passkey, and may use it. */
  canUsePassword(account: Account): boolean {
    const { accounts, passkeys, hasPasswords } = this
    const hasOne = accounts.passwordOf(account) !== undefined || passkeys.list(account).length > 0
    return hasOne && (hasPasswords || accounts.isLastAdmin(account))
  }

  /** Calls back when a session or key ends, or its rights change. */
  onEnded(listener: EndedListener): void {
    this.#endings.onEnded(listener)
  }

  /** Writes counted refusals and last uses, and deletes what has ended, where it is time: every second. */
  beat(): void {
    if (this.file.follows) return
    if (this.#watch() - this.#flushedAt >= FLUSH_MS) this.flush()
    this.#sweep()
  }

  /** Writes counted refusals and last uses. */
  flush(): void {
    if (this.file.follows) return
    this.#flushedAt = this.#watch()
    this.audit.flush()
    this.#credentials.flush()
    this.file.noteHead()
  }

  /** Deletes what has ended. Not at the start: the clock is judged when the exchange is open. */
  #sweep(): void {
    if (this.#watch() - this.#sweptAt < SWEEP_MS || this.file.doubt !== undefined) return
    // The rest of very many, for instance after a long stop, waits for the next second.
    if (!this.sessions.sweep()) this.#sweptAt = this.#watch()
  }

  #countRefused(kind: AuditRefusal, address: string): void {
    this.audit.count(kind, { name: '', by: '', address, detail: 'API key' })
  }

  /** Writes what waits, before the stop of a log to which it goes. */
  finish(): void {
    try {
      this.flush()
    } catch {
      // What could not be written serves no order: the stop goes on.
    }
  }

  close(): void {
    this.finish()
    this.file.close()
  }
}
