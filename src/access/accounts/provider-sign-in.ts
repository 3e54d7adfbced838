import type { AuditRefusal } from '../../api/auth/audit-kinds.js'
import type { JsonObject } from '../jwt/token-parts.js'
import type { OidcProvider } from '../oidc/oidc-provider.js'
import type { PendingSignIn } from '../oidc/pending-sign-ins.js'
import { PendingSignIns } from '../oidc/pending-sign-ins.js'
import type { ProviderPerson } from '../oidc/provider-claims.js'
import { personIn, wantedClaims } from '../oidc/provider-claims.js'
import type { Role } from '../scopes.js'
import { ROLES } from '../scopes.js'
import { newSecret } from '../secrets.js'
import type { AccessContext, Client } from './access-context.js'
import type { Account, Accounts } from './accounts.js'
import type { Identities } from './identities.js'
import type { Sessions } from './sessions.js'
import type { SignedIn, SignIn } from './sign-in.js'

interface Parts {
  readonly context: AccessContext
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly identities: Identities
  readonly signIn: SignIn
  readonly provider: OidcProvider
  /** Returns the household of an address, which shares its room for sign-ins under way. */
  readonly addressGroup: (address: string) => string
}

/** The parameters that a browser brings back from the provider. */
export interface BroughtBack {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
}

type Refused =
  | 'provider_down'
  | 'provider_refused'
  | 'state_wrong'
  | 'group_missing'
  | 'account_disabled'
  | 'identity_taken'
  | 'users_full'
  | 'busy'

/** The author of what the provider's claims decide. */
const PROVIDER = 'identity provider'
/** Numbers tried behind a name that is taken. */
const NUMBERS_MAX = 50
const SPARE_DIGITS = 6

