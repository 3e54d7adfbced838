import { foldedName } from '../../core/plain-name.js'
import type { Statement } from '../../store/database.js'
import type { Role } from '../scopes.js'
import type { AccessContext, Author, UsersLike } from './access-context.js'
import { claimFault, nameFault } from './account-name.js'
import { withdrawMadeBy } from './made-credentials.js'

/** An account. Its name is its user id on the exchange. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly isDisabled: boolean
  readonly createdAt: number
  readonly lastSignInAt: number | undefined
}

/** An account with the number of its credentials. */
export interface ListedAccount extends Account {
  readonly sessions: number
  readonly keys: number
  readonly passkeys: number
}

export interface NewAccount {
  /** As written; stored as folded, unless it is reserved. */
  readonly name: string
  /** The name that an invitation reserves, exactly; it may be a user id that exists. */
  readonly reserved?: string | undefined
  /** The hash of the password. */
  readonly password: string | undefined
  readonly role: Role
}

/** Selects accounts by name after one; a field left out selects all. */
interface AccountFilter extends Partial<Record<'q' | 'after', string | undefined>> {
  readonly role?: Role | undefined
  readonly state?: 'enabled' | 'disabled' | undefined
  readonly limit: number
}

interface AccountRow {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly disabled: 0 | 1
  readonly created_at: number
  readonly last_sign_in_at: number | null
}

interface ListedRow extends AccountRow {
  readonly sessions: number
  readonly keys: number
  readonly passkeys: number
}

const COLUMNS = 'id, name, role, disabled, created_at, last_sign_in_at'
const HANDLE_BYTES = 32
const ACCOUNTS_MAX = 1_000_000
/** Accounts read for one page of a search; its cursor goes on from there. */
const SCANNED_MAX = 10_000

/** The accounts: their names, roles and passwords. */
export class Accounts {
  readonly #context: AccessContext
  readonly #usersLike: UsersLike
  readonly #byId: Statement<AccountRow>
  readonly #byFolded: Statement<AccountRow>
  readonly #page: Statement<ListedRow>
  readonly #listed: Statement<ListedRow>
  readonly #credentials: Statement<string>
  readonly #enabledAdmins: Statement<number>

