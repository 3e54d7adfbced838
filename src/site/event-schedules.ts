import type { TimeMs } from '../core/units.js'
import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/**
 * The schedules of templates, one of each at most. The key goes into the ids of the events: it is random,
 * so that no schedule after a deletion or a restored backup has the key of another.
 */
export const EVENT_SCHEDULES_TABLE = `
  CREATE TABLE event_schedules (
    template    INTEGER PRIMARY KEY,
    key         TEXT    NOT NULL DEFAULT (lower(hex(randomblob(16)))),
    body        TEXT    NOT NULL,
    since       INTEGER NOT NULL,
    through     TEXT,
    created     INTEGER NOT NULL DEFAULT 0,
    trouble     TEXT
  ) STRICT;
`

interface Row {
  readonly template: number
  readonly key: string
  readonly body: string
  readonly since: TimeMs
  readonly through: string | null
  readonly created: number
  readonly trouble: string | null
}

/** Why the occurrence of a day has not been created. */
export interface Trouble {
  readonly day: string
  readonly message: string
  readonly reason: string | null
}

/** A schedule, and how far it has come. */
export interface SavedSchedule {
  readonly template: number
  readonly key: string
  /** As it was saved. */
  readonly fields: Readonly<Record<string, unknown>>
  /** When it was last saved: what opened before is not created. */
  readonly since: TimeMs
  /** The last day that is done with; undefined before the first. */
  readonly through: string | undefined
  /** How many events it has created. */
  readonly created: number
  readonly trouble: Trouble | undefined
}

/** The schedules by which the exchange creates events from templates, and how far each has come. */
export class EventSchedules {
  readonly #context: SiteContext
  readonly #all: Statement<Row>
  readonly #put: Statement<Row>
  readonly #delete: Statement
  readonly #pass: Statement
  readonly #fail: Statement
  readonly #skip: Statement
  readonly #same: Statement

  constructor(context: SiteContext) {
    const { database } = context
    this.#context = context
    this.#all = database.prepare('SELECT * FROM event_schedules ORDER BY template')
    this.#put = database.prepare(
      `INSERT INTO event_schedules (template, body, since) VALUES (?, ?, ?)
       ON CONFLICT (template) DO UPDATE
       SET body = excluded.body, since = excluded.since, trouble = NULL RETURNING *`,
    )
    this.#delete = database.prepare('DELETE FROM event_schedules WHERE template = ?')
    this.#pass = database.prepare(
      `UPDATE event_schedules SET through = max(ifnull(through, ''), ?), created = created + ?, trouble = ?
       WHERE key = ?`,
    )
    this.#fail = database.prepare('UPDATE event_schedules SET trouble = ? WHERE key = ?')
    this.#skip = database.prepare(
      `UPDATE event_schedules SET through = max(ifnull(through, ''), ?) WHERE key = ?`,
    )
    this.#same = database.prepare('SELECT 1 FROM event_schedules WHERE key = ? AND since = ? AND body = ?')
  }

  all(): SavedSchedule[] {
    return this.#all.all().map(scheduleIn)
  }

  /** Saves the schedule of a template, which goes on from what it has created already. */
  put(template: number, fields: SavedSchedule['fields']): SavedSchedule | SiteRefusal {
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    const row = this.#put.get(template, JSON.stringify(fields), this.#context.now())
    if (row === undefined) throw new Error('a saved schedule was not returned')
    return scheduleIn(row)
  }

  /** Deletes the schedule of a template, if it has one. */
  remove(template: number): void {
    this.#delete.run(template)
  }

  /** Returns whether a schedule is still as it was saved then. */
  has({ key, since, fields }: SavedSchedule): boolean {
    return this.#same.get(key, since, JSON.stringify(fields)) !== undefined
  }

  /** Notes that the days up to this one are done with, and how many events that gave: one or none. */
  pass(key: string, day: string, created: 0 | 1, trouble?: Trouble): void {
    this.#pass.run(day, created, trouble === undefined ? null : JSON.stringify(trouble), key)
  }

  /** Notes that the days up to this one are done with, without an event. */
  skip(key: string, day: string): void {
    this.#skip.run(day, key)
  }

  /** Notes why the occurrence of a day cannot be created at present. */
  fail(key: string, trouble: Trouble): void {
    this.#fail.run(JSON.stringify(trouble), key)
  }
}

function scheduleIn({ body, through, trouble, ...row }: Row): SavedSchedule {
  const { template, key, since, created } = row
  return {
    ...{ template, key, since, created },
    fields: JSON.parse(body) as SavedSchedule['fields'],
    through: through ?? undefined,
    trouble: trouble === null ? undefined : (JSON.parse(trouble) as Trouble),
  }
}