/** Signs people in with an OpenID provider, and links their accounts to it. */
export class ProviderSignIn {
  readonly pending: PendingSignIns
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.pending = new PendingSignIns(parts.context.watch)
  }

  get issuer(): string {
    return this.#parts.provider.settings.issuer
  }

  /** How the sign-in page calls the provider. */
  get name(): string {
    return this.#parts.provider.settings.name
  }

  /**
   * Begins a sign-in, or the link of a session's account. Returns the address to which the browser goes, and
   * a secret that it keeps.
   */
  async begin(
    wish: Pick<PendingSignIn, 'returnTo' | 'linkedBy'>,
    redirectUri: string,
    { address }: Client,
  ): Promise<{ readonly url: string; readonly browser: string } | 'provider_down'> {
    const [state, nonce, verifier, browser] = [newSecret(''), newSecret(''), newSecret(''), newSecret('')]
    const challenge = { state, nonce, verifier, redirectUri }
    const url = await this.#parts.provider.addressFor(challenge)
    if (url === 'provider_down') return url
    this.pending.add({ challenge, ...wish }, browser, this.#parts.addressGroup(address))
    return { url, browser }
  }

  /** Verifies what the browser brought back. Throws nothing; what is used up stays so. */
  async verify(
    { state, code, iss }: BroughtBack,
    browser: string | undefined,
    client: Client,
  ): Promise<{ readonly pending: PendingSignIn; readonly person: ProviderPerson } | Refused> {
    const pending = this.pending.take(state, browser)
    if (pending === undefined) return this.#refuse('state_wrong', client)
    if (code === undefined) return this.#refuse('provider_refused', client)
    const { provider } = this.#parts
    const { settings } = provider
    const claims: JsonObject | Refused = await provider.claims(
      pending.challenge,
      { code, iss },
      wantedClaims(settings),
    )
    if (typeof claims === 'string') return this.#refuse(claims, client)
    const person = personIn(claims, settings)
    if (person === 'group_missing') this.#end(claims)
    return typeof person === 'string' ? this.#refuse(person, client) : { pending, person }
  }

  /** Opens a session for a verified person: of their account, which is created at their first sign-in. */
  enter(person: ProviderPerson, client: Client): SignedIn | Refused {
    const { accounts, identities, context, provider } = this.#parts
    const found = identities.find(provider.settings.issuer, person.subject)
    const known = found && accounts.withId(found.account)
    if (known?.isDisabled) return this.#refuse('account_disabled', client, known.name)
    if (found === undefined || known === undefined) {
      return context.database.transaction(() => {
        const made = this.#accountFor(person, client)
        return made === 'users_full' ? made : this.#open(made.account, made.identity, client)
      })()
    }
    const signedIn = this.#open(this.#withRole(known, person.role, client), found.id, client)
    // No socket has this credential: the keys that the sign-in renews are only read once more.
    context.endings.report([`identity:${found.id}`])
    return signedIn
  }

  /** Links a verified person to the account that is signed in. */
  link(person: ProviderPerson, account: Account, { address }: Client): 'linked' | Refused {
    const { identities, provider } = this.#parts
    const { issuer } = provider.settings
    const linked = identities.link({ issuer, subject: person.subject }, account, {
      by: account.name,
      address,
    })
    return linked === 'identity_taken' ? linked : 'linked'
  }

  #open(account: Account, id: number, client: Client): SignedIn {
    const { identities, signIn, provider, context } = this.#parts
    const identity = { id, validUntil: context.now() + provider.settings.sessionMs }
    const also = () => identities.renew(identity)
    return signIn.openSession(account, client, PROVIDER, { identity, also })
  }

  /** Creates the account of a person, and links it. Part of the caller's transaction. */
  #accountFor(
    person: ProviderPerson,
    { address }: Client,
  ): { readonly account: Account; readonly identity: number } | 'users_full' {
    const { accounts, identities, provider, context } = this.#parts
    const name = this.#freeName(person)
    if (name === 'users_full') return name
    const role = person.role ?? 'trader'
    const account = accounts.insert({ name, password: undefined, role })
    const { id } = identities.insert(provider.settings.issuer, person.subject, account)
    const detail = `${role}, ${PROVIDER}`
    context.audit.write('sign_up', { name: account.name, by: account.name, address, detail })
    return { account, identity: id }
  }

  /** Gives an account the role of the claims. A lower one ends its sessions; the last admin stays. */
  #withRole(account: Account, role: Role | undefined, { address }: Client): Account {
    if (role === undefined || role === account.role) return account
    const { accounts, sessions, context } = this.#parts
    const changed = accounts.setRole(account, role, { by: PROVIDER, address })
    if (changed === 'last_admin') return account
    if (ROLES.indexOf(role) < ROLES.indexOf(account.role)) {
      context.endings.report(context.database.transaction(() => sessions.deleteOthers(account, undefined))())
    }
    return changed
  }

  /** Returns a name that nobody has: one of the person's, perhaps with a number, or one without meaning. */
  #freeName({ names }: ProviderPerson): string | 'users_full' {
    const { accounts, context } = this.#parts
    const spare = () => `user-${context.random(SPARE_DIGITS / 2).toString('hex')}`
    const [first] = names
    const numbered =
      first === undefined ? [] : Array.from({ length: NUMBERS_MAX }, (_, index) => `${first}-${index + 2}`)
    for (const name of [...names, ...numbered]) {
      const refusal = accounts.refusalOf(name)
      if (refusal === undefined || refusal === 'users_full') return refusal ?? name
    }
    for (let name = spare(); ; name = spare()) {
      const refusal = accounts.refusalOf(name)
      if (refusal === undefined || refusal === 'users_full') return refusal ?? name
    }
  }

  /** Ends the sessions and keys of a person who is no longer in an allowed group. */
  #end({ sub }: JsonObject): void {
    const { identities, provider } = this.#parts
    const found = identities.find(provider.settings.issuer, String(sub))
    if (found !== undefined) identities.expire(found)
  }

  #refuse<Reason extends Refused>(reason: Reason, { address }: Client, name = ''): Reason {
    const kind: AuditRefusal = reason === 'account_disabled' ? 'account_disabled' : 'sign_in_failed'
    this.#parts.context.audit.count(kind, { name, by: '', address, detail: `${PROVIDER}: ${reason}` })
    return reason
  }
}
