import { digestOf, newSecret } from '../secrets.js'
import type { AccessContext, Author, Client } from './access-context.js'
import { OPERATOR } from './access-context.js'
import type { Account } from './accounts.js'
import type { SignedInIdentity } from './identities.js'

/** A session just opened. Its token is sent once and never stored. */
export interface OpenedSession {
  readonly id: number
  readonly token: string
  readonly expiresAt: number
}

/** A session as its owner sees it. */
export interface ListedSession {
  readonly id: number
  /** The session whose link opened it. */
  readonly opener: number | undefined
  readonly endsAt: number
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly address: string
  readonly browser: string
}

/** The owner of a session: an account, or the operator who has no account. */
export type SessionOwner = Account | 'operator'

/** The session whose link opens another one, which ends with it and not later. */
export interface SessionOpener {
  readonly id: number
  readonly endsAt: number
}

interface SessionRow {
  readonly id: number
  readonly opener: number | null
  readonly created_at: number
  readonly last_used_at: number
  readonly ends_at: number | null
  readonly address: string
  readonly browser: string
}

const DAY_MS = 24 * 60 * 60_000
/** How long a session lives without use, and in all. */
const LIVES = {
  account: { idleMs: 7 * DAY_MS, totalMs: 30 * DAY_MS },
  operator: { idleMs: DAY_MS / 2, totalMs: DAY_MS },
}
const SESSIONS_MAX = 20
/** Idle sessions deleted at once. */
const SWEPT_MAX = 500
const BROWSER_LENGTH_MAX = 200

/**
 * Returns when a session ends, used or not, and how long it lives unused.
 * @param endsAt the end that its opener sets
 */
export function lifeOf(
  isOperator: boolean,
  createdAt: number,
  endsAt: number | null,
): { readonly endsAt: number; readonly idleMs: number } {
  const { idleMs, totalMs } = isOperator ? LIVES.operator : LIVES.account
  return { endsAt: Math.min(createdAt + totalMs, endsAt ?? Number.POSITIVE_INFINITY), idleMs }
}

/** The sessions of accounts, and of operators who signed in with their key or a code. */
export class Sessions {
  readonly #context: AccessContext

  constructor(context: AccessContext) {
    this.#context = context
  }

  /** Opens a session of an account. Where it has too many, the oldest ends. */
  open(account: Account, client: Client, opener?: SessionOpener, identity?: SignedInIdentity): OpenedSession {
    return this.#open(account, client, opener, identity)
  }

  /** Returns the identity at a provider on which a session depends; null for none. */
  identityOf(id: number): number | null {
    const found = this.#context.database
      .prepare<unknown[], number | null>('SELECT identity FROM sessions WHERE id = ?')
      .pluck()
      .get(id)
    return found ?? null
  }

  /** Opens a session of the operator. */
  openOperator(client: Client, how: string, opener?: SessionOpener): OpenedSession {
    const { database, audit } = this.#context
    const { address } = client
    return database.transaction(() => {
      const session = this.#open('operator', client, opener)
      const by = opener === undefined ? OPERATOR : `operator session ${opener.id}`
      audit.write('operator_session', { name: '', by, address, detail: `${how}, session ${session.id}` })
      return session
    })()
  }

  /** Returns true if a session would end with another one. */
  endsWith(id: number, other: number): boolean {
    const openerOf = this.#context.database
      .prepare<unknown[], number>('SELECT opener FROM sessions WHERE id = ?')
      .pluck()
    for (let at: number | null | undefined = id; at !== null && at !== undefined; at = openerOf.get(at)) {
      if (at === other) return true
    }
    return false
  }

  /** Returns the sessions of an owner, the newest first. */
  list(owner: SessionOwner): ListedSession[] {
    const { database, now } = this.#context
    const isOperator = owner === 'operator'
    return database
      .prepare<unknown[], SessionRow>(
        `SELECT id, opener, created_at, last_used_at, ends_at, address, browser
         FROM sessions WHERE account IS ? ORDER BY id DESC`,
      )
      .all(isOperator ? null : owner.id)
      .flatMap(({ id, opener, created_at, last_used_at, ends_at, address, browser }) => {
        const { endsAt, idleMs } = lifeOf(isOperator, created_at, ends_at)
        if (now() >= Math.min(endsAt, last_used_at + idleMs)) return []
        const times = { createdAt: created_at, lastUsedAt: last_used_at, endsAt }
        return [{ id, opener: opener ?? undefined, ...times, address, browser }]
      })
  }

