import type { Statement } from '../store/database.js'
import type { SiteContext } from './site-context.js'

/** "comment" is the id of a row of comments. */
export const MENTIONS_TABLE = `
  CREATE TABLE mentions (
    user_id TEXT    NOT NULL,
    comment INTEGER NOT NULL,
    PRIMARY KEY (user_id, comment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mentions_of_comment ON mentions (comment);
`

/** The users whom comments mention: a few for each comment, which bounds them. */
export class Mentions {
  readonly #insert: Statement
  readonly #delete: Statement
  readonly #page: Statement<number>

  constructor({ database }: Pick<SiteContext, 'database'>) {
    this.#insert = database.prepare('INSERT INTO mentions (user_id, comment) VALUES (?, ?)')
    this.#delete = database.prepare('DELETE FROM mentions WHERE comment = ?')
    this.#page = database
      .prepare<unknown[], number>(
        'SELECT comment FROM mentions WHERE user_id = ? AND comment < ? ORDER BY comment DESC LIMIT ?',
      )
      .pluck()
  }

  /** Notes the users whom a comment mentions, each of them once. */
  add(comment: number, userIds: readonly string[]): void {
    for (const userId of userIds) this.#insert.run(userId, comment)
  }

  /** Forgets whom a comment mentions. */
  remove(comment: number): void {
    this.#delete.run(comment)
  }

  /** Returns the ids of comments that mention a user, before one, newest first. */
  of(userId: string, before: number | undefined, lengthMax: number): number[] {
    return this.#page.all(userId, before ?? Number.MAX_SAFE_INTEGER, lengthMax)
  }
}
