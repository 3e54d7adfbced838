import type { Statement } from '../../store/database.js'
import type { AccessContext } from './access-context.js'

/**
 * Servers that hear what happens. "address" and the secrets are encrypted: see `src/webhooks/sealing.ts`. A
 * lost cursor begins at "since", the last batch before the endpoint, or at "reached", which is received.
 */
export const WEBHOOKS_TABLE = `
  CREATE TABLE webhooks (
    id          TEXT    PRIMARY KEY,
    address     BLOB    NOT NULL,
    shown       TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    secret      BLOB    NOT NULL,
    old_secret  BLOB,
    old_until   INTEGER,
    events      TEXT    NOT NULL,
    format      TEXT    NOT NULL,
    disabled    TEXT    CHECK (disabled IN ('operator', 'gone', 'failing')),
    since       INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    created_by  TEXT    NOT NULL,
    reached     INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
`

/** Why nothing is sent to an endpoint. */
export type WebhookDisabled = 'operator' | 'gone' | 'failing'

/** An endpoint as it is stored. */
export interface StoredWebhook {
  readonly id: string
  /** Encrypted, as are the secrets. */
  readonly address: Buffer
  /** The part of the address that may be shown. */
  readonly shown: string
  /** Of the address. */
  readonly fingerprint: string
  readonly secret: Buffer
  /** The secret before, which signs as well until a time. */
  readonly oldSecret: Buffer | null
  readonly oldUntil: number | null
  /** The kinds of events that it gets. */
  readonly events: readonly string[]
  readonly format: string
  readonly disabled: WebhookDisabled | null
  /** The last batch before it. */
  readonly since: number
  readonly createdAt: number
  readonly createdBy: string
  /** A batch up to which everything is received: where a lost cursor begins. */
  readonly reached: number
}

type Row = Omit<StoredWebhook, 'events'> & { readonly events: string }
export type WebhookChange = Partial<Omit<StoredWebhook, 'id' | 'since' | 'createdAt' | 'createdBy'>>

const COLUMNS = `id, address, shown, fingerprint, secret, old_secret AS oldSecret, old_until AS oldUntil,
  events, format, disabled, since, created_at AS createdAt, created_by AS createdBy, reached`

/** The endpoints of webhooks: few, so that all are read together. */
export class StoredWebhooks {
  readonly #all: Statement<Row>
  readonly #insert: Statement
  readonly #update: Statement
  readonly #delete: Statement
  readonly #mark: Statement
  /** All of them, once they have been read. */
  #kept: readonly StoredWebhook[] | undefined

  constructor({ database }: Pick<AccessContext, 'database'>) {
    this.#all = database.prepare<unknown[], Row>(`SELECT ${COLUMNS} FROM webhooks ORDER BY created_at, id`)
    this.#insert = database.prepare(
      `INSERT INTO webhooks VALUES (@id, @address, @shown, @fingerprint, @secret, @oldSecret, @oldUntil,
         @events, @format, @disabled, @since, @createdAt, @createdBy, @reached)`,
    )
    this.#update = database.prepare(
      `UPDATE webhooks SET address = @address, shown = @shown, fingerprint = @fingerprint,
         secret = @secret, old_secret = @oldSecret, old_until = @oldUntil, events = @events,
         format = @format, disabled = @disabled, reached = @reached
       WHERE id = @id`,
    )
    this.#delete = database.prepare('DELETE FROM webhooks WHERE id = ?')
    this.#mark = database.prepare('UPDATE webhooks SET reached = ? WHERE id = ?')
  }

  all(): readonly StoredWebhook[] {
    this.#kept ??= this.#all.all().map(row => ({ ...row, events: row.events.split(',') }))
    return this.#kept
  }

  find(id: string): StoredWebhook | undefined {
    return this.all().find(webhook => webhook.id === id)
  }

  add(webhook: StoredWebhook): void {
    this.#write(() => this.#insert.run({ ...webhook, events: webhook.events.join(',') }))
  }

  /** Changes an endpoint, unless it was deleted meanwhile. */
  change(id: string, change: WebhookChange): void {
    const before = this.find(id)
    if (before === undefined) return
    const { since, createdAt, createdBy, ...after } = { ...before, ...change }
    this.#write(() => this.#update.run({ ...after, events: after.events.join(',') }))
  }

  remove(id: string): void {
    this.#write(() => this.#delete.run(id))
  }

  /** Notes up to which batch everything is received. */
  mark(id: string, reached: number): void {
    this.#write(() => this.#mark.run(reached, id))
  }

  #write(write: () => unknown): void {
    try {
      write()
    } finally {
      this.#kept = undefined
    }
  }
}