  /** Ends a session of an owner, and those that its links opened. Returns false if there is none. */
  end(owner: SessionOwner, id: number, kind: 'sign_out' | 'session_ended', author: Author): boolean {
    const { database, audit, endings } = this.#context
    const isOperator = owner === 'operator'
    const ended = database.transaction(() => {
      const { changes } = database
        .prepare('DELETE FROM sessions WHERE id = ? AND account IS ?')
        .run(id, isOperator ? null : owner.id)
      if (changes === 0) return []
      audit.write(kind, { name: isOperator ? '' : owner.name, ...author, detail: `session ${id}` })
      return [`session:${id}`, ...this.#deleteOpened()]
    })()

    // After this point the sessions are gone from the disk.
    endings.report(ended)
    return ended.length > 0
  }

  /**
   * Deletes the sessions of an account but one, as part of the caller's transaction. Returns their
   * credentials, to be reported once it is committed.
   */
  deleteOthers({ id: account }: Account, kept: number | undefined): string[] {
    const { database } = this.#context
    // The one that stays has proved itself, so it no longer depends on its opener.
    database.prepare('UPDATE sessions SET opener = NULL WHERE id = ?').run(kept)
    return database
      .prepare<unknown[], string>(
        "DELETE FROM sessions WHERE account = ? AND id IS NOT ? RETURNING 'session:' || id",
      )
      .pluck()
      .all(account, kept)
  }

  /**
   * Deletes sessions that nobody has used for so long that they have ended, a bounded number: each costs a
   * link of the chain of decisions. Returns true if there may be more.
   */
  sweep(): boolean {
    const { database, now, endings } = this.#context
    const { ended, isMore } = database.transaction(() => {
      const idle = database
        .prepare<unknown[], string>(
          `DELETE FROM sessions WHERE id IN
             (SELECT id FROM sessions WHERE last_used_at <= ? LIMIT ${SWEPT_MAX})
           RETURNING 'session:' || id`,
        )
        .pluck()
        .all(now() - LIVES.account.idleMs)
      const { idleMs, totalMs } = LIVES.operator
      const operators = database
        .prepare<unknown[], string>(
          `DELETE FROM sessions WHERE account IS NULL AND (last_used_at <= ? OR created_at <= ?)
           RETURNING 'session:' || id`,
        )
        .pluck()
        .all(now() - idleMs, now() - totalMs)
      const ended = [...idle, ...operators, ...this.#deleteOpened()]
      return { ended, isMore: idle.length === SWEPT_MAX }
    })()

    // After this point the sessions are gone from the disk.
    endings.report(ended)
    return isMore
  }

  /** Deletes the sessions whose opener has ended, as part of the caller's transaction. */
  #deleteOpened(): string[] {
    const remove = this.#context.database
      .prepare<unknown[], string>(
        `DELETE FROM sessions WHERE opener IS NOT NULL AND
           NOT EXISTS (SELECT 1 FROM sessions AS openers WHERE openers.id = sessions.opener)
         RETURNING 'session:' || id`,
      )
      .pluck()
    const ended: string[] = []
    for (let next = remove.all(); next.length > 0; next = remove.all()) {
      for (const one of next) ended.push(one)
    }
    return ended
  }

  #open(
    owner: SessionOwner,
    { address, browser }: Client,
    opener: SessionOpener | undefined,
    identity?: SignedInIdentity,
  ): OpenedSession {
    const { database, now, endings, issuer } = this.#context
    const isOperator = owner === 'operator'
    const account = isOperator ? null : owner.id
    const text = newSecret('rs_')
    const at = now()
    // What a link opens is as short-lived as an operator's session.
    const openerEnd = opener && Math.min(opener.endsAt, at + LIVES.operator.totalMs)
    const endsAt = openerEnd ?? identity?.validUntil ?? null
    const dependsOn = opener === undefined ? (identity?.id ?? null) : this.identityOf(opener.id)
    const { id, ended } = database.transaction(() => {
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO sessions
             (hash, account, issuer, created_at, last_used_at, address, browser, opener, ends_at, identity)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          ...[digestOf(text), account, isOperator ? issuer : null, at, at],
          ...[address, browser.slice(0, BROWSER_LENGTH_MAX), opener?.id ?? null, endsAt, dependsOn],
        )
      const ended = database
        .prepare<unknown[], string>(
          `DELETE FROM sessions WHERE id IN
             (SELECT id FROM sessions WHERE account IS ? ORDER BY id IS ? DESC, id DESC
              LIMIT -1 OFFSET ${SESSIONS_MAX})
           RETURNING 'session:' || id`,
        )
        .pluck()
        .all(account, opener?.id ?? null)
      return { id: Number(lastInsertRowid), ended: [...ended, ...this.#deleteOpened()] }
    })()

    // Within a caller's transaction that fails, these sessions stay: then their sockets merely connect again.
    endings.report(ended)
    return { id, token: text, expiresAt: lifeOf(isOperator, at, endsAt).endsAt }
  }
}
