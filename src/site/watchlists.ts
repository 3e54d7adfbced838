import type { MarketCode } from '../core/units.js'
import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** The markets that users follow. */
export const WATCHLISTS_TABLE = `
  CREATE TABLE watchlists (
    user_id  TEXT    NOT NULL,
    market   INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, market)
  ) STRICT, WITHOUT ROWID;
`

/** Markets of one user, and rows of all users: some 60 MB. */
const BOUNDS = { ofUserMax: 200, rowsMax: 1_000_000 }

/** The markets that each user watches. */
export class Watchlists {
  readonly #context: SiteContext
  readonly #bounds: typeof BOUNDS
  readonly #list: Statement<MarketCode>
  readonly #insert: Statement
  readonly #delete: Statement
  readonly #countAll: Statement<number>
  #rows = 0

  constructor(context: SiteContext, bounds: typeof BOUNDS = BOUNDS) {
    const { database } = context
    this.#context = context
    this.#bounds = bounds
    this.#list = database
      .prepare<unknown[], MarketCode>(
        'SELECT market FROM watchlists WHERE user_id = ? ORDER BY added_at DESC, market DESC',
      )
      .pluck()
    this.#insert = database.prepare('INSERT INTO watchlists (user_id, market, added_at) VALUES (?, ?, ?)')
    this.#delete = database.prepare('DELETE FROM watchlists WHERE user_id = ? AND market = ?')
    this.#countAll = database.prepare<unknown[], number>('SELECT count(*) FROM watchlists').pluck()
    this.recount()
  }

  /** Counts the rows in the file. */
  recount(): void {
    this.#rows = this.#countAll.get() ?? 0
  }

  /** Returns the markets that a user watches, the latest first. */
  list(userId: string): MarketCode[] {
    return this.#list.all(userId)
  }

  /** Adds a market; adding it again changes nothing. */
  add(userId: string, market: MarketCode): SiteRefusal | undefined {
    const listed = this.list(userId)
    if (listed.includes(market)) return undefined
    if (listed.length >= this.#bounds.ofUserMax) return 'watchlist_full'
    if (this.#rows >= this.#bounds.rowsMax) return 'site_full'
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    this.#insert.run(userId, market, this.#context.now())
    this.#rows++
    return undefined
  }

  /** Removes a market; removing it again changes nothing. */
  remove(userId: string, market: MarketCode): void {
    this.#rows -= this.#delete.run(userId, market).changes
  }
}
