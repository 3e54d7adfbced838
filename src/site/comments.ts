import type { MarketCode, TimeMs } from '../core/units.js'
import type { Statement } from '../store/database.js'
import { folded } from '../store/folded.js'
import { Mentions } from './mentions.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** "hidden_by" is null for a comment that everybody sees. AUTOINCREMENT gives no id twice. */
export const COMMENTS_TABLE = `
  CREATE TABLE comments (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    market         INTEGER NOT NULL,
    user_id        TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    body           TEXT    NOT NULL,
    shows_position INTEGER NOT NULL CHECK (shows_position IN (0, 1)),
    hidden_at      INTEGER,
    hidden_by      TEXT,
    hidden_reason  TEXT
  ) STRICT;
  CREATE INDEX comments_of_market ON comments (market, id);
  CREATE INDEX comments_of_user ON comments (user_id, id);
  -- The few hidden ones, so that nobody reads all comments to find them.
  CREATE INDEX comments_hidden ON comments (id) WHERE hidden_at IS NOT NULL;
`

/** A comment under an event. */
export interface Comment {
  readonly id: number
  readonly market: MarketCode
  readonly userId: string
  readonly at: TimeMs
  readonly body: string
  /** True if the author lets others see what they hold in the event. */
  readonly showsPosition: boolean
  readonly hidden: Hiding | undefined
}

/** Why, when and by whom a comment was hidden. */
interface Hiding {
  readonly at: TimeMs
  readonly by: string
  readonly reason: string
}

interface NewComment extends Pick<Comment, 'market' | 'userId' | 'body' | 'showsPosition'> {
  /** The users whom it mentions; none by default. */
  readonly mentioned?: readonly string[]
}

/** Which comments of all events to return, newest first. */
export interface CommentSearch {
  /** A part of the text, in any case. */
  readonly q?: string | undefined
  readonly userId?: string | undefined
  readonly isHidden?: boolean | undefined
  /** Only comments older than the one with this id. */
  readonly before?: number | undefined
  readonly lengthMax: number
}

interface Row extends Omit<Comment, 'showsPosition' | 'hidden'> {
  readonly showsPosition: 0 | 1
  readonly hiddenAt: TimeMs | null
  readonly hiddenBy: string | null
  readonly hiddenReason: string | null
}

/** Of one user under one event, under one event, and in all: 600 MB at most, and usually a tenth. */
const BOUNDS = { ofUserMax: 100, ofMarketMax: 2000, allMax: 200_000 }

const COLUMNS = `id, market, user_id AS userId, at, body, shows_position AS showsPosition,
  hidden_at AS hiddenAt, hidden_by AS hiddenBy, hidden_reason AS hiddenReason`

/**
 * Comments read for one page of a search; the page then ends, and its cursor goes on from there. The longest
 * take 17 ms.
 */
const READ_MAX = 2000

/** The comments under events. */
export class Comments {
  readonly #context: SiteContext
  readonly #bounds: typeof BOUNDS
  readonly #mentions: Mentions
  readonly #insert: Statement
  readonly #delete: Statement
  readonly #hide: Statement
  readonly #find: Statement<Row>
  readonly #page: Statement<Row>
  readonly #pageOfUser: Statement<Row>
  readonly #searchAll: Statement<Row>
  readonly #searchOfUser: Statement<Row>
  readonly #searchHidden: Statement<Row>
  readonly #countOf: Statement<{ readonly ofMarket: number; readonly ofUser: number }>
  readonly #countAll: Statement<number>
  #count = 0

