import { foldedName, plainName } from '../../core/plain-name.js'
import type { Role } from '../scopes.js'
import { digestOf, newSecret } from '../secrets.js'
import type { AccessContext, Author, UsersLike } from './access-context.js'
import { nameFault, reservedFault } from './account-name.js'

export interface NewInvitation {
  readonly role: Role
  /** A name reserved for the invited person, perhaps that of a user who exists. */
  readonly name?: string | undefined
  readonly expiresAt?: number | undefined
}

/** An open invitation. */
export interface Invitation {
  readonly id: number
  readonly role: Role
  readonly name: string | undefined
  readonly madeBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

interface InvitationRow {
  readonly id: number
  readonly role: Role
  readonly name: string | null
  readonly made_by: string
  readonly created_at: number
  readonly expires_at: number
}

const COLUMNS = 'id, role, name, made_by, created_at, expires_at'
const DAY_MS = 24 * 60 * 60_000
const LIFE_MS = 7 * DAY_MS
const LIFE_MAX_MS = 90 * DAY_MS
const INVITATIONS_MAX = 1000

/** Invitations to sign up. Each is accepted once. */
export class Invitations {
  readonly #context: AccessContext
  readonly #usersLike: UsersLike

  constructor(context: AccessContext, usersLike: UsersLike) {
    this.#context = context
    this.#usersLike = usersLike
  }

  /** Makes an invitation. Its token is in the answer only. */
  make(
    { role, name, expiresAt }: NewInvitation,
    author: Author,
  ):
    | (Invitation & { readonly token: string })
    | { readonly fault: string }
    | 'name_taken'
    | 'invitations_full' {
    const { database, now, audit, issuer } = this.#context
    const until = expiresAt ?? now() + LIFE_MS
    if (until <= now() || until > now() + LIFE_MAX_MS) {
      return { fault: 'expires_at: Expected a time within the next 90 days' }
    }
    const reserved = name === undefined ? undefined : this.#reservable(name)
    if (typeof reserved === 'object') return reserved
    this.#sweep()
    const folded = reserved === undefined ? null : foldedName(reserved)
    if (folded !== null && this.#isTaken(folded)) return 'name_taken'
    if (this.list().length >= INVITATIONS_MAX) return 'invitations_full'

    const text = newSecret('ri_')
    const id = database.transaction(() => {
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO invitations (hash, role, name, folded, made_by, created_at, expires_at, issuer)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          ...[digestOf(text), role, reserved ?? null, folded, author.by, now(), until],
          author.isOperator ? issuer : null,
        )
      audit.write('invited', {
        name: reserved ?? '',
        ...author,
        detail: `invitation ${lastInsertRowid}, ${role}`,
      })
      return Number(lastInsertRowid)
    })()
    const times = { createdAt: now(), expiresAt: until }
    return { id, role, name: reserved, madeBy: author.by, ...times, token: text }
  }

  /** Returns the invitation of a token; undefined if it is unknown, accepted, withdrawn or expired. */
  find(token: string): Invitation | undefined {
    const { database, now } = this.#context
    const row = database
      .prepare<unknown[], InvitationRow>(
        `SELECT ${COLUMNS} FROM invitations WHERE hash = ? AND expires_at > ?`,
      )
      .get(digestOf(token), now())
    return row && invitationOf(row)
  }

  /** Uses an invitation up, as part of the caller's transaction. */
  accept({ id }: Invitation): void {
    this.#context.database.prepare('DELETE FROM invitations WHERE id = ?').run(id)
  }

  /** Returns the open invitations, the newest first. */
  list(): Invitation[] {
    const { database, now } = this.#context
    return database
      .prepare<unknown[], InvitationRow>(
        `SELECT ${COLUMNS} FROM invitations WHERE expires_at > ? ORDER BY id DESC`,
      )
      .all(now())
      .map(invitationOf)
  }

  /** Withdraws an invitation. Returns false if it is not open. */
  withdraw(id: number, author: Author): boolean {
    const { database, audit } = this.#context
    return database.transaction(() => {
      const { changes } = database.prepare('DELETE FROM invitations WHERE id = ?').run(id)
      if (changes === 1)
        audit.write('invitation_removed', { name: '', ...author, detail: `invitation ${id}` })
      return changes === 1
    })()
  }

  /**
   * Returns the name to reserve: a new one in its folded form, or that of an existing user as it is stored,
   * since only under that is there money.
   */
  #reservable(name: string): string | { readonly fault: string } {
    const folded = foldedName(name)
    const users = this.#usersLike(folded)
    const fault = users.length === 0 ? nameFault(folded) : reservedFault(folded)
    if (fault !== undefined) return { fault: `name: ${fault}` }
    const exact = [name, plainName(name)].find(spelling => users.includes(spelling))
    if (exact === undefined && users.length > 1) {
      return { fault: `name: Expected one of ${users.join(', ')}, exactly as written` }
    }
    return exact ?? users[0] ?? folded
  }

  #isTaken(folded: string): boolean {
    const { database } = this.#context
    return (
      database
        .prepare(
          'SELECT 1 FROM accounts WHERE folded = ? UNION ALL SELECT 1 FROM invitations WHERE folded = ?',
        )
        .get(folded, folded) !== undefined
    )
  }

  #sweep(): void {
    const { database, now } = this.#context
    database.prepare('DELETE FROM invitations WHERE expires_at <= ?').run(now())
  }
}

function invitationOf({ id, role, name, made_by, created_at, expires_at }: InvitationRow): Invitation {
  return { id, role, name: name ?? undefined, madeBy: made_by, createdAt: created_at, expiresAt: expires_at }
}
