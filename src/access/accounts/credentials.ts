import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { CompanionWriter } from '../../store/companions/companion.js'
import type { Statement } from '../../store/database.js'
import type { Identity } from '../identity.js'
import { RecentMap } from '../recent-map.js'
import type { Role, Scope } from '../scopes.js'
import { SCOPES_OF } from '../scopes.js'
import { digestOf } from '../secrets.js'
import type { AccessContext } from './access-context.js'
import { AddressList } from './address-list.js'
import { KEY_EXPIRES_AT } from './identities.js'
import { lifeOf } from './sessions.js'

/** When and from where a credential was last used. */
export interface LastUse {
  readonly at: number
  readonly address: string
}

/** A credential as it is kept in memory. */
interface Known {
  readonly identity: Identity
  readonly credential: string
  readonly isSession: boolean
  readonly addresses: AddressList | undefined
  /** Unused for longer, it ends. */
  readonly idleMs: number
  /** The session whose link opened this one, which ends with it. */
  readonly opener: number | null
  usedAt: number
}

interface SessionRow {
  readonly id: number
  readonly opener: number | null
  readonly ends_at: number | null
  readonly created_at: number
  readonly last_used_at: number
  readonly name: string | null
  readonly role: Role | null
}

interface KeyRow {
  readonly id: number
  readonly scopes: string
  readonly addresses: string | null
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly name: string
  readonly role: Role
  readonly disabled: 0 | 1
}

const KNOWN_MAX = 20_000
/** The last use is noted once in this time. */
const USE_STEP_MS = 60_000
const USES_MAX = 10_000
const NOWHERE = new AddressList()

/**
 * Finds sessions and API keys by their tokens. Those used lately are kept in memory; the first report of a
 * change to one of them clears it, so nothing that has ended is ever found.
 */
export class Credentials {
  readonly #database: CompanionWriter
  readonly #now: () => number
  readonly #hasAccounts: boolean
  readonly #session: Statement<SessionRow>
  readonly #sessionById: Statement<SessionRow>
  readonly #key: Statement<KeyRow>
  readonly #known = new RecentMap<Known>(KNOWN_MAX)
  /** Last uses that are not on disk yet, by credential. */
  readonly #uses = new Map<string, LastUse>()
  /** True from a failure to write last uses until they have been written. */
  #hasFailed = false

  /** @param hasAccounts false where sessions and keys of accounts lie idle, and only operators' count */
  constructor({ database, now, endings }: AccessContext, hasAccounts: boolean) {
    this.#database = database
    this.#now = now
    this.#hasAccounts = hasAccounts
    const sessions = `SELECT sessions.id, opener, ends_at, sessions.created_at, last_used_at, name, role
       FROM sessions LEFT JOIN accounts ON accounts.id = account WHERE disabled IS NOT 1`
    this.#session = database.prepare(`${sessions} AND hash = ?`)
    this.#sessionById = database.prepare(`${sessions} AND sessions.id = ?`)
    this.#key = database.prepare(
      `SELECT api_keys.id, scopes, addresses, ${KEY_EXPIRES_AT} AS expires_at, last_used_at, accounts.name,
         role, disabled
       FROM api_keys JOIN accounts ON accounts.id = account WHERE hash = ?`,
    )
    endings.onEnded(() => this.#known.clear())
  }

  /** Reads all from the file again. */
  forget(): void {
    this.#known.clear()
  }

  /**
   * Returns whose session or key a token is; undefined if it is unknown, or the session has ended. Throws 401
   * for an expired key, 403 for a key of a disabled account or from another address than its own.
   */
  find(token: string, address: string): Identity | undefined {
    const hash = digestOf(token)
    const now = this.#now()
    const known = this.#known.get(hash) ?? this.#read(token, hash)
    if (known === undefined) return undefined
    const { identity, addresses } = known
    if (now >= (identity.expiresAt ?? Number.POSITIVE_INFINITY)) {
      if (known.isSession) return undefined
      throw new ApiError(401, 'The API key has expired', 'token_expired')
    }
    if (now >= known.usedAt + known.idleMs || !this.#isOpenersAlive(known)) return undefined
    if (addresses !== undefined && !addresses.has(address)) {
      throw new ApiError(403, `The API key cannot be used from ${address}`, 'address_refused')
    }
    if (now - known.usedAt >= USE_STEP_MS) this.#note(known, { at: now, address })
    return identity
  }

  /** Returns whose session this is; undefined if it has ended. It does not count as a use. */
  findSession(id: number): Identity | undefined {
    const row = this.#sessionById.get(id)
    const known = row && this.#knownSession(row)
    if (known === undefined) return undefined
    const endsAt = Math.min(known.identity.expiresAt ?? Number.POSITIVE_INFINITY, known.usedAt + known.idleMs)
    return this.#now() < endsAt && this.#isOpenersAlive(known) ? known.identity : undefined
  }

  #isOpenersAlive({ opener }: Known): boolean {
    return opener === null || this.findSession(opener) !== undefined
  }

