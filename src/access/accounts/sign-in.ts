import { foldedName } from '../../core/plain-name.js'
import type { OneTimeCodes } from '../one-time-codes.js'
import type { AccessContext, Client } from './access-context.js'
import type { Account, Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import type { SignedInIdentity } from './identities.js'
import type { FamiliarAddresses } from './familiar-addresses.js'
import type { Invitation, Invitations } from './invitations.js'
import type { PasskeySignature, Passkeys } from './passkeys/passkeys.js'
import type { RelyingParty } from './passkeys/relying-party.js'
import { passwordFault, plainPassword } from './password-rules.js'
import type { Passwords } from './passwords.js'
import type { RecoveryLinks } from './recovery-links.js'
import type { EndedWithPassword } from './replace-password.js'
import { replacePassword } from './replace-password.js'
import type { OpenedSession, SessionOpener, Sessions } from './sessions.js'
import type { Attempt, SignInBrake } from './sign-in-brake.js'

/** A signed-in account and its new session. */
export interface SignedIn {
  readonly account: Account
  readonly session: OpenedSession
}

/** Too many failed attempts: when to try again. */
export interface Slowed {
  readonly waitMs: number
}

export interface Fault {
  readonly fault: string
}

/** Why an account is not created. */
type NotCreated = Fault | 'invitation_missing' | 'invitation_wrong' | 'name_taken' | 'users_full'

interface Opening {
  /** Joins the transaction that opens the session. */
  readonly also?: () => void
  /** The session whose link opens this one. */
  readonly opener?: SessionOpener
  /** The identity at a provider by which the account proved itself. */
  readonly identity?: SignedInIdentity
}

/** A new password. */
interface Chosen {
  readonly password: string
  /** True to revoke the account's keys, and those that it made for others. */
  readonly endsKeys?: boolean | undefined
}

export interface SignInParts {
  readonly context: AccessContext
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly invitations: Invitations
  readonly recoveryLinks: RecoveryLinks
  readonly familiar: FamiliarAddresses
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  readonly brake: SignInBrake
  /** The unused codes of links that admins made, with the session of each. */
  readonly adminCodes: OneTimeCodes<number | undefined>
  /** Returns the household of an address: an IPv6 network, or the address itself. */
  readonly addressGroup: (address: string) => string
}

export interface NamedPassword {
  readonly name: string
  readonly password: string
}

/**
 * Signs people up and in. Hashing takes a while, and everything may change meanwhile: each act checks again
 * afterwards what it depends on, then changes everything in one transaction.
 */
export class SignIn {
  readonly #parts: SignInParts
  readonly #signUps: () => 'open' | 'invitation'
  readonly #hasPasswords: boolean

  /**
   * @param signUps who may sign up at the moment
   * @param hasPasswords false where only the last admin signs in without an OpenID provider
   */
  constructor(parts: SignInParts, signUps: () => 'open' | 'invitation', hasPasswords: boolean) {
    this.#parts = parts
    this.#signUps = signUps
    this.#hasPasswords = hasPasswords
  }

  /** Opens a session. An unknown name takes as long as a wrong password, and has the same answer. */
  async login(
    { name, password }: NamedPassword,
    client: Client,
  ): Promise<SignedIn | Slowed | 'sign_in_failed' | 'password_off' | 'account_disabled' | 'busy'> {
    const { accounts } = this.#parts
    const named = accounts.named(name)
    // Others are compared with nothing: neither the answer nor its time says who the last admin is.
    const account = named !== undefined && this.#mayUsePassword(named) ? named : undefined
    const stored = account && accounts.passwordOf(account)
    const verdict = await this.#verify(name, account, password, client.address)
    if (typeof verdict === 'object' || verdict === 'busy') return verdict
    if (account === undefined || verdict === 'wrong') {
      return this.#hasPasswords ? 'sign_in_failed' : 'password_off'
    }
    const rehashed = verdict === 'right_but_cheap' ? await this.#parts.passwords.hash(password) : undefined
    const now = accounts.withId(account.id)
    if (now === undefined || now.isDisabled) {
      this.#refuse('account_disabled', name, client.address, '')
      return 'account_disabled'
    }
    // A password that was replaced meanwhile no longer counts, and its new hash stays.
    if (accounts.passwordOf(now) !== stored) return 'sign_in_failed'
    const also = () => {
      if (rehashed !== undefined && rehashed !== 'busy') accounts.setPassword(now, rehashed)
    }
    return this.openSession(now, client, 'password', { also })
  }

  /** Creates an account, where sign-up is open or an invitation is shown, and opens its first session. */
  async signUp(
    { name, password, invitation: token }: NamedPassword & { readonly invitation?: string | undefined },
    client: Client,
  ): Promise<SignedIn | NotCreated | 'password_off' | 'busy'> {
    const { accounts, passwords, context } = this.#parts
    if (!this.#hasPasswords) return 'password_off'
    const before = this.#mayCreate(name, token)
    if (typeof before === 'string' || 'fault' in before) return before
    const fault = passwordFault(plainPassword(password), name)
    if (fault !== undefined) return { fault: `password: ${fault}` }
    const hash = await passwords.hash(password)
    if (hash === 'busy') return 'busy'
    const checked = this.#mayCreate(name, token)
    if (typeof checked === 'string' || 'fault' in checked) return checked

    const { invitation } = checked
    return context.database.transaction(() => {
      const role = invitation?.role ?? 'trader'
      const account = accounts.insert({ name, reserved: invitation?.name, password: hash, role })
      if (invitation !== undefined) this.#parts.invitations.accept(invitation)
      const detail = invitation === undefined ? role : `${role}, invited by ${invitation.madeBy}`
      context.audit.write('sign_up', {
        name: account.name,
        by: account.name,
        address: client.address,
        detail,
      })
      return this.openSession(account, client, 'sign-up')
    })()
  }

  /** Changes a password; every other session of the account ends, and every unused link that it made. */
  async changePassword(
    account: Account,
    { current, password, endsKeys }: Chosen & { readonly current: string },
    session: number | undefined,
    client: Client,
  ): Promise<Fault | Slowed | { readonly ended: EndedWithPassword } | 'sign_in_failed' | 'busy'> {
    const fault = passwordFault(plainPassword(password), account.name)
    if (fault !== undefined) return { fault: `password: ${fault}` }
    const stored = this.#parts.accounts.passwordOf(account)
    const verdict = await this.#verify(account.name, account, current, client.address)
    if (typeof verdict === 'object' || verdict === 'busy') return verdict
    if (verdict === 'wrong') return 'sign_in_failed'
    const hash = await this.#parts.passwords.hash(password)
    if (hash === 'busy') return 'busy'
    // Another change of the password came first: the one that was checked no longer counts.
    if (this.#parts.accounts.passwordOf(account) !== stored) return 'sign_in_failed'
    const author = { by: account.name, address: client.address }
    return replacePassword(
      this.#parts,
      { account, hash, endsKeys, kept: session, kind: 'password_changed', author },
      () => ({}),
    )
  }

  /** Sets a password with a recovery link, ends all sessions and opens one. */
  async recover(
    { token, password, endsKeys }: Chosen & { readonly token: string },
    client: Client,
  ): Promise<
    (SignedIn & { readonly ended: EndedWithPassword }) | Fault | 'recovery_wrong' | 'password_off' | 'busy'
  > {
    const { accounts, recoveryLinks, passwords } = this.#parts
    const accountOf = () => {
      const id = recoveryLinks.accountOf(token)
      const account = id === undefined ? undefined : accounts.withId(id)
      return account?.isDisabled === false ? account : undefined
    }
    const account = accountOf()
    if (account === undefined) return 'recovery_wrong'
    if (!this.#mayUsePassword(account)) return 'password_off'
    const fault = passwordFault(plainPassword(password), account.name)
    if (fault !== undefined) return { fault: `password: ${fault}` }
    const hash = await passwords.hash(password)
    if (hash === 'busy') return 'busy'
    const still = accountOf()
    if (still === undefined || still.id !== account.id) return 'recovery_wrong'
    const author = { by: still.name, address: client.address }
    // The link is used up only with a session opened.
    return replacePassword(this.#parts, { account: still, hash, endsKeys, kind: 'recovered', author }, () =>
      this.openSession(still, client, 'recovery'),
    )
  }

  /** Opens a session with a passkey. A signature cannot be guessed, so failures slow nothing down. */
  async passkeyLogin(
    response: PasskeySignature,
    site: RelyingParty,
    client: Client,
  ): Promise<SignedIn | 'passkey_wrong' | 'password_off' | 'account_disabled'> {
    const account = await this.#parts.passkeys.verify(response, site)
    if (account === 'passkey_wrong') {
      this.#refuse('sign_in_failed', '', client.address, 'passkey')
      return account
    }
    if (!this.#mayUsePassword(account)) return 'password_off'
    if (!account.isDisabled) return this.openSession(account, client, 'passkey')
    this.#refuse('account_disabled', account.name, client.address, '')
    return 'account_disabled'
  }

  /** Opens a session for an account that has proved itself; `also` joins its transaction. */
  openSession(account: Account, client: Client, how: string, more: Opening = {}): SignedIn {
    const { also = () => {}, opener, identity } = more
    const { context, accounts, sessions, familiar, addressGroup } = this.#parts
    return context.database.transaction(() => {
      also()
      accounts.noteSignIn(account)
      familiar.add(account, addressGroup(client.address))
      const session = sessions.open(account, client, opener, identity)
      const detail = `${how}, session ${session.id}`
      context.audit.write('sign_in', {
        name: account.name,
        by: account.name,
        address: client.address,
        detail,
      })
      return { account, session }
    })()
  }

  /** Returns whether an account can be signed in to without the OpenID provider. */
  #mayUsePassword(account: Account): boolean {
    return this.#hasPasswords || this.#parts.accounts.isLastAdmin(account)
  }

  async #verify(
    name: string,
    account: Account | undefined,
    password: string,
    address: string,
  ): Promise<'right' | 'right_but_cheap' | 'wrong' | 'busy' | Slowed> {
    const { accounts, brake, passwords, familiar, addressGroup } = this.#parts
    const group = addressGroup(address)
    const isFamiliar = account !== undefined && familiar.has(account, group)
    const attempt: Attempt = brake.begin(foldedName(name), group, isFamiliar)
    if ('waitMs' in attempt) {
      this.#refuse('sign_in_slowed', name, address, '')
      return attempt
    }
    const stored = account && accounts.passwordOf(account)
    const verdict = await passwords.verify(password, stored)
    if (verdict === 'busy') brake.takeBack(attempt)
    else if (verdict === 'wrong') this.#refuse('sign_in_failed', name, address, 'password')
    else brake.succeeded(attempt)
    return verdict
  }

  #mayCreate(
    name: string,
    token: string | undefined,
  ): { readonly invitation: Invitation | undefined } | NotCreated {
    if (token === undefined && this.#signUps() === 'invitation') return 'invitation_missing'
    const invitation = token === undefined ? undefined : this.#parts.invitations.find(token)
    if (token !== undefined && invitation === undefined) return 'invitation_wrong'
    const refusal = this.#parts.accounts.refusalOf(name, invitation?.name)
    if (typeof refusal === 'object') return { fault: `name: ${refusal.fault}` }
    return refusal ?? { invitation }
  }

  #refuse(
    kind: 'sign_in_failed' | 'sign_in_slowed' | 'account_disabled',
    name: string,
    address: string,
    detail: string,
  ): void {
    this.#parts.context.audit.count(kind, { name, by: '', address, detail })
  }
}
