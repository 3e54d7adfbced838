import type { Statement } from '../store/database.js'
import type { SiteContext, SiteRefusal } from './site-context.js'

/** Templates of events; a number is never given to a second one. */
export const EVENT_TEMPLATES_TABLE = `
  CREATE TABLE event_templates (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
`

const BOUNDS = { templatesMax: 50, lengthMax: 300_000 }

interface Row {
  readonly id: number
  readonly name: string
  readonly body: string
}

/** A saved template; its fields are those of the request that saved it. */
export interface SavedTemplate {
  readonly id: number
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The templates from which operators create events. */
export class EventTemplates {
  readonly #context: SiteContext
  readonly #bounds: typeof BOUNDS
  readonly #all: Statement<Row>
  readonly #others: Statement<{ count: number; length: number }>
  readonly #put: Statement<Row>
  readonly #delete: Statement

  constructor(context: SiteContext, bounds = BOUNDS) {
    const { database } = context
    this.#context = context
    this.#bounds = bounds
    this.#all = database.prepare('SELECT id, name, body FROM event_templates ORDER BY name')
    this.#others = database.prepare(
      `SELECT count(*) AS count, ifnull(sum(length(body)), 0) AS length
       FROM event_templates WHERE name <> ?`,
    )
    this.#put = database.prepare(
      `INSERT INTO event_templates (name, body) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET body = excluded.body RETURNING id, name, body`,
    )
    this.#delete = database.prepare('DELETE FROM event_templates WHERE id = ?')
  }

  /** Returns all templates by name. */
  all(): SavedTemplate[] {
    return this.#all.all().map(templateIn)
  }

  /** Saves a template, in place of the one of the same name. */
  put(name: string, fields: SavedTemplate['fields']): SavedTemplate | SiteRefusal {
    const body = JSON.stringify(fields)
    const { count = 0, length = 0 } = this.#others.get(name) ?? {}
    const { templatesMax, lengthMax } = this.#bounds
    if (count >= templatesMax || length + body.length > lengthMax) return 'templates_full'
    const refusal = this.#context.growthRefusal()
    if (refusal !== undefined) return refusal

    // After this point the row is written.
    const row = this.#put.get(name, body)
    if (row === undefined) throw new Error('a saved template was not returned')
    return templateIn(row)
  }

  /** Deletes a template; deleting it again changes nothing. */
  remove(id: number): void {
    this.#delete.run(id)
  }
}

function templateIn({ id, name, body }: Row): SavedTemplate {
  return { id, name, fields: JSON.parse(body) as SavedTemplate['fields'] }
}
