import { digestOf, newSecret } from '../secrets.js'
import type { AccessContext, Author } from './access-context.js'
import type { Account } from './accounts.js'

const LIFE_MS = 24 * 60 * 60_000

/** Links with which people who lost their password set a new one. Each works once. */
export class RecoveryLinks {
  readonly #context: AccessContext

  constructor(context: AccessContext) {
    this.#context = context
  }

  /** Makes a link; an earlier one of the account no longer works. */
  make(account: Account, author: Author): { readonly token: string; readonly expiresAt: number } {
    const { database, now, audit, issuer } = this.#context
    const text = newSecret('rr_')
    const expiresAt = now() + LIFE_MS
    database.transaction(() => {
      database
        .prepare(
          `INSERT OR REPLACE INTO recovery_links (account, hash, expires_at, made_by, issuer)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(account.id, digestOf(text), expiresAt, author.by, author.isOperator ? issuer : null)
      audit.write('recovery_link', { name: account.name, ...author, detail: '' })
    })()
    return { token: text, expiresAt }
  }

  /** Returns the id of the account whose link this is; undefined if it is unknown, used or expired. */
  accountOf(token: string): number | undefined {
    const { database, now } = this.#context
    return database
      .prepare<unknown[], number>('SELECT account FROM recovery_links WHERE hash = ? AND expires_at > ?')
      .pluck()
      .get(digestOf(token), now())
  }

  /** Ends the link of an account, as part of the caller's transaction. */
  end({ id }: Account): void {
    this.#context.database.prepare('DELETE FROM recovery_links WHERE account = ?').run(id)
  }
}
