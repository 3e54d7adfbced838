import type { Statement } from '../store/database.js'
import type { SiteContext } from './site-context.js'

/** "position" is the number of a message in its batch. A lost cursor begins where access.db says. */
export const WEBHOOK_TABLES = `
  CREATE TABLE webhook_cursors (
    webhook  TEXT    PRIMARY KEY,
    sequence INTEGER NOT NULL,
    position INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    due_at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE webhook_attempts (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook    TEXT    NOT NULL,
    message    TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    ms         INTEGER NOT NULL,
    status     INTEGER,
    answer     TEXT    NOT NULL
  ) STRICT;
  CREATE INDEX webhook_attempts_of ON webhook_attempts (webhook, id);
`

/** Attempts kept of each endpoint. */
const ATTEMPTS_KEPT = 100

/** How far an endpoint has come. */
export interface WebhookCursor {
  /** The last message that was received: the batch, and its number there. */
  readonly sequence: number
  readonly position: number
  /** Failed attempts of the next message, and the earliest time of the next attempt. */
  readonly failures: number
  readonly dueAt: number
}

/** One attempt to deliver a message. */
export interface WebhookAttempt {
  /** The id of the message. */
  readonly message: string
  readonly kind: string
  readonly at: number
  readonly ms: number
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The beginning of an answer other than 2xx, or why no answer came. */
  readonly answer: string
}

/** How far each webhook has come, and its last attempts: tables, not truth. */
export class WebhookDeliveries {
  readonly #context: SiteContext
  readonly #cursor: Statement<WebhookCursor>
  readonly #put: Statement
  readonly #insert: Statement
  readonly #prune: Statement
  readonly #page: Statement<WebhookAttempt>
  readonly #forget: readonly Statement[]

  constructor(context: SiteContext) {
    const { database } = context
    this.#context = context
    this.#cursor = database.prepare(
      'SELECT sequence, position, failures, due_at AS dueAt FROM webhook_cursors WHERE webhook = ?',
    )
    this.#put = database.prepare('INSERT OR REPLACE INTO webhook_cursors VALUES (?, ?, ?, ?, ?)')
    this.#insert = database.prepare(
      `INSERT INTO webhook_attempts (webhook, message, kind, at, ms, status, answer)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#prune = database.prepare(
      `DELETE FROM webhook_attempts WHERE webhook = ? AND id <= (
         SELECT id FROM webhook_attempts WHERE webhook = ? ORDER BY id DESC LIMIT 1 OFFSET ${ATTEMPTS_KEPT}
       )`,
    )
    this.#page = database.prepare(
      `SELECT message, kind, at, ms, status, answer FROM webhook_attempts WHERE webhook = ?
       ORDER BY id DESC LIMIT ${ATTEMPTS_KEPT}`,
    )
    this.#forget = ['webhook_cursors', 'webhook_attempts'].map(table =>
      database.prepare(`DELETE FROM ${table} WHERE webhook = ?`),
    )
  }

  /** Returns how far an endpoint has come; undefined if that is not known. */
  cursor(webhook: string): WebhookCursor | undefined {
    return this.#cursor.get(webhook)
  }

  put(webhook: string, { sequence, position, failures, dueAt }: WebhookCursor): void {
    this.#put.run(webhook, sequence, position, failures, dueAt)
  }

  /** Writes an attempt, and how far the endpoint has come by it, together. */
  record(webhook: string, attempt: WebhookAttempt, cursor?: WebhookCursor): void {
    const { message, kind, at, ms, status, answer } = attempt
    this.#context.database.transaction(() => {
      if (cursor !== undefined) this.put(webhook, cursor)
      this.#insert.run(webhook, message, kind, at, ms, status, answer)
      this.#prune.run(webhook, webhook)
    })()
  }

  /** Returns the last attempts, newest first. */
  attempts(webhook: string): WebhookAttempt[] {
    return this.#page.all(webhook)
  }

  /** Forgets an endpoint. */
  remove(webhook: string): void {
    this.#context.database.transaction(() => {
      for (const statement of this.#forget) statement.run(webhook)
    })()
  }
}
