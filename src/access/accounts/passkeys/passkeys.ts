import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { AccessContext, Author } from '../access-context.js'
import type { Account, Accounts } from '../accounts.js'
import { PasskeyChallenges } from './passkey-challenges.js'
import type { RelyingParty } from './relying-party.js'

/** The answer of a browser that made a passkey, and of one that signs in with it. */
export type NewPasskey = RegistrationResponseJSON
export type PasskeySignature = AuthenticationResponseJSON

/** A passkey as its owner sees it. */
export interface ListedPasskey {
  readonly id: number
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

interface PasskeyRow {
  readonly id: number
  readonly credential_id: string
  readonly account: number
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: string
  readonly name: string
  readonly created_at: number
  readonly last_used_at: number | null
}

const PASSKEYS_MAX = 10

/** The library takes 0.3 s to load, so only those who use passkeys wait for it. */
const library = () => import('@simplewebauthn/server')

/** Passkeys (WebAuthn) of accounts. Each replaces name and password, so the device must verify its user. */
export class Passkeys {
  readonly #context: AccessContext
  readonly #accounts: Accounts
  readonly #challenges: PasskeyChallenges

  constructor(context: AccessContext, accounts: Accounts) {
    this.#context = context
    this.#accounts = accounts
    this.#challenges = new PasskeyChallenges(context.watch, context.random)
  }

  /** Returns the options with which a browser makes a passkey for an account. */
  async additionOptions(
    account: Account,
    site: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON | 'passkeys_full'> {
    const rows = this.#rowsOf(account)
    if (rows.length >= PASSKEYS_MAX) return 'passkeys_full'
    const { generateRegistrationOptions } = await library()
    return generateRegistrationOptions({
      rpName: 'Raay',
      rpID: site.id,
      userName: account.name,
      userID: Uint8Array.from(this.#handleOf(account.id)),
      challenge: Uint8Array.from(this.#challenges.make(`add:${account.id}`)),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: rows.map(row => ({ id: row.credential_id, transports: transportsOf(row) })),
    })
  }

  /**
   * Adds the passkey that a browser made.
   *
   * @param checkAgain throws if the account's session has ended while the passkey was verified
   */
  async add(
    account: Account,
    { response, name }: { readonly response: NewPasskey; readonly name: string },
    site: RelyingParty,
    { author, checkAgain }: { readonly author: Author; readonly checkAgain: () => Promise<void> },
  ): Promise<ListedPasskey | 'passkey_wrong' | 'passkeys_full'> {
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge => this.#challenges.take(challenge, `add:${account.id}`),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    }).catch(nothingVerified)
    if (!verified || registrationInfo === undefined) return 'passkey_wrong'
    await checkAgain()
    if (this.#rowsOf(account).length >= PASSKEYS_MAX) return 'passkeys_full'
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    if (this.#find(id) !== undefined) return 'passkey_wrong'
    return this.#insert(account, name, author, [
      id,
      account.id,
      Buffer.from(publicKey),
      counter,
      transports.join(),
    ])
  }

  /** Returns the options with which a browser signs in. They name no account, so they give none away. */
  async signInOptions(site: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID: site.id,
      challenge: Uint8Array.from(this.#challenges.make('sign_in')),
      userVerification: 'required',
    })
  }

  /** Returns the account whose passkey signed a challenge. */
  async verify(response: PasskeySignature, site: RelyingParty): Promise<Account | 'passkey_wrong'> {
    const row = this.#find(response.id)
    if (row === undefined) return 'passkey_wrong'
    const { verifyAuthenticationResponse } = await library()
    const { id, public_key, counter } = row
    const { userHandle } = response.response
    if (userHandle !== undefined && userHandle !== this.#handleOf(row.account).toString('base64url')) {
      return 'passkey_wrong'
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge => this.#challenges.take(challenge, 'sign_in'),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: { id: row.credential_id, publicKey: Uint8Array.from(public_key), counter },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    if (!verified || authenticationInfo === undefined) return 'passkey_wrong'
    // The passkey may have been removed, or its counter used, while the signature was verified.
    const { changes } = this.#context.database
      .prepare('UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?')
      .run(authenticationInfo.newCounter, this.#context.now(), id, counter)
    return (changes === 1 ? this.#accounts.withId(row.account) : undefined) ?? 'passkey_wrong'
  }

  /** Returns the passkeys of an account, the newest first. */
  list(account: Account): ListedPasskey[] {
    return this.#rowsOf(account).map(passkeyOf)
  }

  /** Renames a passkey. Returns undefined if the account has no such passkey. */
  rename(account: Account, id: number, name: string, author: Author): ListedPasskey | undefined {
    const { database, audit } = this.#context
    const before = this.list(account).find(passkey => passkey.id === id)
    if (before === undefined || before.name === name) return before
    database.transaction(() => {
      database.prepare('UPDATE passkeys SET name = ? WHERE id = ? AND account = ?').run(name, id, account.id)
      const detail = `passkey ${id} "${before.name}" → "${name}"`
      audit.write('passkey_renamed', { name: account.name, ...author, detail })
    })()
    return { ...before, name }
  }

  /** Removes a passkey. Returns false if the account has no such passkey. */
  remove(account: Account, id: number, author: Author): boolean {
    const { database, audit } = this.#context
    return database.transaction(() => {
      const name = database
        .prepare<unknown[], string>('DELETE FROM passkeys WHERE id = ? AND account = ? RETURNING name')
        .pluck()
        .get(id, account.id)
      if (name === undefined) return false
      audit.write('passkey_removed', { name: account.name, ...author, detail: `passkey ${id} "${name}"` })
      return true
    })()
  }

  #insert(account: Account, name: string, author: Author, values: readonly unknown[]): ListedPasskey {
    const { database, now, audit } = this.#context
    const createdAt = now()
    const id = database.transaction(() => {
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO passkeys (credential_id, account, public_key, counter, transports, name, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...values, name, createdAt)
      const detail = `passkey ${lastInsertRowid} "${name}"`
      audit.write('passkey_added', { name: account.name, ...author, detail })
      return Number(lastInsertRowid)
    })()
    return { id, name, createdAt, lastUsedAt: undefined }
  }

  #find(credentialId: string): PasskeyRow | undefined {
    return this.#context.database
      .prepare<unknown[], PasskeyRow>('SELECT * FROM passkeys WHERE credential_id = ?')
      .get(credentialId)
  }

  #rowsOf({ id }: Account): PasskeyRow[] {
    return this.#context.database
      .prepare<unknown[], PasskeyRow>('SELECT * FROM passkeys WHERE account = ? ORDER BY id DESC')
      .all(id)
  }

  #handleOf(account: number): Buffer {
    const handle = this.#context.database
      .prepare<unknown[], Buffer>('SELECT handle FROM accounts WHERE id = ?')
      .pluck()
      .get(account)
    return handle ?? Buffer.alloc(0)
  }
}

function passkeyOf({ id, name, created_at, last_used_at }: PasskeyRow): ListedPasskey {
  return { id, name, createdAt: created_at, lastUsedAt: last_used_at ?? undefined }
}

function transportsOf({ transports }: PasskeyRow): AuthenticatorTransport[] {
  return transports.split(',').filter(transport => transport !== '') as AuthenticatorTransport[]
}

/** The library throws for whatever does not verify. */
function nothingVerified(): VerifiedRegistrationResponse {
  return { verified: false }
}
