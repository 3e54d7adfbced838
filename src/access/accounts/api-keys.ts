import type { Scope } from '../scopes.js'
import { SCOPES_OF } from '../scopes.js'
import { assert } from '../../core/assert.js'
import { digestOf, newSecret } from '../secrets.js'
import type { AccessContext, Author } from './access-context.js'
import type { Account } from './accounts.js'
import { AddressList } from './address-list.js'
import { KEY_EXPIRES_AT } from './identities.js'
import type { Sessions } from './sessions.js'

export interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Addresses and networks from which the key may be used; everywhere if undefined. */
  readonly addresses?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
}

/** An API key as its owner sees it. */
export interface ListedKey {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly addresses: readonly string[] | undefined
  readonly expiresAt: number | undefined
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
  readonly lastAddress: string | undefined
}

/** A key that opens an account. */
export interface WorkingKey extends ListedKey {
  /** The account that it opens. */
  readonly user: string
}

/** A key just made. Its token is shown once and never stored. */
export interface MadeKey extends ListedKey {
  readonly token: string
}

interface KeyRow {
  readonly id: number
  readonly name: string
  readonly scopes: string
  readonly addresses: string | null
  readonly expires_at: number | null
  readonly created_at: number
  readonly last_used_at: number | null
  readonly last_address: string | null
}

const KEYS_MAX = 25
const ADDRESSES_MAX = 20
/** The most keys that an account made for others in one list. */
const MADE_KEYS_SHOWN_MAX = 100
const COLUMNS = `id, name, scopes, addresses, ${KEY_EXPIRES_AT} AS expires_at, created_at, last_used_at,
  last_address`

/** The API keys of accounts, for programs. */
export class ApiKeys {
  readonly #context: AccessContext
  readonly #sessions: Sessions

  constructor(context: AccessContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
  }

  /**
   * Makes a key. It never has a scope that its account's role lacks, now or later. One that an admin's
   * account makes for another ends when that admin's rights do. One made in a session of an OpenID provider
   * lasts as long as the sign-in there.
   */
  make(
    account: Account,
    draft: NewKey,
    author: Author,
  ): MadeKey | { readonly fault: string } | 'scope_missing' | 'keys_full' {
    const { database, now, audit } = this.#context
    const { name, addresses, expiresAt } = draft
    const scopes = [...new Set(draft.scopes)]
    if (scopes.length === 0) return { fault: 'scopes: Expected one at least' }
    if (addresses !== undefined && (addresses.length === 0 || addresses.length > ADDRESSES_MAX)) {
      return { fault: `addresses: Expected 1 to ${ADDRESSES_MAX}` }
    }
    if (addresses !== undefined && AddressList.of(addresses) === undefined) {
      return { fault: 'addresses: Expected addresses and networks, such as 203.0.113.7 or 2001:db8::/48' }
    }
    if (expiresAt !== undefined && expiresAt <= now()) return { fault: 'expires_at: Expected a later time' }
    if (!scopes.every(scope => SCOPES_OF[account.role].has(scope))) return 'scope_missing'
    if (this.#rowsOf(account).length >= KEYS_MAX) return 'keys_full'

    const identity = author.session === undefined ? null : this.#sessions.identityOf(author.session)
    const text = newSecret('rk_')
    const id = database.transaction(() => {
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO api_keys
             (hash, account, name, scopes, addresses, expires_at, created_at, made_by, identity)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          digestOf(text),
          account.id,
          name,
          scopes.join(),
          addresses?.join() ?? null,
          expiresAt ?? null,
          now(),
          author.isOperator || author.by === account.name ? null : author.by,
          identity,
        )
      const detail = `key ${lastInsertRowid} "${name}": ${scopes.join(', ')}`
      audit.write('key_made', { name: account.name, ...author, detail })
      return Number(lastInsertRowid)
    })()
    const made = this.list(account).find(key => key.id === id)
    assert(made !== undefined, 'the key was made')
    return { ...made, token: text }
  }

  /** Returns the keys of an account, the newest first. */
  list(account: Account): ListedKey[] {
    return this.#rowsOf(account).map(keyOf)
  }

  /** Returns the keys of an account, then those that it made for others, each the newest first. */
  madeBy(account: Account): WorkingKey[] {
    const made = this.#context.database
      .prepare<unknown[], KeyRow & { readonly user: string }>(
        `SELECT ${COLUMNS}, (SELECT accounts.name FROM accounts WHERE accounts.id = account) AS user
         FROM api_keys WHERE made_by = ? ORDER BY id DESC LIMIT ${MADE_KEYS_SHOWN_MAX}`,
      )
      .all(account.name)
    const own = this.list(account).map(key => ({ ...key, user: account.name }))
    return [...own, ...made.map(row => ({ ...keyOf(row), user: row.user }))]
  }

  /**
   * Deletes the keys of an account and those that it made for others, as part of the caller's transaction.
   * Returns them as credentials, to be reported once it is committed.
   */
  deleteMadeBy({ id, name }: Account): string[] {
    const deleted = (where: string, value: unknown) =>
      this.#context.database
        .prepare<unknown[], string>(`DELETE FROM api_keys WHERE ${where} = ? RETURNING 'key:' || id`)
        .pluck()
        .all(value)
    return [...deleted('account', id), ...deleted('made_by', name)]
  }

  /** Revokes a key. Returns false if the account has no such key. */
  revoke(account: Account, id: number, author: Author): boolean {
    const { database, audit, endings } = this.#context
    const isRevoked = database.transaction(() => {
      const name = database
        .prepare<unknown[], string>('DELETE FROM api_keys WHERE id = ? AND account = ? RETURNING name')
        .pluck()
        .get(id, account.id)
      if (name === undefined) return false
      audit.write('key_revoked', { name: account.name, ...author, detail: `key ${id} "${name}"` })
      return true
    })()

    // After this point the key is gone from the disk.
    if (isRevoked) endings.report([`key:${id}`])
    return isRevoked
  }

  #rowsOf({ id }: Account): KeyRow[] {
    return this.#context.database
      .prepare<unknown[], KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE account = ? ORDER BY id DESC`)
      .all(id)
  }
}

function keyOf(row: KeyRow): ListedKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(',') as Scope[],
    addresses: row.addresses?.split(','),
    expiresAt: row.expires_at ?? undefined,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    lastAddress: row.last_address ?? undefined,
  }
}