  constructor(context: SiteContext, bounds: typeof BOUNDS = BOUNDS) {
    const { database } = context
    this.#context = context
    this.#bounds = bounds
    this.#mentions = new Mentions(context)
    this.#insert = database.prepare(
      'INSERT INTO comments (market, user_id, at, body, shows_position) VALUES (?, ?, ?, ?, ?)',
    )
    this.#delete = database.prepare('DELETE FROM comments WHERE id = ?')
    this.#hide = database.prepare(
      'UPDATE comments SET hidden_at = ?, hidden_by = ?, hidden_reason = ? WHERE id = ?',
    )
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM comments WHERE id = ?`)
    this.#page = database.prepare(
      `SELECT ${COLUMNS} FROM comments WHERE market = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    )
    this.#pageOfUser = database.prepare(
      `SELECT ${COLUMNS} FROM comments WHERE user_id = ? AND hidden_at IS NULL ORDER BY id DESC LIMIT ?`,
    )
    const searched = (where: string) =>
      database.prepare<unknown[], Row>(
        `SELECT ${COLUMNS} FROM comments WHERE ${where} AND id < ? ORDER BY id DESC LIMIT ${READ_MAX}`,
      )
    this.#searchAll = searched('TRUE')
    this.#searchOfUser = searched('user_id = ?')
    this.#searchHidden = searched('hidden_at IS NOT NULL')
    // Reads the rows of one event, which are bounded.
    this.#countOf = database.prepare(
      `SELECT count(*) AS ofMarket, count(*) FILTER (WHERE user_id = ?) AS ofUser
       FROM comments WHERE market = ?`,
    )
    this.#countAll = database.prepare<unknown[], number>('SELECT count(*) FROM comments').pluck()
    this.recount()
  }

  /** Counts the comments in the file. */
  recount(): void {
    this.#count = this.#countAll.get() ?? 0
  }

  /** Posts a comment, whose text is plain already. */
  post({ market, userId, body, showsPosition, mentioned = [] }: NewComment): Comment | SiteRefusal {
    const { now, growthRefusal, database } = this.#context
    const { ofMarket = 0, ofUser = 0 } = this.#countOf.get(userId, market) ?? {}
    if (ofUser >= this.#bounds.ofUserMax) return 'comments_full'
    if (ofMarket >= this.#bounds.ofMarketMax) return 'comments_full'
    if (this.#count >= this.#bounds.allMax) return 'site_full'
    const refusal = growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the comment is written.
    const at = now()
    const id = database.transaction(() => {
      const { lastInsertRowid } = this.#insert.run(market, userId, at, body, showsPosition ? 1 : 0)
      this.#mentions.add(Number(lastInsertRowid), mentioned)
      return Number(lastInsertRowid)
    })()
    this.#count++
    return { id, market, userId, at, body, showsPosition, hidden: undefined }
  }

  /** Returns the comments under an event before one, newest first, hidden ones included. */
  list(market: MarketCode, before: number | undefined, lengthMax: number): Comment[] {
    return this.#page.all(market, before ?? Number.MAX_SAFE_INTEGER, lengthMax).map(commentOf)
  }

  /** Returns the newest comments of a user that are not hidden. */
  latestOf(userId: string, lengthMax: number): Comment[] {
    return this.#pageOfUser.all(userId, lengthMax).map(commentOf)
  }

  /**
   * Returns a page of the comments that mention a user and are not hidden, newest first, and after which id
   * the next one begins. A page may be short, or empty, and still have a next.
   */
  mentioning(
    userId: string,
    before: number | undefined,
    lengthMax: number,
  ): { readonly comments: Comment[]; readonly next: number | undefined } {
    const ids = this.#mentions.of(userId, before, lengthMax)
    const found = ids.map(id => this.find(id)).filter(comment => comment !== undefined)
    const comments = found.filter(({ hidden }) => hidden === undefined)
    return { comments, next: ids.length < lengthMax ? undefined : ids.at(-1) }
  }

  /**
   * Returns a page of the comments under all events, newest first, and after which id the next one begins. It
   * reads a bounded number of comments: a page may be short, or empty, and still have a next.
   */
  search({ q, userId, isHidden, before, lengthMax }: CommentSearch): {
    readonly comments: Comment[]
    readonly next: number | undefined
  } {
    const words = q === undefined ? undefined : folded(q)
    const isWanted = ({ hiddenAt, body }: Row) =>
      (isHidden === undefined || isHidden === (hiddenAt !== null)) &&
      (words === undefined || folded(body).includes(words))
    const comments: Comment[] = []
    let read = 0
    for (const row of this.#candidates(userId, isHidden, before ?? Number.MAX_SAFE_INTEGER)) {
      read++
      if (isWanted(row)) comments.push(commentOf(row))
      if (comments.length === lengthMax || read === READ_MAX) return { comments, next: row.id }
    }
    return { comments, next: undefined }
  }

  #candidates(userId: string | undefined, isHidden: boolean | undefined, before: number): Iterable<Row> {
    if (userId !== undefined) return this.#searchOfUser.iterate(userId, before)
    return isHidden === true ? this.#searchHidden.iterate(before) : this.#searchAll.iterate(before)
  }

  /** Returns a comment; undefined if there is no such comment, or not under the event that is named. */
  find(id: number, market?: MarketCode): Comment | undefined {
    const row = this.#find.get(id)
    if (row === undefined || (market !== undefined && row.market !== market)) return undefined
    return commentOf(row)
  }

  /** Deletes a comment. */
  remove({ id }: Comment): void {
    this.#count -= this.#context.database.transaction(() => {
      this.#mentions.remove(id)
      return this.#delete.run(id).changes
    })()
  }

  /** Hides a comment from everybody but operators, or shows it again. */
  hide({ id }: Comment, by: string, reason: string): void {
    this.#hide.run(this.#context.now(), by, reason, id)
  }

  /** Shows a hidden comment again. */
  show({ id }: Comment): void {
    this.#hide.run(null, null, null, id)
  }
}

function commentOf({ showsPosition, hiddenAt, hiddenBy, hiddenReason, ...row }: Row): Comment {
  const shown = { ...row, showsPosition: showsPosition === 1 }
  if (hiddenAt === null) return { ...shown, hidden: undefined }
  return { ...shown, hidden: { at: hiddenAt, by: hiddenBy ?? '', reason: hiddenReason ?? '' } }
}