  /** Returns the last use of a credential that is not on disk yet. */
  unwrittenUse(credential: string): LastUse | undefined {
    return this.#uses.get(credential)
  }

  /** Writes the last uses that are not on disk yet. */
  flush(): void {
    if (this.#uses.size === 0) return
    const session = this.#database.prepare('UPDATE sessions SET last_used_at = ? WHERE id = ?')
    const key = this.#database.prepare('UPDATE api_keys SET last_used_at = ?, last_address = ? WHERE id = ?')
    this.#database.transaction(() => {
      for (const [credential, { at, address }] of this.#uses) {
        const [kind, id] = credential.split(':')
        if (kind === 'session') session.run(at, id)
        else key.run(at, address, id)
      }
    })()
    this.#uses.clear()
    this.#hasFailed = false
  }

  #note(known: Known, use: LastUse): void {
    known.usedAt = use.at
    this.#uses.set(known.credential, use)
    if (this.#uses.size >= USES_MAX) this.#makeRoom()
  }

  /** Writes the last uses. If that fails, the oldest is forgotten: the credential counts all the same. */
  #makeRoom(): void {
    try {
      // After a failure the next flush tries again: not each use may cost an attempt.
      if (!this.#hasFailed) this.flush()
    } catch {
      this.#hasFailed = true
    }
    if (this.#hasFailed) {
      const [oldest] = this.#uses.keys()
      if (oldest !== undefined) this.#uses.delete(oldest)
    }
  }

  #read(token: string, hash: string): Known | undefined {
    const known = token.startsWith('rk_') ? this.#readKey(hash) : this.#readSession(hash)
    if (known !== undefined) this.#known.set(hash, known)
    return known
  }

  #readSession(hash: string): Known | undefined {
    const row = this.#session.get(hash)
    return row && this.#knownSession(row)
  }

  #knownSession(row: SessionRow): Known | undefined {
    const { id, opener, ends_at, created_at, last_used_at, name, role } = row
    const isOperator = name === null
    if (!isOperator && !this.#hasAccounts) return undefined
    const { endsAt, idleMs } = lifeOf(isOperator, created_at, ends_at)
    const credential = `session:${id}`
    const ownRole = role ?? 'admin'
    const identity: Identity = {
      kind: isOperator ? 'operator_session' : 'session',
      userId: name ?? undefined,
      role: ownRole,
      scopes: SCOPES_OF[ownRole],
      credential,
      expiresAt: endsAt,
    }
    const usedAt = this.#uses.get(credential)?.at ?? last_used_at
    return { identity, credential, isSession: true, addresses: undefined, idleMs, opener, usedAt }
  }

  #readKey(hash: string): Known | undefined {
    const row = this.#hasAccounts ? this.#key.get(hash) : undefined
    if (row === undefined) return undefined
    const { id, scopes, addresses, expires_at, last_used_at, name, role, disabled } = row
    if (disabled === 1) throw new ApiError(403, REFUSED.keyDisabled, 'account_disabled')
    const credential = `key:${id}`
    const identity: Identity = {
      kind: 'api_key',
      userId: name,
      role,
      scopes: new Set((scopes.split(',') as Scope[]).filter(scope => SCOPES_OF[role].has(scope))),
      credential,
      expiresAt: expires_at ?? undefined,
    }
    return {
      identity,
      credential,
      isSession: false,
      addresses: addresses === null ? undefined : (AddressList.of(addresses.split(',')) ?? NOWHERE),
      idleMs: Number.POSITIVE_INFINITY,
      opener: null,
      usedAt: this.#uses.get(credential)?.at ?? last_used_at ?? 0,
    }
  }
}
