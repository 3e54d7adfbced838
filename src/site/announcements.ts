import type { TimeMs } from '../core/units.js'
import type { Statement } from '../store/database.js'
import type { SiteContext } from './site-context.js'

/** The newest row counts. AUTOINCREMENT gives no id twice: who dismisses one announcement sees the next. */
export const ANNOUNCEMENTS_TABLE = `
  CREATE TABLE announcements (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    at    INTEGER NOT NULL,
    kind  TEXT    NOT NULL CHECK (kind IN ('info', 'warning')),
    en    TEXT    NOT NULL,
    hi    TEXT,
    until INTEGER
  ) STRICT;
`

/** A message of an operator to everybody who opens the pages. */
export interface Announcement {
  readonly id: number
  readonly at: TimeMs
  readonly kind: 'info' | 'warning'
  readonly en: string
  /** Null where readers of Hindi see the English text. */
  readonly hi: string | null
  /** Null if it stays until it is removed. */
  readonly until: TimeMs | null
}

/** Keeps at most one announcement. It can be replaced on a low disk, too: the file does not grow. */
export class Announcements {
  readonly #context: SiteContext
  readonly #insert: Statement
  readonly #deleteBefore: Statement
  #latest: Announcement | undefined

  constructor(context: SiteContext) {
    const { database } = context
    this.#context = context
    this.#insert = database.prepare(
      'INSERT INTO announcements (at, kind, en, hi, until) VALUES (?, ?, ?, ?, ?)',
    )
    this.#deleteBefore = database.prepare('DELETE FROM announcements WHERE id < ?')
    this.#latest = database
      .prepare<unknown[], Announcement>('SELECT * FROM announcements ORDER BY id DESC LIMIT 1')
      .get()
  }

  /** Returns the announcement, also if its time is over; undefined if there is none. */
  get latest(): Announcement | undefined {
    return this.#latest
  }

  /** Returns the announcement that everybody sees now. */
  get current(): Announcement | undefined {
    const until = this.#latest?.until ?? null
    return until !== null && until <= this.#context.now() ? undefined : this.#latest
  }

  /** Replaces the announcement. Its texts are plain already. */
  put({ kind, en, hi, until }: Omit<Announcement, 'id' | 'at'>): Announcement {
    const at = this.#context.now()
    const id = Number(this.#insert.run(at, kind, en, hi, until).lastInsertRowid)
    this.#latest = { id, at, kind, en, hi, until }
    this.#deleteBefore.run(id)
    return this.#latest
  }

  remove(): void {
    this.#deleteBefore.run(Number.MAX_SAFE_INTEGER)
    this.#latest = undefined
  }
}
