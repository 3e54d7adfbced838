import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** The users who chose whether others see their profile; all others have the exchange's default. */
export const PROFILES_TABLE = `
  CREATE TABLE profiles (
    user_id    TEXT    PRIMARY KEY,
    is_public  INTEGER NOT NULL CHECK (is_public IN (0, 1)),
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Users who chose; all of them are kept in memory. */
const USERS_MAX = 100_000

/** The users who let others see their profile and figures, and those who do not. */
export class Profiles {
  readonly #context: SiteContext
  readonly #usersMax: number
  readonly #put: Statement
  readonly #chosen = new Map<string, boolean>()

  constructor(context: SiteContext, usersMax = USERS_MAX) {
    const { database } = context
    this.#context = context
    this.#usersMax = usersMax
    this.#put = database.prepare(
      `INSERT INTO profiles (user_id, is_public, changed_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET is_public = excluded.is_public, changed_at = excluded.changed_at`,
    )
    this.reread()
  }

  /** Reads the choices of all users from the file. */
  reread(): void {
    this.#chosen.clear()
    const rows = this.#context.database
      .prepare<unknown[], [string, 0 | 1]>('SELECT user_id, is_public FROM profiles')
      .raw()
    for (const [userId, isPublic] of rows.iterate()) this.#chosen.set(userId, isPublic === 1)
  }

  /** Returns what a user chose; undefined if they did not. */
  choiceOf(userId: string): boolean | undefined {
    return this.#chosen.get(userId)
  }

  /** Returns the users who chose this. */
  *chose(isPublic: boolean): Generator<string> {
    for (const [userId, choice] of this.#chosen) if (choice === isPublic) yield userId
  }

  /** Writes a user's choice. To be private is possible even on a low disk. */
  choose(userId: string, isPublic: boolean): SiteRefusal | undefined {
    const isNew = !this.#chosen.has(userId)
    if (isNew && this.#chosen.size >= this.#usersMax) return 'site_full'
    const refusal = isPublic ? this.#context.growthRefusal() : undefined
    if (refusal !== undefined) return refusal

    // After this point the choice is written.
    this.#put.run(userId, isPublic ? 1 : 0, this.#context.now())
    this.#chosen.set(userId, isPublic)
    return undefined
  }
}
