import { digestOf, newSecret } from '../secrets.js'
import type { AccessContext, Author, Client } from './access-context.js'
import { OPERATOR } from './access-context.js'
import type { Account } from './accounts.js'

/** A session just opened. Its token is sent once and never stored. */
export interface OpenedSession {
  readonly id: number
  readonly token: string
  readonly expiresAt: number
}

/** A session as its owner sees it. */
export interface ListedSession {
  readonly id: number
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly address: string
  readonly browser: string
}

/** The owner of a session: an account, or the operator who has no account. */
export type SessionOwner = Account | 'operator'

const DAY_MS = 24 * 60 * 60_000
/** How long a session lives without use, and in all. */
const LIVES = {
  account: { idleMs: 7 * DAY_MS, totalMs: 30 * DAY_MS },
  operator: { idleMs: DAY_MS / 2, totalMs: DAY_MS },
}
const SESSIONS_MAX = 20
const BROWSER_LENGTH_MAX = 200

/** Returns when a session ends, used or not, and how long it lives unused. */
export function lifeOf(
  isOperator: boolean,
  createdAt: number,
): { readonly endsAt: number; readonly idleMs: number } {
  const { idleMs, totalMs } = isOperator ? LIVES.operator : LIVES.account
  return { endsAt: createdAt + totalMs, idleMs }
}

/** The sessions of accounts, and of operators who signed in with their key or a code. */
export class Sessions {
  readonly #context: AccessContext
  readonly #issuer: string

  /** @param issuer the hash of the operator's key; sessions that another key opened end here */
  constructor(context: AccessContext, issuer: string) {
    this.#context = context
    this.#issuer = issuer
    context.database.prepare('DELETE FROM sessions WHERE issuer <> ?').run(issuer)
    this.sweep()
  }

  /** Opens a session of an account. Where it has too many, the oldest ends. */
  open(account: Account, client: Client): OpenedSession {
    return this.#open(account, client)
  }

  /** Opens a session of the operator. */
  openOperator(client: Client, detail: string): OpenedSession {
    const { database, audit } = this.#context
    const { address } = client
    return database.transaction(() => {
      audit.write('operator_session', { name: '', by: OPERATOR, address, detail })
      return this.#open('operator', client)
    })()
  }

  /** Returns the sessions of an owner, the newest first. */
  list(owner: SessionOwner): ListedSession[] {
    const { database, now } = this.#context
    const isOperator = owner === 'operator'
    return database
      .prepare<unknown[], ListedSession>(
        `SELECT id, created_at AS createdAt, last_used_at AS lastUsedAt, address, browser
         FROM sessions WHERE account IS ? ORDER BY id DESC`,
      )
      .all(isOperator ? null : owner.id)
      .filter(({ createdAt, lastUsedAt }) => {
        const { endsAt, idleMs } = lifeOf(isOperator, createdAt)
        return now() < Math.min(endsAt, lastUsedAt + idleMs)
      })
  }

  /** Ends one session of an owner. Returns false if the owner has no such session. */
  end(owner: SessionOwner, id: number, kind: 'sign_out' | 'session_ended', author: Author): boolean {
    const { database, audit, endings } = this.#context
    const isOperator = owner === 'operator'
    const isEnded = database.transaction(() => {
      const { changes } = database
        .prepare('DELETE FROM sessions WHERE id = ? AND account IS ?')
        .run(id, isOperator ? null : owner.id)
      const name = isOperator ? '' : owner.name
      if (changes === 1) audit.write(kind, { name, ...author, detail: `session ${id}` })
      return changes === 1
    })()

    // After this point the session is gone from the disk.
    if (isEnded) endings.report([`session:${id}`])
    return isEnded
  }

  /**
   * Deletes the sessions of an account but one, as part of the caller's transaction. Returns their
   * credentials, to be reported once it is committed.
   */
  deleteOthers({ id: account }: Account, kept: number | undefined): string[] {
    return this.#context.database
      .prepare<unknown[], string>(
        "DELETE FROM sessions WHERE account = ? AND id <> ? RETURNING 'session:' || id",
      )
      .pluck()
      .all(account, kept ?? -1)
  }

  /** Deletes sessions that nobody has used for so long that they have ended. */
  sweep(): void {
    const { database, now, endings } = this.#context
    const ended = database
      .prepare<unknown[], number>('DELETE FROM sessions WHERE last_used_at <= ? RETURNING id')
      .pluck()
      .all(now() - LIVES.account.idleMs)
    endings.report(ended.map(id => `session:${id}`))
  }

  #open(owner: SessionOwner, { address, browser }: Client): OpenedSession {
    const { database, now, endings } = this.#context
    const isOperator = owner === 'operator'
    const account = isOperator ? null : owner.id
    const text = newSecret('rs_')
    const at = now()
    const { id, ended } = database.transaction(() => {
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO sessions (hash, account, issuer, created_at, last_used_at, address, browser)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          digestOf(text),
          account,
          isOperator ? this.#issuer : null,
          at,
          at,
          address,
          browser.slice(0, BROWSER_LENGTH_MAX),
        )
      const ended = database
        .prepare<unknown[], string>(
          `DELETE FROM sessions WHERE id IN
             (SELECT id FROM sessions WHERE account IS ? ORDER BY id DESC LIMIT -1 OFFSET ${SESSIONS_MAX})
           RETURNING 'session:' || id`,
        )
        .pluck()
        .all(account)
      return { id: Number(lastInsertRowid), ended }
    })()

    // Within a caller's transaction that fails, these sessions stay: then their sockets merely connect anew.
    endings.report(ended)
    return { id, token: text, expiresAt: lifeOf(isOperator, at).endsAt }
  }
}
