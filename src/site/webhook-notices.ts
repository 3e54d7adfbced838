import type { Statement } from '../store/database.js'
import type { SiteContext } from './site-context.js'

/**
 * Notices that follow from no single batch of the journal. "sequence" is the last batch before one. A mark
 * keeps what was said last of an event: the chance, or the end of trading.
 */
export const NOTICE_TABLES = `
  CREATE TABLE webhook_notices (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    sequence INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    code     INTEGER,
    chance   REAL,
    change   REAL,
    detail   TEXT
  ) STRICT;
  CREATE INDEX webhook_notices_by ON webhook_notices (sequence, id);

  CREATE TABLE webhook_marks (
    code  INTEGER NOT NULL,
    kind  TEXT    NOT NULL,
    value REAL    NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (code, kind)
  ) STRICT, WITHOUT ROWID;
`

/** Notices kept; of more, the oldest are dropped. */
const NOTICES_KEPT = 10_000

/** A notice, to be added. */
export interface NewNotice {
  readonly sequence: number
  readonly kind: string
  readonly at: number
  /** The event or group. */
  readonly code: number | null
  /** The chance of YES, and its change since the notice before. */
  readonly chance: number | null
  readonly change: number | null
  /** More words, about the exchange itself. */
  readonly detail: string | null
}

export interface Notice extends NewNotice {
  readonly id: number
}

/** The last thing said of an event. */
export interface Mark {
  readonly value: number
  readonly at: number
}

/** Notices for webhooks, the newest 10,000, and marks of the events that are not over. */
export class WebhookNotices {
  readonly #context: SiteContext
  readonly #insert: Statement
  readonly #prune: Statement
  readonly #next: Statement<Notice>
  readonly #last: Statement<number>
  readonly #setBack: Statement
  readonly #mark: Statement<Mark>
  readonly #putMark: Statement
  readonly #marked: Statement<number>
  readonly #unmark: Statement

  constructor(context: SiteContext) {
    const { database } = context
    this.#context = context
    this.#insert = database.prepare(
      `INSERT INTO webhook_notices (sequence, kind, at, code, chance, change, detail)
       VALUES (@sequence, @kind, @at, @code, @chance, @change, @detail)`,
    )
    this.#prune = database.prepare('DELETE FROM webhook_notices WHERE id <= ?')
    this.#next = database.prepare(
      `SELECT id, sequence, kind, at, code, chance, change, detail FROM webhook_notices
       WHERE (sequence, id) > (?, ?) AND kind IN (SELECT value FROM json_each(?))
       ORDER BY sequence, id LIMIT 1`,
    )
    this.#last = database
      .prepare<unknown[], number>('SELECT id FROM webhook_notices ORDER BY id DESC LIMIT 1')
      .pluck()
    this.#setBack = database.prepare('UPDATE webhook_notices SET sequence = ? WHERE sequence > ?')
    this.#mark = database.prepare('SELECT value, at FROM webhook_marks WHERE code = ? AND kind = ?')
    this.#putMark = database.prepare('INSERT OR REPLACE INTO webhook_marks VALUES (?, ?, ?, ?)')
    this.#marked = database
      .prepare<unknown[], number>('SELECT code FROM webhook_marks WHERE code > ? AND code <= ?')
      .pluck()
    this.#unmark = database.prepare('DELETE FROM webhook_marks WHERE code = ?')
  }

  /** Adds a notice together with the mark that keeps it from being added again. */
  add(notice: NewNotice, mark?: Mark & { readonly code: number }): void {
    this.#context.database.transaction(() => {
      const { lastInsertRowid } = this.#insert.run(notice)
      this.#prune.run(Number(lastInsertRowid) - NOTICES_KEPT)
      if (mark !== undefined) this.putMark(mark.code, notice.kind, mark)
    })()
  }

  /** Returns the first notice of some kinds behind a place: the last of a batch, by its id. */
  next(sequence: number, id: number, kinds: readonly string[]): Notice | undefined {
    return this.#next.get(sequence, id, JSON.stringify(kinds))
  }

  /** The id of the last notice; 0 before the first. */
  get lastId(): number {
    return this.#last.get() ?? 0
  }

  /** Sets those back that are beyond the end of a restored journal. */
  setBack(lastSequence: number): void {
    this.#setBack.run(lastSequence, lastSequence)
  }

  mark(code: number, kind: string): Mark | undefined {
    return this.#mark.get(code, kind)
  }

  putMark(code: number, kind: string, { value, at }: Mark): void {
    this.#putMark.run(code, kind, value, at)
  }

  /** Removes the marks of a range of codes, but for those of some. */
  keepMarks(after: number, upTo: number, kept: ReadonlySet<number>): void {
    for (const code of new Set(this.#marked.all(after, upTo))) if (!kept.has(code)) this.#unmark.run(code)
  }
}
