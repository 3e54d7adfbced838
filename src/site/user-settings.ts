import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** "settings" is a JSON object; who never changed any has no row. */
export const USER_SETTINGS_TABLE = `
  CREATE TABLE user_settings (
    user_id    TEXT    PRIMARY KEY,
    settings   TEXT    NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Named values that pages remember for a user, such as the language or the last quantity. */
export type Settings = Readonly<Record<string, string | number | boolean>>

/** 100,000 users with 4 kB each need 400 MB at most. */
const USERS_MAX = 100_000

/** Keeps what pages remember for users, in whatever browser. */
export class UserSettings {
  readonly #context: SiteContext
  readonly #usersMax: number
  readonly #get: Statement<string>
  readonly #put: Statement
  readonly #countAll: Statement<number>
  #users = 0

  constructor(context: SiteContext, usersMax = USERS_MAX) {
    const { database } = context
    this.#context = context
    this.#usersMax = usersMax
    this.#get = database
      .prepare<unknown[], string>('SELECT settings FROM user_settings WHERE user_id = ?')
      .pluck()
    this.#put = database.prepare(
      `INSERT INTO user_settings (user_id, settings, changed_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id) DO UPDATE SET settings = excluded.settings, changed_at = excluded.changed_at`,
    )
    this.#countAll = database.prepare<unknown[], number>('SELECT count(*) FROM user_settings').pluck()
    this.recount()
  }

  /** Counts the users with settings in the file. */
  recount(): void {
    this.#users = this.#countAll.get() ?? 0
  }

  /** Returns the settings of a user; an empty object if there are none. */
  get(userId: string): Settings {
    const text = this.#get.get(userId)
    return text === undefined ? {} : (JSON.parse(text) as Settings)
  }

  /** Replaces all settings of a user. */
  put(userId: string, settings: Settings): SiteRefusal | undefined {
    const { now, growthRefusal } = this.#context
    const isNew = this.#get.get(userId) === undefined
    if (isNew && this.#users >= this.#usersMax) return 'site_full'
    const refusal = growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    this.#put.run(userId, JSON.stringify(settings), now())
    if (isNew) this.#users++
    return undefined
  }
}