  constructor(context: AccessContext, usersLike: UsersLike) {
    const { database } = context
    this.#context = context
    this.#usersLike = usersLike
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`)
    this.#byFolded = database.prepare(`SELECT ${COLUMNS} FROM accounts WHERE folded = ?`)
    const listed = `SELECT ${COLUMNS},
         (SELECT count(*) FROM sessions WHERE account = accounts.id) AS sessions,
         (SELECT count(*) FROM api_keys WHERE account = accounts.id) AS keys,
         (SELECT count(*) FROM passkeys WHERE account = accounts.id) AS passkeys
       FROM accounts`
    this.#page = database.prepare(`${listed} WHERE name > ? ORDER BY name LIMIT ${SCANNED_MAX}`)
    this.#listed = database.prepare(`${listed} WHERE id = ?`)
    this.#credentials = database
      .prepare<unknown[], string>(
        `SELECT 'session:' || id FROM sessions WHERE account = ?
         UNION ALL SELECT 'key:' || id FROM api_keys WHERE account = ?`,
      )
      .pluck()
    this.#enabledAdmins = database
      .prepare<unknown[], number>("SELECT count(*) FROM accounts WHERE role = 'admin' AND disabled = 0")
      .pluck()
  }

  /** Returns an account by its name, in any spelling that folds to it. */
  named(written: string): Account | undefined {
    const row = this.#byFolded.get(foldedName(written))
    return row && accountOf(row)
  }

  withId(id: number): Account | undefined {
    const row = this.#byId.get(id)
    return row && accountOf(row)
  }

  /** True until there is an admin who could sign in. */
  get needsAdmin(): boolean {
    return this.#enabledAdmins.get() === 0
  }

  /**
   * Returns why an account of this name cannot be created; undefined if it can.
   * @param reserved the name that an invitation reserves for its holder
   */
  refusalOf(
    name: string,
    reserved?: string,
  ): { readonly fault: string } | 'name_taken' | 'users_full' | undefined {
    const folded = foldedName(name)
    const fault = reserved === undefined ? nameFault(folded) : claimFault(folded, reserved)
    if (fault !== undefined) return { fault }
    const isTaken = () => this.#usersLike(folded).length > 0 || this.#isInvited(folded)
    if (reserved === undefined && isTaken()) return 'name_taken'
    if (this.#byFolded.get(folded) !== undefined) return 'name_taken'
    return this.#count() >= ACCOUNTS_MAX ? 'users_full' : undefined
  }

  /** Creates an account that `refusalOf` does not refuse. Part of the caller's transaction. */
  insert({ name, reserved, password, role }: NewAccount): Account {
    const { database, now, random } = this.#context
    const folded = foldedName(name)
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO accounts (name, folded, handle, password, role, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(reserved ?? folded, folded, random(HANDLE_BYTES), password ?? null, role, now())
    return this.#read(Number(lastInsertRowid))
  }

  /** Creates an account on an admin's behalf. */
  create(
    draft: NewAccount,
    author: Author,
  ): Account | { readonly fault: string } | 'name_taken' | 'users_full' {
    const refusal = this.refusalOf(draft.name)
    if (refusal !== undefined) return refusal
    return this.#context.database.transaction(() => {
      const account = this.insert({ ...draft, reserved: undefined })
      this.#context.audit.write('account_made', { name: account.name, ...author, detail: account.role })
      return account
    })()
  }

  /** Returns an account with the number of its credentials. */
  listed({ id }: Account): ListedAccount {
    const row = this.#listed.get(id)
    if (row === undefined) throw new Error(`account ${id} is gone`)
    return listedOf(row)
  }

  /** Returns a page of accounts by name, and the name after which the next page begins. */
  list({ q, role, state, limit, after }: AccountFilter): {
    readonly accounts: ListedAccount[]
    readonly next: string | undefined
  } {
    const words = q === undefined ? '' : foldedName(q)
    const accounts: ListedAccount[] = []
    let scanned = 0
    for (const row of this.#page.iterate(after ?? '')) {
      scanned++
      const isOfState = state === undefined || (row.disabled === 1) === (state === 'disabled')
      const isWanted = isOfState && (role === undefined || row.role === role)
      if (isWanted && foldedName(row.name).includes(words)) accounts.push(listedOf(row))
      if (accounts.length === limit || scanned === SCANNED_MAX) return { accounts, next: row.name }
    }
    return { accounts, next: undefined }
  }

  /** Changes a role. What its credentials may do changes with it, so their sockets close. */
  setRole({ id }: Account, role: Role, author: Author): Account | 'last_admin' {
    const account = this.#read(id)
    if (role === account.role) return account
    if (role !== 'admin' && this.isLastAdmin(account)) return 'last_admin'
    const detail = `${account.role} → ${role}`
    return this.#change(account, 'role_changed', { ...author, detail }, () => {
      this.#context.database.prepare('UPDATE accounts SET role = ? WHERE id = ?').run(role, account.id)
      return role === 'admin' ? [] : withdrawMadeBy(this.#context.database, account.name)
    })
  }

  /** Disables an account: its sessions and recovery link end, its keys open nothing until it is enabled. */
  disable({ id }: Account, author: Author): Account | 'last_admin' {
    const account = this.#read(id)
    if (account.isDisabled) return account
    if (this.isLastAdmin(account)) return 'last_admin'
    const { database } = this.#context
    return this.#change(account, 'disabled', { ...author, detail: '' }, () => {
      database.prepare('UPDATE accounts SET disabled = 1 WHERE id = ?').run(account.id)
      database.prepare('DELETE FROM sessions WHERE account = ?').run(account.id)
      database.prepare('DELETE FROM recovery_links WHERE account = ?').run(account.id)
      return withdrawMadeBy(database, account.name)
    })
  }

  enable({ id }: Account, author: Author): Account {
    const account = this.#read(id)
    if (!account.isDisabled) return account
    return this.#change(account, 'enabled', { ...author, detail: '' }, () => {
      this.#context.database.prepare('UPDATE accounts SET disabled = 0 WHERE id = ?').run(account.id)
      return []
    })
  }

  /** Returns true for the only admin who can sign in. */
  isLastAdmin({ role, isDisabled }: Account): boolean {
    return role === 'admin' && !isDisabled && this.#enabledAdmins.get() === 1
  }

  passwordOf({ id }: Account): string | undefined {
    const password = this.#context.database
      .prepare<unknown[], string | null>('SELECT password FROM accounts WHERE id = ?')
      .pluck()
      .get(id)
    return password ?? undefined
  }

  /** Stores the hash of a password. Part of the caller's transaction. */
  setPassword({ id }: Account, password: string): void {
    this.#context.database.prepare('UPDATE accounts SET password = ? WHERE id = ?').run(password, id)
  }

  /** Notes when an account signed in. Part of the caller's transaction. */
  noteSignIn({ id }: Account): void {
    const { database, now } = this.#context
    database.prepare('UPDATE accounts SET last_sign_in_at = ? WHERE id = ?').run(now(), id)
  }

  /**
   * Changes an account, its line in the audit log included, then reports as changed its credentials and
   * those that `write` returns.
   */
  #change(
    account: Account,
    kind: 'role_changed' | 'disabled' | 'enabled',
    line: Author & { readonly detail: string },
    write: () => string[],
  ): Account {
    const { database, audit, endings } = this.#context
    const credentials = this.#credentials.all(account.id, account.id)
    const withdrawn = database.transaction(() => {
      audit.write(kind, { name: account.name, ...line })
      return write()
    })()

    // After this point the change is on disk.
    endings.report([...credentials, ...withdrawn])
    return this.#read(account.id)
  }

  #isInvited(folded: string): boolean {
    const { database, now } = this.#context
    return (
      database.prepare('SELECT 1 FROM invitations WHERE folded = ? AND expires_at > ?').get(folded, now()) !==
      undefined
    )
  }

  /** Returns how many accounts there are: none is ever deleted, so the last id counts them. */
  #count(): number {
    const { database } = this.#context
    return database.prepare<unknown[], number | null>('SELECT max(id) FROM accounts').pluck().get() ?? 0
  }

  #read(id: number): Account {
    const account = this.withId(id)
    if (account === undefined) throw new Error(`account ${id} is gone`)
    return account
  }
}

function listedOf(row: ListedRow): ListedAccount {
  const { sessions, keys, passkeys } = row
  return { ...accountOf(row), sessions, keys, passkeys }
}

function accountOf({ id, name, role, disabled, created_at, last_sign_in_at }: AccountRow): Account {
  return {
    id,
    name,
    role,
    isDisabled: disabled === 1,
    createdAt: created_at,
    lastSignInAt: last_sign_in_at ?? undefined,
  }
}
