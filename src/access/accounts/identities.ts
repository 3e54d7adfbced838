import type { AccessContext, Author } from './access-context.js'
import type { Account } from './accounts.js'

/** A person at an OpenID provider, known by issuer and subject, and the account that they sign in to. */
export interface ProviderIdentity {
  readonly id: number
  readonly account: number
}

/** A linked identity as the owner of its account sees it. */
export interface ListedIdentity {
  readonly id: number
  readonly issuer: string
  readonly createdAt: number
  /** Until when its last sign-in lasts. */
  readonly validUntil: number
}

/** The identity by which a session was opened, and how long its sign-in lasts. */
export interface SignedInIdentity {
  readonly id: number
  readonly validUntil: number
}

/**
 * When a key expires, as SQL: one that was made in a session of an identity expires with that identity's last
 * sign-in, if it does not expire before.
 */
export const KEY_EXPIRES_AT = `CASE WHEN api_keys.identity IS NULL THEN api_keys.expires_at ELSE
  min(coalesce(api_keys.expires_at, ${Number.MAX_SAFE_INTEGER}), coalesce(
    (SELECT valid_until FROM identities WHERE identities.id = api_keys.identity), 0)) END`

/** The identities at OpenID providers that are linked to accounts. */
export class Identities {
  readonly #context: AccessContext

  constructor(context: AccessContext) {
    this.#context = context
  }

  find(issuer: string, subject: string): ProviderIdentity | undefined {
    return this.#context.database
      .prepare<unknown[], ProviderIdentity>(
        'SELECT id, account FROM identities WHERE issuer = ? AND subject = ?',
      )
      .get(issuer, subject)
  }

  /** Returns the identities of an account: at most one of each issuer. */
  list({ id }: Account): ListedIdentity[] {
    return this.#context.database
      .prepare<unknown[], ListedIdentity>(
        `SELECT id, issuer, created_at AS createdAt, valid_until AS validUntil
         FROM identities WHERE account = ? ORDER BY issuer`,
      )
      .all(id)
  }

  /** Links an identity to an account, as part of the caller's transaction. */
  insert(issuer: string, subject: string, account: Account): ProviderIdentity {
    const { database, now } = this.#context
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO identities (issuer, subject, account, created_at, valid_until) VALUES (?, ?, ?, ?, ?)`,
      )
      .run(issuer, subject, account.id, now(), now())
    return { id: Number(lastInsertRowid), account: account.id }
  }

  /** Notes a sign-in, as part of the caller's transaction: until when its sessions and keys last. */
  renew({ id, validUntil }: SignedInIdentity): void {
    const { database } = this.#context
    database.prepare('UPDATE identities SET valid_until = ? WHERE id = ?').run(validUntil, id)
  }

  /** Links an identity to the account that is signed in. */
  link(
    { issuer, subject }: { readonly issuer: string; readonly subject: string },
    account: Account,
    author: Author,
  ): ProviderIdentity | 'identity_taken' {
    const found = this.find(issuer, subject)
    if (found?.account === account.id) return found
    if (found !== undefined || this.list(account).some(other => other.issuer === issuer))
      return 'identity_taken'
    const { database, audit } = this.#context
    return database.transaction(() => {
      audit.write('identity_linked', { name: account.name, ...author, detail: issuer })
      return this.insert(issuer, subject, account)
    })()
  }

  /** Ends the sessions that an identity opened, and the keys made in them until it signs in again. */
  expire({ id, account }: ProviderIdentity): void {
    const { database, now, endings } = this.#context
    const ended = database.transaction(() => {
      this.renew({ id, validUntil: now() })
      const keys = database
        .prepare<unknown[], string>("SELECT 'key:' || id FROM api_keys WHERE identity = ?")
        .pluck()
        .all(id)
      return [...this.#deleteSessions({ id, account }), ...keys]
    })()

    // After this point the sessions are gone from the disk.
    endings.report(ended)
  }

  /**
   * Removes an identity of an account, and ends the sessions that it opened and the keys made in them.
   * Returns false if the account has no such identity.
   */
  unlink({ id: account, name }: Account, id: number, author: Author): boolean {
    const { database, audit, endings } = this.#context
    const ended = database.transaction(() => {
      const issuer = database
        .prepare<unknown[], string>('DELETE FROM identities WHERE id = ? AND account = ? RETURNING issuer')
        .pluck()
        .get(id, account)
      if (issuer === undefined) return undefined
      audit.write('identity_unlinked', { name, ...author, detail: issuer })
      const sessions = this.#deleteSessions({ id, account })
      const keys = database
        .prepare<unknown[], string>("DELETE FROM api_keys WHERE identity = ? RETURNING 'key:' || id")
        .pluck()
        .all(id)
      return [...sessions, ...keys]
    })()

    // After this point the sessions and keys are gone from the disk.
    if (ended !== undefined) endings.report(ended)
    return ended !== undefined
  }

  /** Deletes the sessions of an identity, as part of the caller's transaction; returns their credentials. */
  #deleteSessions({ id, account }: ProviderIdentity): string[] {
    return this.#context.database
      .prepare<unknown[], string>(
        "DELETE FROM sessions WHERE account = ? AND identity = ? RETURNING 'session:' || id",
      )
      .pluck()
      .all(account, id)
  }
}
